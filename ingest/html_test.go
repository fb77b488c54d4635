package ingest_test

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid/ingest"
)

const prose = "The cable was laid in the summer of 1858 by two ships, the Agamemnon and the Niagara, which met in mid-ocean and steamed apart. "

// newsPage is built as many pages are: classes instead of tags, menus on all sides, a notice on top.
var newsPage = `<!DOCTYPE html><html lang="en"><head><title>The Cable – The Daily Wire</title>
<meta property="og:site_name" content="The Daily Wire">
<style>p{color:red}</style><script>var x = "<p>not text</p>";</script></head><body class="has-sidebar">
<div id="cookieBanner"><p>We use cookies, and with your consent we and our 842 partners store them. Accept all, reject all?</p></div>
<div class="site-header"><ul class="menu"><li><a href="/">Home</a></li><li><a href="/news">News</a></li></ul></div>
<div class="wrap"><div class="col-8"><h1>The Cable</h1>
<div class="share-buttons"><a href="#">Tweet</a> <a href="#">Mail</a></div>
<p>` + strings.Repeat(prose, 3) + `</p><p>` + strings.Repeat(prose, 2) + `</p>
<h2>Afterwards</h2><p>It fell <b>sil</b>ent after three&nbsp;weeks; see <a href="/x">the log</a> of the ship for what was said then.</p>
<ul><li>300 tons of gutta-percha</li><li>Seven strands <ul><li>of copper</li></ul></li></ul>
<ol><li>first</li><li>second</li></ol>
<table><caption>Lengths</caption><tr><th>Year</th><th>Miles</th></tr><tr><td>1858<td>2,500</table>
<pre>STOP
  STOP</pre></div>
<div class="col-4"><h3>Most read</h3><ul><li><a href="/1">Ten ways to lay a cable</a></li><li><a href="/2">You will not believe this whale</a></li></ul></div></div>
<div class="related-posts"><h3>Related</h3><p><a href="/3">Another story</a></p></div>
<footer><p>© 2021 The Daily Wire. All rights reserved. <a href="/imprint">Imprint</a></p></footer></body></html>`

