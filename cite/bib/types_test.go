package bib_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/cite/bib"
)

var allTypes = strings.Fields(`article article-journal article-magazine article-newspaper bill book broadcast chapter classic collection dataset document entry entry-dictionary
		entry-encyclopedia event figure graphic hearing interview legal_case legislation manuscript map motion_picture musical_score pamphlet paper-conference patent performance
		periodical personal_communication post post-weblog regulation report review review-book software song speech standard thesis treaty webpage`)

// A record of any type with whatever it may have comes back from each format as it was, or the writer names what does not.
func TestWhatIsNotNamedComesBack(t *testing.T) {
	variables := map[string]string{"title": "On cables", "title-short": "Cables", "container-title": "Journal of cables", "container-title-short": "J. Cab.", "collection-title": "Seas", "collection-number": "7",
		"publisher": "Press", "publisher-place": "Valentia", "volume": "3", "issue": "2", "number": "81", "edition": "2", "number-of-volumes": "4", "number-of-pages": "96", "section": "news", "page": "10-20", "genre": "A kind",
		"DOI": "10.1000/1", "ISBN": "978-3-16-148410-0", "ISSN": "0378-5955", "PMID": "12345", "PMCID": "PMC123", "URL": "https://example.org/a_b?c=1&d=%20#e", "language": "de-AT", "call-number": "QA 76",
		"archive": "The archive", "archive_location": "Box 4", "event-title": "Meeting", "event-place": "Rome", "version": "1.2", "abstract": "What it says.", "keyword": "cable; sea", "note": "A note"}
	names := []ibid.Name{{Family: "Field", Given: "Cyrus W."}, {Literal: "Cable Company, London"}}
	dates := map[string]ibid.Date{"day": {Parts: []ibid.DateParts{{Year: 1866, Month: 7, Day: 27}}}, "season": {Parts: []ibid.DateParts{{Year: 1866}}, Season: "3"}, "literal": {Literal: "in press"},
		"days": {Parts: []ibid.DateParts{{Year: 1866, Month: 7, Day: 27}, {Year: 1866, Month: 8, Day: 2}}}, "years": {Parts: []ibid.DateParts{{Year: 1865}, {Year: 1866}}}}
	var refs []ibid.Reference
	add := func(id, kind string, fill func(*ibid.Reference)) {
		r := ibid.Reference{ID: id, Type: kind}
		fill(&r)
		refs = append(refs, r)
	}
	for _, kind := range allTypes {
		add(kind+"-all", kind, func(r *ibid.Reference) {
			for v, s := range variables {
				r.Set(v, s)
			}
			for _, v := range []string{"author", "editor", "translator", "collection-editor", "container-author"} {
				r.SetNames(v, names...)
			}
			r.SetDate("issued", dates["day"])
			r.SetDate("accessed", dates["day"])
		})
		for v, s := range variables {
			add(kind+"-"+v, kind, func(r *ibid.Reference) { r.Set(v, s) })
		}
		for name, d := range dates {
			add(kind+"-"+name, kind, func(r *ibid.Reference) { r.Set("title", "T"); r.SetDate("issued", d) })
		}
	}
	for month := 1; month <= 12; month++ {
		add("month"+string(rune('a'+month)), "book", func(r *ibid.Reference) {
			r.SetDate("issued", ibid.Date{Parts: []ibid.DateParts{{Year: 1866, Month: month}}})
		})
	}
	for format, places := range map[bib.Format]string{
		bib.CSLJSON: "", bib.BibTeX: "", bib.BibLaTeX: "",
		bib.RIS:     "archive archive_location collection-number event-place event-title number-of-pages version container-author",
		bib.RIS2001: "genre archive archive_location collection-number event-place event-title number-of-pages version container-author translator",
		bib.EndNote: "archive archive_location collection-number event-place event-title number-of-pages version container-author", // PMID has the archive's place
	} {
		out, losses := write(t, format, refs)
		lost := map[string][]string{}
		for _, l := range losses {
			lost[l.ID] = append(lost[l.ID], l.Field)
		}
		if got := strings.Join(lost["book-all"], " "); got != places {
			t.Errorf("%s has no place for %s", format, got)
		}
		back, err := bib.ReadAs(out, format)
		if err != nil || len(back.References) != len(refs) {
			t.Fatalf("%s: %d of %d records, %v", format, len(back.References), len(refs), err)
		}
		for i, r := range refs {
			if want, got := without(t, r, lost[r.ID]), without(t, back.References[i], lost[r.ID]); !bytes.Equal(want, got) {
				t.Errorf("%s: %s\nbecame %s", format, want, got)
			}
		}
	}
}

// Types that a format has none for are those, and no more.
func TestTypesWithoutAPlace(t *testing.T) {
	for format, want := range map[bib.Format]string{
		bib.BibTeX: "", bib.BibLaTeX: "", bib.CSLJSON: "", bib.RIS: "entry event interview performance review review-book treaty",
		bib.RIS2001: "classic entry entry-dictionary entry-encyclopedia event figure interview performance post-weblog regulation review review-book standard treaty",
		bib.EndNote: "entry event interview performance periodical post review review-book song speech treaty",
	} {
		var refs []ibid.Reference
		for _, kind := range allTypes {
			refs = append(refs, ibid.Reference{ID: kind, Type: kind, Text: map[string]string{"title": "T"}})
		}
		_, losses := write(t, format, refs)
		var got []string
		for _, l := range losses {
			got = append(got, l.ID)
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s: %s", format, s)
		}
	}
}

