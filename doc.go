// Package ibid holds the nouns and contracts of Ibid, the system of record for where answers come from.
//
// A language model mixes what it was given with what it knows, in one unmarked stream. Ibid answers, for every span of
// an answer: from a source, from the model, or both? Which sentence of which version of which document? How sure? Does
// the source say otherwise?
//
// # The one idea
//
// An [Anchor] points at words: the hash of a text and a half-open [Span] of bytes in it.
//
//	doc := "The landing at Knightstown was completed on 5 August 1858."
//	at := ibid.Anchor{Document: ibid.HashText(doc), Span: ibid.Span{Start: 44, End: 57}}
//	at.Span.In(doc) // "5 August 1858"
//
// Anyone who has the text can check it, and it never goes stale, since a page that changed is a new [Document] of the
// same [Source]. Chunks, attributions and citations all point with an Anchor.
//
//	Source 1──n Document 1──n Chunk
//	Answer 1──n Segment 1──n Attribution ──Anchor──▶ Document
//
// # From files to a library
//
// Package ingest reads bytes of any common format into text, an [Outline] of pages and headings, and a [Reference], and
// cuts the text into chunks. A [Library] keeps them; package sqlite is one:
//
//	res, err := ingest.Read(ctx, bytes, ingest.Hint{Name: "cable-1858.pdf"})
//	source := ibid.Source{ID: ibid.IdentifySource("", uri), URI: uri, Reference: res.Reference, AddedAt: now}
//	doc := ibid.Document{ID: ibid.HashText(res.Text), MediaType: res.MediaType, Text: res.Text, Outline: res.Outline, FetchedAt: now}
//	doc, added, err := store.Add(ctx, source, doc, ingest.Chunks(doc))
//
// workflow.Ingester does this for many files at once.
//
// # From a question to an answer
//
// A [Retriever] finds passages, a [Model] writes, an [Attributor] decides where each segment comes from. All three
// stream or are called once, and workflow.Asker calls them in order:
//
//	passages, err := index.Open(ctx, dir, store, index.Config{})
//	asker := &workflow.Asker{Retriever: passages, Model: llm.Extractive{}, Attributor: attribute.New(attribute.Config{}), …}
//	for event, err := range asker.Ask(ctx, workflow.Question{Text: "When was the first cable laid?"}) {
//		…
//	}
//
// The examples of package workflow are whole programs. The last event carries the [Answer]. Its text is clean prose; its segments say where each sentence comes from:
//
//	for _, s := range answer.Segments {
//		fmt.Println(s.Origin, s.Confidence, s.At.In(answer.Text))
//		for _, a := range answer.Evidence(s) {
//			fmt.Println("   ", a.To, a.Trust)
//		}
//	}
//
// [Answer.Check] holds an answer against the law of the record: every link resolves, every quote is the document's text
// to the byte. Nothing is recorded that fails it.
//
// # From a tool to a claim
//
// An agent's [Claim] is bound to a [SourceReference] where a tool returned, before a model rephrases it. Package ledger
// keeps them, one ledger for each agent of a [Run]:
//
//	led := ledger.New("run-1", "researcher", ledger.Config{Now: time.Now})
//	search := ledger.Capture(led, ledger.Tool{Name: "search"}, api.Search)
//	hits, source, err := search(ctx, "transatlantic cable")
//	led.Claim("The cable was completed on 5 August 1858.", source)
//
// An answer and a run end at the same gate, in a [Verdict], and in the same [Log] before they are delivered.
//
// # Origins and trust
//
// An [Origin] is RAG (a source says so), LLM (the model's own), HYBRID (part of it stands in a source) or NONE (it makes
// no claim). How a link came to be is part of the link: [Trust] is a ladder from the model's own marker to a value that
// code captured where a tool returned. A marker is a claim to be checked, and moves up when the check holds.
//
// Confidence is calibrated: of the segments with confidence 0.8, about 80 in 100 hold. Attribution says where a claim
// comes from, not whether it is true.
//
// # The contracts
//
// Seven interfaces carry the rest, ten methods in all: [Retriever], [Model], [Embedder], [Attributor], [Judge],
// [Library] and [Log]. Whoever needs more of a concrete store declares the methods it uses.
package ibid