func TestHTML(t *testing.T) {
	for _, s := range []scenario{
		{name: "main text, not menus", in: newsPage, media: ingest.HTML,
			has: []string{"It fell silent after three weeks; see the log of the ship", "- 300 tons of gutta-percha\n- Seven strands\n- of copper", "1. first\n2. second",
				"Lengths\n\nYear | Miles\n1858 | 2,500", "STOP\n  STOP"},
			hasNot:  []string{"cookies", "Home", "Tweet", "Most read", "whale", "Related", "rights reserved", "color", "not text"},
			outline: "1:The Cable, 2:Afterwards"},
		{name: "semantic tags", in: "<html><body><nav><a href=x>Menu</a></nav><main><article><h1>A</h1><p>" + prose + prose + "</p></article></main><aside><p>Buy our newspaper today, it is cheap and good and comes to your house.</p></aside></body></html>",
			hasNot: []string{"Menu", "newspaper"}, text: "A\n\n" + strings.TrimSpace(prose+prose)},
		{name: "a heading above the article", in: "<body><header><h1>The Title</h1></header><article><p>" + prose + prose + "</p></article></body>",
			has: []string{"The Title\n\nThe cable"}},
		{name: "a page with little text", in: "<html><body><nav><a href=x>Home</a></nav><p>Closed today.</p></body></html>", text: "Closed today."},
		{name: "a page of links", in: "<html><body><ul><li><a href=1>Agamemnon</a></li><li><a href=2>Niagara</a></li><li><a href=3>Great Eastern</a></li></ul></body></html>",
			text: "- Agamemnon\n- Niagara\n- Great Eastern"},
		{name: "a page that is one table", in: "<html><table><tr><td>Year<td>Ship<tr><td>1858<td>Agamemnon</table>", text: "Year | Ship\n1858 | Agamemnon"},
		{name: "a page laid out in a table", in: "<html><body><table><tr><td><a href=1>Home</a><br><a href=2>News</a></td><td><p>" + strings.Repeat(prose, 9) + "</p><p>" + strings.Repeat(prose, 9) + "</p></td></tr></table></body></html>",
			hasNot: []string{"|"}, has: []string{strings.TrimSpace(strings.Repeat(prose, 9)) + "\n\n" + prose}},
		{name: "several articles are all text", in: "<body><main><article><h2>A</h2><p>" + prose + prose + "</p></article><article><h2>B</h2><p>" + prose + prose + "</p></article></main></body>", outline: "2:A, 2:B"},
		{name: "the text is in what is called a sidebar", in: "<body><div class='sidebar'><p>" + strings.Repeat(prose, 5) + "</p></div></body>", has: []string{"Agamemnon"}},
		{name: "comments of readers are left out", in: "<body><article><p>" + strings.Repeat(prose, 4) + "</p></article><div id='comments'><p>First! I have read this and I must say that I do not agree, at all.</p></div></body>", hasNot: []string{"First!"}},
		{name: "a menu without a name within the text", in: "<body><article><p>" + strings.Repeat(prose, 4) + "</p><div><a href=1>Ten ways to lay a cable</a> <a href=2>Whales and what they eat</a></div><p>" + prose + "</p></article></body>", hasNot: []string{"Whales"}},
		{name: "prose beside what says it is the text", in: "<body><main><p>" + strings.Repeat(prose, 6) + "</p></main><div><p>Our paper was founded in 1851, and it is read by more people than any other, they say.</p></div></body>", hasNot: []string{"founded"}},
		{name: "entities", in: "<p>caf&eacute; &amp; &lt;b&gt; &#8220;x&#x201D; &hellip; a&shy;b</p>", text: "café & <b> “x” … ab"},
		{name: "hidden text", in: "<body><p>Seen.</p><p hidden>A</p><div style='display: none'>B</div><span aria-hidden=true>C</span><template>D</template><noscript>E</noscript><!-- F --></body>", text: "Seen."},
		{name: "paragraphs that are not closed", in: "<body><p>One.<p>Two.<ul><li>a<li>b</ul><dl><dt>t<dd>d</dl>Tail", text: "One.\n\nTwo.\n\n- a\n- b\n\nt\n\nd\n\nTail"},
		{name: "tags that are closed wrongly", in: "<div><b><p>One</b> two</p></div></div></span>three<p>four", text: "One two\n\nthree\n\nfour"},
		{name: "line breaks", in: "<p>Roses<br>are<br/>red</p><br><br>", text: "Roses\nare\nred"},
		{name: "numbers of notes are left out", in: "<body><p>It was laid in 1858.<sup class=reference><a href=#1>[1]</a></sup> Then it failed.<span class='mw-editsection'>[edit]</span></p></body>", text: "It was laid in 1858. Then it failed."},
		{name: "superscripts stay", in: "<p>The 16<sup>th</sup> of August, 10 m<sup>2</sup></p>", text: "The 16th of August, 10 m2"},
		{name: "raised numbers of notes stand in brackets", in: `<p>It failed.<sup>12</sup> The cable<sup>3,4</sup> of 1858<sup>5</sup>, and<sup>1</sup><sup>,</sup><sup>2</sup> the ship<span style="vertical-align: super">6</span> went <sup>7</sup>.</p><table><tr><th>Ships<sup>*</sup></th></tr></table><p><sup>1</sup> See the log.<br><sup>2</sup>Another note.</p>`,
			text: "It failed.[12] The cable[3,4] of 1858[5], and[1,2] the ship[6] went [7].\n\nShips[*]\n\n[1] See the log.\n[2] Another note."},
		{name: "raised by a style sheet", in: `<html><head><style>@media print { .x { color: red } } /* notes */ span.n, p > .q, .fn { font-size: 60%; Vertical-Align : super } .m{vertical-align:baseline}</style></head><body><p>The cable<span class="a n">1</span> of the ship<b class=fn>2</b>, 10<i class=n>6</i>, word<i class=q>4</i>, word<i class=m>5</i>.</p></body></html>`,
			text: "The cable[1] of the ship[2], 10^6, word4, word5."},
		{name: "heads of a document that was saved as a page", in: `<html><body><div title="header"><p>Annual report</p></div><h1>The Cable</h1><p>` + strings.Repeat(prose, 3) + `</p><div title="footer"><p>Page 1</p></div></body></html>`, hasNot: []string{"Annual", "Page 1"}},
		{name: "raised links to notes", in: `<p>The cable<sup><a href="#fn1">1</a></sup>, the ship<a href="p.html#fn2"><sup>2</sup></a>, CO<sup><a href="#a">a</a></sup> and x<a href="#r"><sup>iv</sup></a>; 5 <a href="#t">m<sup>2</sup></a>, the <a href="#t">5<sup>th</sup></a>, <a href="#t">1858</a>.</p>`,
			text: "The cable[1], the ship[2], CO[a] and x[iv]; 5 m2, the 5th, 1858."},
		{name: "powers and units stay, and a power is no digit of its number", in: "<p>10 m<sup>2</sup>, 10<sup>6</sup>, 10<sup>-3</sup>, 10<sup>−3</sup>, 2<sup>1</sup>/<sub>2</sub>, CO<sub>2</sub>, Ca<sup>2+</sup>, <sup>14</sup>C, E = mc<sup>2</sup>, per second<sup>2</sup>, (a + b)<sup>2</sup>, $19<sup>99</sup>, € 5<sup>00</sup></p><p><sup>14</sup>C decays.</p>",
			text: "10 m2, 10^6, 10^-3, 10^−3, 2 1/2, CO2, Ca2+, 14C, E = mc2, per second2, (a + b)2, $19.99, € 5.00\n\n14C decays."},
		{name: "the number of a note is no part of the title", in: "<html><h1>The Cable<sup>1</sup></h1><p>" + prose + "</p></html>", outline: "1:The Cable[1]", ref: `{"title":"The Cable","type":"webpage"}`},
		{name: "pictures by their description", in: "<p>See <img src=x alt='a map of the route'>.</p><img src=y alt=''>", has: []string{"See a map of the route"}},
		{name: "Latin-1 that says so", in: "<html><head><meta charset=\"iso-8859-1\"></head><body><p>Caf\xe9 m\xfcde</p></body></html>", text: "Café müde"},
		{name: "a form around the page", in: "<body><form><div><p>" + strings.Repeat(prose, 4) + "</p></div><select><option>no</option></select><button>Go</button></form></body>", hasNot: []string{"no\n", "Go"}, has: []string{"Agamemnon"}},
		{name: "XHTML", in: "<?xml version=\"1.0\"?>\n<!DOCTYPE html PUBLIC \"x\">\n<html xmlns=\"http://www.w3.org/1999/xhtml\"><body><p>Text<br/>here.</p></body></html>", media: ingest.HTML, text: "Text\nhere."},
		{name: "a piece of HTML by its name", file: "a.html", in: "Just some <b>bold</b> words.", media: ingest.HTML, text: "Just some bold words."},
		{name: "quotation marks of <q>", in: "<p>He said <q>stop</q>.</p>", text: "He said “stop”."},
		{name: "cells that span columns and rows", in: `<html><table><tr><th rowspan=2>Ship<th colspan=2>1858<th>1866<tr><th>Miles<th>Cost<th>Miles<tr><td rowspan="2">North<td>12<td>4<td>15<tr><td>13<td>5<td>16<tr><td colspan=4>All in miles</table>`,
			text: "Ship | 1858 |  | 1866\n| Miles | Cost | Miles\nNorth | 12 | 4 | 15\n| 13 | 5 | 16\nAll in miles"},
		{name: "numbers of lists", in: "<html><ol start=5><li>five<li>six<li value=9>nine<li>ten</ol><p>And</p><ol type=a><li>one<li>two</ol></html>", text: "5. five\n6. six\n9. nine\n10. ten\n\nAnd\n\na. one\nb. two"},
		{name: "numbers of lists that count down", in: "<html><ol reversed><li>three<li>two<ul><li>sub</ul><li>one</ol><p>And</p><ol reversed start=10><li>ten<li>nine<li value=4>four<li>three</ol><p>And</p><ol reversed type=a start=1><li>first<li>zero<li>below</ol></html>",
			text: "3. three\n2. two\n- sub\n1. one\n\nAnd\n\n10. ten\n9. nine\n4. four\n3. three\n\nAnd\n\na. first\n0. zero\n-1. below"},
		{name: "lists that begin with none", in: "<html><ol start=0><li>zero<li>one</ol><p>And</p><ol start=x><li>one</ol></html>", text: "0. zero\n1. one\n\nAnd\n\n1. one"},
		{name: "cells that span all rows", in: `<html><table><thead><tr><th rowspan=0>Ship<th>Miles<tr><th>by sea</thead><tbody><tr><td rowspan=0>North<td>12<tr><td>13<tr><td>14</tbody><tbody><tr><td>South<td>15</tbody></table>`,
			text: "Ship | Miles\n| by sea\nNorth | 12\n| 13\n| 14\nSouth | 15"},
		{name: "cells that span more rows than there are", in: `<html><table><tbody><tr><td rowspan=9>North<td>12<tr><td>13</tbody><tbody><tr><td>South<td>15</tbody></table>`, text: "North | 12\n| 13\nSouth | 15"},
		{name: "what was deleted", in: "<p>It cost <del>five</del> <ins>six</ins> pounds.</p>", text: "It cost six pounds."},
		{name: "who said it", in: "<html><body><article><p>" + strings.Repeat(prose, 4) + "</p><blockquote><p>We lost it.</p><footer>Captain Hudson</footer></blockquote></article></body></html>", has: []string{"We lost it.\n\nCaptain Hudson"}},
		{name: "headings in odd places", in: "<div><h2>A <small>b</small></h2>text<h2></h2></div>", text: "A b\n\ntext", outline: "2:A b"},
	} {
		s.run(t)
	}
}