// Every type that reference managers offer is known: none is a document of which only the name is kept.
func TestTypesOfReferenceManagers(t *testing.T) {
	for _, kind := range strings.Fields(`ABST ADVS AGGR ANCIENT ART BILL BLOG BOOK CASE CHAP CHART CLSWK COMP CONF CPAPER CTLG DATA DBASE DICT EBOOK ECHAP EDBOOK EJOUR ELEC ENCYC EQUA FIGURE
		GOVDOC HEAR ICOMM INPR JFULL JOUR LEGAL MANSCPT MAP MGZN MPCT MULTI MUSIC NEWS PAMP PAT PCOMM RPRT SER SLIDE SOUND STAND STAT THES UNBILL UNPB VIDEO WEB`) {
		if r := readOne(t, "TY  - "+kind+"\nTI  - T\nER  - \n"); r.Type == "document" || r.Extra != nil {
			t.Errorf("%s is read as %s (%s)", kind, r.Type, r.Extra["x-ris"])
		}
	}
}

// What EndNote's types are, by their name and by their number alone.
func TestTypesOfEndNote(t *testing.T) {
	for want, kinds := range map[string]string{
		"article": "43 Electronic Article", "article-journal": "17 Journal Article", "article-magazine": "19 Magazine Article", "article-newspaper": "23 Newspaper Article", "bill": "4 Bill",
		"book": "6 Book, 8 Catalog, 28 Edited Book, 44 Electronic Book", "broadcast": "3 Audiovisual Material", "chapter": "5 Book Section, 60 Electronic Book Section", "classic": "49 Classical Work, 51 Ancient Text",
		"collection": "57 Serial", "dataset": "59 Dataset, 45 Online Database, 55 Aggregated Database", "document": "13 Generic", "entry-dictionary": "52 Dictionary", "entry-encyclopedia": "53 Encyclopedia",
		"figure": "37 Figure, 38 Chart or Table, 39 Equation", "graphic": "2 Artwork", "hearing": "14 Hearing", "legal_case": "7 Case", "legislation": "31 Statute", "manuscript": "36 Manuscript, 34 Unpublished Work",
		"map": "20 Map", "motion_picture": "21 Film or Broadcast", "musical_score": "61 Music", "pamphlet": "24 Pamphlet", "paper-conference": "47 Conference Paper, 10 Conference Proceedings", "patent": "25 Patent",
		"personal_communication": "26 Personal Communication", "post-weblog": "56 Blog", "regulation": "50 Legal Rule or Regulation", "report": "27 Report, 46 Government Document", "software": "9 Computer Program",
		"standard": "58 Standard", "thesis": "32 Thesis", "webpage": "12 Web Page, 48 Online Multimedia",
	} {
		for kind := range strings.SplitSeq(kinds, ", ") {
			number, name, _ := strings.Cut(kind, " ")
			for _, tag := range []string{`<ref-type name="` + name + `">` + number + `</ref-type>`, `<ref-type name="` + name + `">0</ref-type>`, "<ref-type>" + number + "</ref-type>"} {
				if r := readOne(t, "<xml><records><record>"+tag+"<titles><title>T</title></titles></record></records></xml>"); r.Type != want {
					t.Errorf("%s is read as %s, want %s", tag, r.Type, want)
				}
			}
			if r := readOne(t, "%0 "+name+"\n%T T\n"); r.Type != want {
				t.Errorf("%%0 %s is read as %s, want %s", name, r.Type, want)
			}
		}
	}
}

// An electronic article of EndNote is an article of the journal that it names, and a preprint where it names none or arXiv.
func TestElectronicArticles(t *testing.T) {
	for journal, want := range map[string]string{"": "article", "First Monday": "article-journal", "arXiv preprint arXiv:2401.12345": "article"} {
		for _, in := range []string{
			`<xml><records><record><ref-type name="Electronic Article">43</ref-type><titles><title>T</title><secondary-title>` + journal + `</secondary-title></titles><volume>7</volume></record></records></xml>`,
			`<xml><records><record><ref-type>43</ref-type><titles><title>T</title></titles><periodical><full-title>` + journal + `</full-title></periodical></record></records></xml>`,
			"%0 Electronic Article\n%T T\n%J " + journal + "\n",
		} {
			if r := readOne(t, in); r.Type != want {
				t.Errorf("%s is read as %s, want %s", in, r.Type, want)
			}
		}
	}
	// What would be read as another type is said to be lost, and nothing else is.
	for journal, lost := range map[string]int{"": 0, "First Monday": 1} {
		var b bytes.Buffer
		losses, err := bib.Write(&b, bib.EndNote, []ibid.Reference{{ID: "a", Type: "article", Text: map[string]string{"title": "T", "container-title": journal}}})
		if err != nil || len(losses) != lost {
			t.Errorf("%q: %v %v", journal, losses, err)
		}
	}
}