func TestHTMLReference(t *testing.T) {
	body := "<body><h1>Heading</h1><p>" + prose + "</p></body>"
	for _, s := range []scenario{
		{name: "citation tags come first", in: `<html><head><title>T</title><meta name="citation_title" content="On Cables"><meta name="citation_author" content="Field, Cyrus W."><meta name="citation_author" content="Thomson, William">
<meta name="citation_publication_date" content="1858/08/16"><meta name="citation_journal_title" content="Proc. R. Soc."><meta name="citation_volume" content="8"><meta name="citation_issue" content="2"><meta name="citation_firstpage" content="546"><meta name="citation_lastpage" content="550"><meta name="citation_doi" content="doi:10.1098/rspl.1858.0140">
<meta name="DC.title" content="DC title"><meta name="DC.publisher" content="Royal Society"><meta property="og:title" content="OG title">
<script type="application/ld+json">{"@type":"Article","headline":"LD title","inLanguage":"en"}</script></head>` + body,
			ref: `{"DOI":"10.1098/rspl.1858.0140","author":[{"family":"Field","given":"Cyrus W."},{"family":"Thomson","given":"William"}],"container-title":"Proc. R. Soc.","issue":"2","issued":{"date-parts":[[1858,8,16]]},"language":"en","page":"546–550","publisher":"Royal Society","title":"On Cables","type":"article-journal","volume":"8"}`},
		{name: "JSON-LD before Dublin Core before OpenGraph", in: `<html><head><script type="application/ld+json">{"@context":"https://schema.org","@graph":[{"@type":"WebSite","name":"Wire"},{"@type":"NewsArticle","headline":"LD title","author":[{"@type":"Person","name":"Jane van der Berg"},{"@type":"Organization","name":"Wire Staff"}],"datePublished":"2021-03-04T10:00:00Z","publisher":{"@type":"Organization","name":"Wire Ltd"}}]}</script>
<meta name="dc.title" content="DC title"><meta name="dc.creator" content="DC Creator"><meta name="dc.language" content="de"><meta property="og:title" content="OG title"><meta property="og:site_name" content="The Wire"><meta property="og:url" content="https://wire.test/a"></head>` + body,
			ref: `{"URL":"https://wire.test/a","author":[{"family":"Berg","given":"Jane","non-dropping-particle":"van der"},{"literal":"Wire Staff"}],"container-title":"The Wire","issued":{"date-parts":[[2021,3,4]]},"language":"de","publisher":"Wire Ltd","title":"LD title","type":"article-newspaper"}`},
		{name: "Dublin Core", in: `<html><head><meta name="DCTERMS.title" content="DC title"><meta name="DC.creator" content="Doe, Jane"><meta name="DC.date" content="2019-05"></head>` + body,
			ref: `{"author":[{"family":"Doe","given":"Jane"}],"issued":{"date-parts":[[2019,5]]},"title":"DC title","type":"webpage"}`},
		{name: "OpenGraph", in: `<html><head><meta property="og:title" content="OG title"><meta property="article:published_time" content="2020-01-02T03:04:05+00:00"><meta property="article:author" content="https://facebook.com/x"><meta name="author" content="By Jane Doe"></head>` + body,
			ref: `{"author":[{"family":"Doe","given":"Jane"}],"issued":{"date-parts":[[2020,1,2]]},"title":"OG title","type":"webpage"}`},
		{name: "the title without the site's name", in: `<html><head><title>Heading | The Wire</title><link rel="canonical" href="https://wire.test/"></head>` + body,
			ref: `{"URL":"https://wire.test/","title":"Heading","type":"webpage"}`},
		{name: "the time of the page", in: `<html><head><title>T</title></head><body><time datetime="2018-07-06">July</time><p>` + prose + `</p></body></html>`,
			ref: `{"issued":{"date-parts":[[2018,7,6]]},"title":"T","type":"webpage"}`},
		{name: "Dublin Core with colons", in: `<html><head><meta property="dc:title" content="DC title"><meta property="dcterms:creator" content="Doe, Jane"><meta property="dc:date" content="2019-02-31"></head>` + body,
			ref: `{"author":[{"family":"Doe","given":"Jane"}],"issued":{"date-parts":[[2019,2]]},"title":"DC title","type":"webpage"}`},
		{name: "JSON-LD in a comment, with entities and a list of identifiers", in: `<html><head><script type="application/ld+json"><!-- {"@type":"ScholarlyArticle","headline":"Tom &amp; Jerry&#39;s","author":{"@type":"Person","name":"Jane O&#39;Neil"},"datePublished":"1583280000","identifier":[{"@type":"PropertyValue","propertyID":"pmid","value":"123"},{"@type":"PropertyValue","name":"DOI","value":"10.1000/182"}]} --></script></head>` + body,
			ref: `{"DOI":"10.1000/182","author":[{"family":"O'Neil","given":"Jane"}],"title":"Tom \u0026 Jerry's","type":"article-journal"}`},
		{name: "JSON-LD in CDATA", in: "<html><head><script type=\"application/ld+json\">\n//<![CDATA[\n[{\"@type\":\"Article\",\"headline\":\"LD title\",\"keywords\":[[\"a\"]]}]\n//]]>\n</script></head>" + body,
			ref: `{"title":"LD title","type":"webpage"}`},
		{name: "broken JSON-LD is nothing", in: `<html><head><title>T</title><script type="application/ld+json">{"@type":"Article",</script></head>` + body, ref: `{"title":"T","type":"webpage"}`},
		{name: "a journal in JSON-LD", in: `<html><head><script type="application/ld+json">[{"@type":["ScholarlyArticle"],"name":"N","author":"A. Smith","isPartOf":{"@type":"PublicationIssue","issueNumber":3,"isPartOf":{"@type":["PublicationVolume","Periodical"],"name":"J","volumeNumber":"7"}},"pageStart":"1","pageEnd":"9","sameAs":"https://doi.org/10.1000/182"}]</script></head>` + body,
			ref: `{"DOI":"10.1000/182","author":[{"family":"Smith","given":"A."}],"container-title":"J","issue":"3","page":"1–9","title":"N","type":"article-journal","volume":"7"}`},
		{name: "an issue and a journal side by side in JSON-LD", in: `<html><head><script type="application/ld+json">{"@type":"https://schema.org/ScholarlyArticle","headline":"N","creator":[{"familyName":"Smith","givenName":"Ada"}],"isPartOf":[{"@type":"PublicationIssue","issueNumber":"3","name":"Spring"},{"@type":"Periodical","name":"J","issn":["1234-5679"],"volumeNumber":7}]}</script></head>` + body,
			ref: `{"ISSN":"1234-5679","author":[{"family":"Smith","given":"Ada"}],"container-title":"J","issue":"3","title":"N","type":"article-journal","volume":"7"}`},
		{name: "what a page is about", in: `<html><head><script type="application/ld+json">{"@type":"WebPage","name":"The page","mainEntity":{"@type":"Book","name":{"@value":"The Cable"},"isbn":9783161484100,"author":"Jane Doe"}}</script></head>` + body,
			ref: `{"ISBN":"9783161484100","author":[{"family":"Doe","given":"Jane"}],"title":"The Cable","type":"book"}`},
		{name: "the site's name in front", in: `<html><head><title>The Wire: News – Heading</title></head>` + body, ref: `{"title":"Heading","type":"webpage"}`},
		{name: "the site's name behind, as it calls itself", in: `<html><head><title>The cable – and after · the wire</title><meta property="og:site_name" content="The Wire"></head>` + body, ref: `{"container-title":"The Wire","title":"The cable – and after","type":"webpage"}`},
		{name: "an encyclopaedia's name", in: `<html><head><title>Cable - Wikipedia</title></head>` + body, ref: `{"title":"Cable","type":"webpage"}`},
		{name: "a dash of the title's own", in: `<html><head><title>Cables – a history</title></head>` + body, ref: `{"title":"Cables – a history","type":"webpage"}`},
		{name: "an item property", in: `<html><head><title>T</title><meta itemprop="datePublished" content="2020-05-06"></head>` + body, ref: `{"issued":{"date-parts":[[2020,5,6]]},"title":"T","type":"webpage"}`},
	} {
		s.run(t)
	}
}

// What kind of work a page is, by what publishers say of it and by the types of JSON-LD.
func TestHTMLKinds(t *testing.T) {
	meta := func(name string) string { return `<meta name="` + name + `" content="10.1000/182">` }
	ld := func(kind string) string {
		return `<script type="application/ld+json">{"@type":["Thing","` + kind + `"],"headline":"T"}</script>`
	}
	for head, want := range map[string]string{
		meta("citation_journal_title") + meta("citation_conference_title"): "article-journal", meta("citation_conference_title") + ld("Book"): "paper-conference",
		meta("citation_dissertation_institution"): "thesis", meta("citation_technical_report_institution"): "report", meta("citation_inbook_title"): "chapter",
		meta("citation_isbn"): "book", meta("book:isbn"): "book", `<meta property="og:type" content="book">`: "book", meta("citation_doi"): "article-journal", meta("prism.doi") + ld("Dataset"): "dataset",
		ld("MedicalScholarlyArticle"): "article-journal", ld("OpinionNewsArticle"): "article-newspaper", ld("TechArticle"): "webpage", ld("BlogPosting"): "post-weblog", ld("Report"): "report", ld("Book"): "book",
		ld("Chapter"): "chapter", ld("Thesis"): "thesis", ld("Dataset"): "dataset", ld("FAQPage"): "webpage", ld("WebPage") + ld("BlogPosting") + ld("WebPage"): "post-weblog", ld("Recipe"): "webpage", "": "webpage",
	} {
		if got := mustRead(t, []byte("<html><head><title>T</title>"+head+"</head><body><p>"+prose+"</p></body></html>"), ingest.Hint{}).Reference.Type; got != want {
			t.Errorf("%s is a %s, want %s", head, got, want)
		}
	}
}

func TestAddressBecomesURL(t *testing.T) {
	for uri, want := range map[string]string{"https://example.org/a": "https://example.org/a", "file:///home/me/a.html": ""} {
		res, err := ingest.Read(context.Background(), []byte("<p>Text.</p>"), ingest.Hint{URI: uri})
		if err != nil || res.Reference.URL() != want {
			t.Errorf("%s: %q, %v", uri, res.Reference.URL(), err)
		}
	}
}

// Words that stand where a page may have none, or deeper than anyone counts, are read all the same: in order, once, and apart.
func TestHTMLWordsOutOfPlace(t *testing.T) {
	for _, in := range []string{
		"<ul>aa<li>bb</li>cc <b>dd</b></ul>", "<ol>aa<p>bb</p><li>cc<ul>dd<li>ee</li></ul></li></ol>", "<table>aa<tr>bb<td>cc</td>dd</tr>ee</table>", "<table><tr><th>aa</th></tr><tr>bb</tr></table>",
		"<table><tr><form><td>aa</td><td>bb</td></form></tr></table>", "<table><tr><p>aa</p><td>bb</td></tr></table>", "<dl>aa<dt>bb</dt>cc<dd>dd</dd></dl>", "<fieldset>aa<legend>bb</legend>cc</fieldset>",
		"<pre>aa<div>bb</div>cc</pre>", "<h2>aa<p>bb</p>cc</h2>", "<p>aa<p>bb<div>cc</p>dd</div>", "<li>aa<li>bb", strings.Repeat("<ul><li>", 1000) + "aa", strings.Repeat("<table><tr><td>", 1000) + "aa",
		strings.Repeat("<blockquote>", 1000) + "aa",
	} {
		want := regexp.MustCompile(`[a-z]+`).FindAllString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(in, " "), -1)
		got := regexp.MustCompile(`[a-z]+`).FindAllString(mustRead(t, []byte("<html><body><p>start</p>"+in), ingest.Hint{}).Text, -1)
		if !slices.Equal(got, append([]string{"start"}, want...)) {
			t.Errorf("%.80s: %q, want %q", in, got, want)
		}
	}
}
