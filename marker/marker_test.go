package marker_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/marker"
)

var five = marker.Config{Passages: 5, Sources: []marker.KnownSource{
	{Rank: 1, URL: "https://example.org/cable", Title: "The Cable of 1858"},
	{Rank: 2, URL: "https://example.org/letters?utm_source=x", Title: "Letters of C. W. Field"},
	{Rank: 3, Title: "report.pdf"},
}}

// The seed's own test.
func TestSourceAttribution(t *testing.T) {
	out := marker.Parse("{{rag:Java records are immutable[CTX 1]}} {{llm:similar to Kotlin data classes}}", marker.Config{Passages: 1})
	if len(out.Marks) != 2 {
		t.Fatalf("got %d segments, want 2: %+v", len(out.Marks), out.Marks)
	}
	if out.Marks[0].Origin != ibid.RAG || out.Marks[1].Origin != ibid.LLM {
		t.Errorf("origins %s and %s, want RAG and LLM", out.Marks[0].Origin, out.Marks[1].Origin)
	}
	if !reflect.DeepEqual(out.Marks[0].Refs, []int{1}) {
		t.Errorf("refs %v, want [1]", out.Marks[0].Refs)
	}
	if got := out.Marks[0].At.In(out.Text); got != "Java records are immutable" {
		t.Errorf("first segment %q", got)
	}
}

// show writes marks as the words they are for: `RAG "a b" 1,2 !7`.
func show(out marker.Output) string {
	var parts []string
	for _, m := range out.Marks {
		s := fmt.Sprintf("%q", m.At.In(out.Text))
		if m.At.Empty() {
			s = fmt.Sprintf("@%d", m.At.Start)
		}
		if m.Origin != "" {
			s = string(m.Origin) + " " + s
		}
		if len(m.Refs) > 0 {
			s += strings.ReplaceAll(fmt.Sprint(m.Refs), " ", ",")
		}
		if len(m.Dangling) > 0 {
			s += "!" + strings.ReplaceAll(fmt.Sprint(m.Dangling), " ", ",")
		}
		if m.Late {
			s += " late"
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, " ")
}

var cases = []struct{ name, raw, clean, marks string }{
	{"plain text", "No marks here.", "No marks here.", ``},
	{"empty", "", "", ``},
	{"three origins", "{{rag:a}} {{llm:b}} {{hybrid:c}}", "a b c", `RAG "a" LLM "b" HYBRID "c"`},
	{"case and space of the name", "{{ RAG : a }} b", "a b", `RAG "a"`},
	{"reference behind the marker", "{{rag:a}}[CTX 2] b", "a b", `RAG "a" "a"[2]`},
	{"reference behind the marker, after a space", "{{rag:a}} [CTX 2].", "a.", `RAG "a" "a"[2]`},
	{"reference behind two markers belongs to the second", "{{rag:One is so.}} {{llm:Two is so}} [CTX 2] or not [CTX 3].", "One is so. Two is so or not.", `RAG "One is so." LLM "Two is so" "Two is so"[2] "or not"[3]`},
	{"balanced braces", "{{rag:struct{}}} x", "struct{} x", `RAG "struct{}"`},
	{"braces and more", "{{rag:map[string]struct{}{}}}!", "map[string]struct{}{}!", `RAG "map[string]struct{}{}"`},
	{"a lone closing brace", "{{rag:a } b}}", "a } b", `RAG "a } b"`},
	{"an opening brace too many leaves it unclosed", "{{rag:a { b}} c", "{{rag:a { b}} c", ``},
	{"newline inside", "{{rag:a\nb}}", "a\nb", `RAG "a\nb"`},
	{"blank line leaves it unclosed", "{{rag:a\n\nb}}", "{{rag:a\n\nb}}", ``},
	{"blank line of spaces too", "{{rag:a\n \t\nb}}", "{{rag:a\n \t\nb}}", ``},
	{"unclosed marker is plain text", "{{rag:a", "{{rag:a", ``},
	{"half of one is plain text", "a {{ra", "a {{ra", ``},
	{"unknown marker is plain text", "{{web:a}} {{ b }}", "{{web:a}} {{ b }}", ``},
	{"longer than 4 KB", "{{rag:" + strings.Repeat("a ", 2100) + "}}", "{{rag:" + strings.Repeat("a ", 2100) + "}}", ``},
	{"inner marker wins for its span", "{{rag:a {{llm:b}} c}}", "a b c", `RAG "a" LLM "b" RAG "c"`},
	{"closed inside unclosed", "{{rag:a {{llm:b}} c", "{{rag:a b c", `LLM "b"`},
	{"empty marker", "a {{rag:}} b", "a b", ``},
	{"nothing but a reference in it", "a {{rag:[CTX 1]}} b", "a b", `"a"[1]`},
	{"sentences of a marker have their own references", "{{rag:A is b[CTX 1]. C is d[CTX 2].}}", "A is b. C is d.", `RAG "A is b."[1] RAG "C is d."[2]`},
	{"reference at the end is meant for all of it", "{{rag:A is b. C is d. [CTX 2]}}", "A is b. C is d.", `RAG "A is b. C is d."[2]`},
	{"inline code is text", "use `{{rag:a}}` and `[CTX 1]` [CTX 2]", "use `{{rag:a}}` and `[CTX 1]`", "\"use `{{rag:a}}` and `[CTX 1]`\"[2]"},
	{"code inside a marker", "{{rag:use `}}` here}}", "use `}}` here", "RAG \"use `}}` here\""},
	{"unclosed backtick is text", "it`s so [1]", "it`s so", "\"it`s so\"[1]"},
	{"fenced code is text", "a\n```go\nx[1] {{rag:b}}\n```\nc [1]", "a\n```go\nx[1] {{rag:b}}\n```\nc", `"c"[1]`},
	{"fence that is never closed", "```\n[CTX 1]", "```\n[CTX 1]", ``},
	{"fence in a list", "- a\n  ~~~\n  [CTX 1]\n  ~~~\n- b [CTX 1]", "- a\n  ~~~\n  [CTX 1]\n  ~~~\n- b", `"- b"[1]`},
	{"single reference belongs to the sentence before", "One is so. Two is so [CTX 1]. Three.", "One is so. Two is so. Three.", `"Two is so"[1]`},
	{"behind the full stop too", "One is so. Two is so. [CTX 1] Three.", "One is so. Two is so. Three.", `"Two is so."[1]`},
	{"two in one sentence", "A is b [1] and c is d [2].", "A is b and c is d.", `"A is b"[1] "and c is d"[2]`},
	{"several numbers", "A [CTX 1, 3].", "A.", `"A"[1,3]`},
	{"several words", "A [CTX 1, CTX 3; CTX 2].", "A.", `"A"[1,3,2]`},
	{"ranges", "A [CTX 1-3] b [2–4].", "A b.", `"A"[1,2,3] "b"[2,3,4]`},
	{"dangling", "A [CTX 7] b [9].", "A b.", `"A"![7] "b"![9]`},
	{"partly dangling", "A [1, 7].", "A.", `"A"[1]![7]`},
	{"row of references", "A[1][2] [3].", "A.", `"A"[1,2,3]`},
	{"years and intervals are text", "In [1858] and [0, 1] and the range [1, 5].", "In [1858] and [0, 1] and the range [1, 5].", ``},
	{"indexing is text", "a[1] and data_rows[2] and f(x)[1] and userIds[3] and x[1][2]", "a[1] and data_rows[2] and f(x)[1] and userIds[3] and x[1][2]", ``},
	{"behind a word is a reference", "It is immutable[1]. In 1858[2].", "It is immutable. In 1858.", `"It is immutable"[1] "In 1858"[2]`},
	{"lenticular", "A【1】 b【2†source】 c【4:0†report.pdf】.", "A b c.", `"A"[1] "b"[2] "c"[3]`},
	{"lenticular heading is text", "【注意】 a 【2023】", "【注意】 a 【2023】", ``},
	{"superscripts", "It failed.¹ ² Then it was mended.³", "It failed. Then it was mended.", `"It failed."[1,2] "Then it was mended."[3]`},
	{"superscripts in a row", "It failed¹² and rose¹,³.", "It failed and rose.", `"It failed"[1,2] "and rose"[1,3]`},
	{"powers are text", "5 m² and 10⁵ and x³ and (a+b)² and ¹⁴C and km⁻¹", "5 m² and 10⁵ and x³ and (a+b)² and ¹⁴C and km⁻¹", ``},
	{"html superscripts", "It failed<sup>1</sup> and rose<sup>[2, 3]</sup>; x<sup>2</sup>.", "It failed and rose; x<sup>2</sup>.", `"It failed"[1] "and rose"[2,3]`},
	{"in words", "Aa (Source 2). Bb (Sources 1 and 3). Cc (see Passage 4). Dd (Source: The Cable of 1858).", "Aa. Bb. Cc. Dd.", `"Aa"[2] "Bb"[1,3] "Cc"[4] "Dd"[1]`},
	{"with a page", "A (Source 2, p. 14).", "A.", `"A"[2]`},
	{"words in parentheses are text", "A (source of the Nile) and (Source: unknown) and (see below).", "A (source of the Nile) and (Source: unknown) and (see below).", ``},
	{"link to a known source", "See [the cable](https://www.example.org/cable/) and [more](https://x.test/[1]).", "See the cable and [more](https://x.test/[1]).", `"See the cable"[1]`},
	{"links in brackets behind a sentence", "Aa is so. ([x.org](https://example.org/cable?utm_source=openai)) Bb is so ([y](https://example.org/letters#p2); [x](http://www.example.org:80/cable/index.html?fbclid=1)). Cc.", "Aa is so. Bb is so. Cc.", `"Aa is so."[1] "Bb is so"[2,1]`},
	{"links in brackets with words, or to elsewhere", "Aa (see [x](https://example.org/cable)) bb ([y](https://unknown.test)) cc ([x](https://example.org/cable) too) dd (", "Aa (see x) bb ([y](https://unknown.test)) cc (x too) dd (", `"Aa (see x"[1] "bb ([y](https://unknown.test)) cc (x"[1]`},
	{"numbered link", "Aa [1](https://example.org/letters). Bb [2](https://unknown.test).", "Aa. Bb.", `"Aa"[2] "Bb"[2]`},
	{"footnote defined later", "A is so.[^n] B is so.\n\n[^n]: See https://example.org/letters", "A is so. B is so.\n\n[^n]: See https://example.org/letters", `"A is so."[2] late`},
	{"footnote never defined", "A is so.[^3] B[^9].", "A is so. B.", `"A is so."[3] late "B"![9] late`},
	{"footnote defined by a marker", "A.[^1]\n\n[^1]: [CTX 4]", "A.\n\n[^1]: [CTX 4]", `"A."[4] late`},
	{"list of references is text", "A [1]. B [2].\n\n[1] The Cable of 1858\n[2] Cable News", "A. B.\n\n[1] The Cable of 1858\n[2] Cable News", `"A"[1] "B"[2]`},
	{"numbers of the answer's own list", "A [7].\n\n[7]: https://example.org/cable", "A.\n\n[7]: https://example.org/cable", `"A"![7] "A"[1] late`},
	{"reference that leads its line", "[CTX 2] A is so.\n- [CTX 1] B", "A is so.\n- B", `@0[2] @11[1]`},
	{"reference behind a gap that did not wait for it", "Aa so. Bb so." + strings.Repeat(" ", 1024) + "[CTX 1] C", "Aa so. Bb so." + strings.Repeat(" ", 1025) + "C", `@1038[1]`},
	{"reference on a line of its own", "A is so.\n[CTX 2]\nB", "A is so.\n\nB", `"A is so."[2]`},
	{"list items", "- a b [1]\n- c d [2]\n", "- a b\n- c d\n", `"- a b"[1] "- c d"[2]`},
	{"table row", "| a | b [1] |\n", "| a | b |\n", `"| a | b"[1]`},
	{"space stays where words follow", "a [1]b", "a b", `"a"[1]`},
	{"abbreviations do not end the run", "The U.S. Army, e.g. in Ohio [1], said.", "The U.S. Army, e.g. in Ohio, said.", `"The U.S. Army, e.g. in Ohio"[1]`},
	{"numbers in a quotation that do not exist are its own", `He wrote "it failed [34] twice" [1].`, `He wrote "it failed [34] twice".`, `"He wrote \"it failed [34] twice\""[1]`},
	{"doubled and caret forms", "Aa [[1]]. Bb [^2^]. Cc [[3]](https://example.org/cable). [[x]]", "Aa. Bb. Cc. [[x]]", `"Aa"[1] "Bb"[2] "Cc"[1]`},
	{"with a page, bare", "Aa [1, p. 3; 2].", "Aa [1, p. 3; 2].", ``},
	{"with a page, bare and last", "Aa [2, pp. 3-4].", "Aa.", `"Aa"[2]`},
	{"raised number without a passage", "It grew⁸ fast.⁹ And 5 sec².", "It grew⁸ fast. And 5 sec².", `"It grew⁸ fast."![9]`},
	{"at the end of a quotation it is the writer's", `They said "it failed.[34]" Then (e.g[1]. this).`, `They said "it failed." Then (e.g. this).`, `"They said \"it failed."![34] "Then (e.g"[1]`},
	{"escaped", `a \[1] b`, `a \[1] b`, ``},
	{"invisible and right-to-left", "א\u200fב [1]\u200b.", "א\u200fב \u200b.", `"א\u200fב"[1]`},
	{"reference that is a word", "According to [CTX 1], it failed.", "According to the source, it failed.", `"According to the source"[1]`},
	{"words for a number", "As described in [2], it failed [3].", "As described in the source, it failed.", `"As described in the source"[2] "it failed"[3]`},
	{"several that are a word", "According to [CTX 1], [CTX 2] and [3], it failed.", "According to the sources, it failed.", `"According to the sources"[1,2,3]`},
	{"a row that is a word", "Based on [CTX 1][CTX 2], it failed.", "Based on the sources, it failed.", `"Based on the sources"[1,2]`},
	{"word at the end", "It failed, as reported by [CTX 1]. It rose (see [2]).", "It failed, as reported by the source. It rose (see another source).", `"It failed, as reported by the source"[1] "It rose (see another source"[2]`},
	{"subject", "[CTX 1] states that it failed. [2] does not.", "The source states that it failed. Another source does not.", `"The source"[1] "Another source"[2]`},
	{"subject of a line", "[1] also says so.\n- [2] notes this.", "The source also says so.\n- The source notes this.", `"The source"[1] "- The source"[2]`},
	{"subjects", "Both [CTX 1] and [CTX 2] say so.", "Both the sources say so.", `"Both the sources"[1,2]`},
	{"one says, another denies", "While [CTX 1] says so, [CTX 2] denies it.", "While the source says so, another source denies it.", `"While the source"[1] "says so, another source"[2]`},
	{"the same again", "[CTX 1] says so. [CTX 1] also says when.\n\nSo.\n\n[CTX 2] does not.", "The source says so. The source also says when.\n\nSo.\n\nThe source does not.", `"The source"[1] "The source"[1] "The source"[2]`},
	{"its possession", "According to [1]'s figures, it failed.", "According to the source's figures, it failed.", `"According to the source"[1]`},
	{"word without a passage", "According to [CTX 9], it failed.", "According to a source, it failed.", `"According to a source"![9]`},
	{"word in a marker", "{{rag:According to [CTX 1], it failed.}} {{rag:[CTX 2] says so.}}", "According to the source, it failed. Another source says so.", `RAG "According to the source, it failed."[1] RAG "Another source says so."[2]`},
	{"word in German", "Laut [CTX 1] riss es. Laut [1] und [2].", "Laut der Quelle riss es. Laut den Quellen.", `"Laut der Quelle"[1] "Laut den Quellen"[1,2]`},
	{"word that is more than a preposition", "Nach [1] riss es, nach [2] nicht. Sie denkt nach [3]. Il secondo [3] no.", "Nach der Quelle riss es, nach der Quelle nicht. Sie denkt nach. Il secondo no.", `"Nach der Quelle"[1] "riss es, nach der Quelle"[2] "Sie denkt nach"[3] "Il secondo"[3]`},
	{"word in French", "D’après [1] et [2], il a cassé. C'est faux, d'après [3].", "D’après les sources, il a cassé. C'est faux, d'après la source.", `"D’après les sources"[1,2] "C'est faux, d'après la source"[3]`},
	{"word in Italian and Portuguese", "Secondo [1] si ruppe. Segundo [1] e [2], partiu-se.", "Secondo la fonte si ruppe. Segundo as fontes, partiu-se.", `"Secondo la fonte"[1] "Segundo as fontes"[1,2]`},
	{"behind a preposition that ends its clause", "What it was made of [1]. The ship it came in [2]. As you can see [3], it is.", "What it was made of. The ship it came in. As you can see, it is.", `"What it was made of"[1] "The ship it came in"[2] "As you can see"[3]`},
	{"behind a noun before a verb", "The report [1] states that it failed. It failed. [2] State law holds.", "The report states that it failed. It failed. State law holds.", `"The report"[1] "It failed."[2]`},
	{"a list of references leaves no commas", "The cable failed [1], [2]. It rained [CTX 1]; [CTX 2], and [3].", "The cable failed. It rained.", `"The cable failed"[1,2] "It rained"[1,2,3]`},
	{"a list in other forms", "It failed¹, ². It rose (Source 1), (Source 2). It fell【1】/【2】. It sank<sup>1</sup>, <sup>2</sup>.", "It failed. It rose. It fell. It sank.", `"It failed"[1,2] "It rose"[1,2] "It fell"[1,2] "It sank"[1,2]`},
	{"a list in a marker", "{{rag:It failed [CTX 1], [CTX 2]. It rose [CTX 3] and [CTX 9].}}", "It failed. It rose.", `RAG "It failed."[1,2] RAG "It rose."[3]![9]`},
	{"a list of footnotes", "It failed [^1], [^2].", "It failed.", `"It failed"[1] late "It failed"[2] late`},
	{"a list that ends", "It failed [1], [2], and it rained [3], too.", "It failed, and it rained, too.", `"It failed"[1,2] "and it rained"[3]`},
	{"what is no list", "It failed [1], and [2] says so. It rose [1], (Source: unknown).", "It failed, and the source says so. It rose, (Source: unknown).", `"It failed"[1] "and the source"[2] "It rose"[1]`},
	{"a list within a quotation", `"It failed [1], [34] twice" he said.`, `"It failed, [34] twice" he said.`, `"\"It failed"[1]`},
	{"sources with their numbers", "Sources [1] and [2] agree.", "Sources agree.", `"Sources"[1,2]`},
	{"references in round brackets", "It failed ([1]). It rose ([CTX 1]; [CTX 2]). It fell. ([3]) So.\n([3]) So.", "It failed. It rose. It fell. So.\nSo.", `"It failed"[1] "It rose"[1,2] "It fell."[3] @33[3]`},
	{"references in bold and italics", "It failed **[1]**. It rose.**[CTX 2]** It fell _[1], [3]_ and sank ***[^2]***, too **¹**. It failed**[1]**, **[2]** and *(Source 3)*.", "It failed. It rose. It fell and sank, too. It failed.", `"It failed"[1] "It rose."[2] "It fell"[1,3] "and sank, too"[1] "It failed"[1,2,3] "and sank"[2] late`},
	{"word in bold", "According to **[1]**, it failed.", "According to the source, it failed.", `"According to the source"[1]`},
	{"stress that is not the reference's", "**It failed [1]** so. It **failed**[1]. A **[1] b** c.", "**It failed** so. It **failed**. A ** b** c.", `"**It failed"[1] "It **failed**"[1] "A **"[1]`},
	{"signs that are no stress", "It is x_[1]_y. It failed ***** [1] *****.", "It is x_[1]_y. It failed ***** *****.", `"It failed *****"[1]`},
	{"an entry of a list in bold", "**[1]** Field, The Cable.\n*[2]* Letters.", "**[1]** Field, The Cable.\n*[2]* Letters.", ``},
	{"code that is called", "So f([1]) and sum([1, 2], x) and a_b([3]) hold.", "So f([1]) and sum([1, 2], x) and a_b([3]) hold.", ``},
	{"brackets without a space", "It failed([CTX 1]). It rose.([2]) 失败([3])。", "It failed. It rose. 失败。", `"It failed"[1] "It rose."[2] "失败"[3]`},
	{"in a quotation they are its own", `"It ([9]) failed" he said ([9]).`, `"It ([9]) failed" he said.`, `"\"It ([9]) failed\" he said"![9]`},
	{"word at the beginning", "In [1], it says so. From [CTX 2], it follows. By [1] and [2] it is.", "In the source, it says so. From another source, it follows. By the sources it is.", `"In the source"[1] "From another source"[2] "By the sources"[1,2]`},
	{"where it is found", "This is found in [1]. It was taken from [2]. It came in [3].", "This is found in the source. It was taken from another source. It came in.", `"This is found in the source"[1] "It was taken from another source"[2] "It came in"[3]`},
	{"word in Spanish and Dutch", "Según [1] y [2], no. Volgens [1] niet.", "Según las fuentes, no. Volgens de bron niet.", `"Según las fuentes"[1,2] "no. Volgens de bron"[1]`},
	{"numbers as they are written", "Aa [ 1 ] bb [1 & 2] cc [1/2] dd [1 to 3] ee [CTX: 1] ff [CTX#2] gg [ref. 3] hh [Sources 1 and 2].", "Aa bb cc dd ee ff gg hh.", `"Aa"[1] "bb"[1,2] "cc"[1,2] "dd"[1,2,3] "ee"[1] "ff"[2] "gg"[3] "hh"[1,2]`},
	{"no numbers of passages", "Aa [3-1] bb [1-1] cc [1-101] dd [1,, 2] ee [1000] ff [CTX] gg [1000000000] hh [CTX 1000000000] ii [1\n].", "Aa [3-1] bb [1-1] cc [1-101] dd [1,, 2] ee [1000] ff [CTX] gg [1000000000] hh [CTX 1000000000] ii [1\n].", ``},
	{"numbers that are large", "Aa [999] bb [CTX 1000] cc [CTX 999999999] dd [1-100].", "Aa bb cc dd.", "\"Aa\"![999] \"bb\"![1000] \"cc\"![999999999] \"dd\"[1,2,3,4,5]!" + numbered(6, 100)},
	{"named in brackets", "Aa (Source: report.pdf). Bb (document: https://example.org/cable). Cc (See Source 1 and source 2). Dd (see ). Ee (1).", "Aa. Bb. Cc. Dd (see ). Ee (1).", `"Aa"[3] "Bb"[1] "Cc"[1,2]`},
	{"lenticular with what is not known", "Aa【3:9†source】. Bb【4:x†report.pdf】. Cc【x:1†report.pdf】. Dd【1, 2】.", "Aa. Bb【4:x†report.pdf】. Cc【x:1†report.pdf】. Dd.", `"Aa"![9] "Dd"[1,2]`},
	{"superscripts that are none", "It grew⁰. It rose⁰¹ and¹²³⁴ and⁹ so.⁸", "It grew⁰. It rose⁰¹ and¹²³⁴ and⁹ so.", `"It rose⁰¹ and¹²³⁴ and⁹ so."![8]`},
	{"sup that is none", "The 5<sup>th</sup> or <sup>0</sup> or <sub>1</sub> or <sup>1", "The 5<sup>th</sup> or <sup>0</sup> or <sub>1</sub> or <sup>1", ``},
	{"links as they are written", "Aa [b](https://example.org/cable \"t\") cc [d](<http://www.example.org/cable#x>) ee [f](https://example.org/cable?b=1) ![g](https://example.org/cable)", "Aa b cc d ee [f](https://example.org/cable?b=1) ![g](https://example.org/cable)", `"Aa b"[1] "cc d"[1]`},
	{"a quotation in other signs", "“Aa [9] bb” cc [9]. «Dd [9] ee» ff. “Gg [9]” hh ” ii [9].", "“Aa [9] bb” cc. «Dd [9] ee» ff. “Gg” hh ” ii.", `"“Aa [9] bb” cc"![9] "“Gg"![9] "hh ” ii"![9]`},
	{"references alone in a marker within one", "{{rag:Aa [CTX 1] {{llm:[CTX 2]}} bb}} {{rag:{{llm:[9]}} cc}}", "Aa bb cc", `RAG "Aa"[1,2] RAG "bb" RAG "cc"![9]`},
	{"footnote defined before its use", "[^1]: [CTX 2]\n\nAa is so[^1].", "[^1]: [CTX 2]\n\nAa is so.", `"Aa is so"[2]`},
	{"footnotes defined in many ways", "Aa.[^a] Bb.[^b] Cc.[^c] Dd.[^d]\n\n[^a]: (Source 3)\n[^b]: 4\n[^c]: see <https://example.org/letters>.\n[^d]: in the cable of 1858, p. 3\n", "Aa. Bb. Cc. Dd.\n\n[^a]: (Source 3)\n[^b]: 4\n[^c]: see <https://example.org/letters>.\n[^d]: in the cable of 1858, p. 3\n", `"Aa."[3] late "Bb."[4] late "Cc."[2] late "Dd."[1] late`},
	{"footnotes that cannot be told", "Aa [^a-b_c.d] bb [^] cc [^d e].", "Aa bb [^] cc [^d e].", ``},
	{"entry of a list of references that has another number", "Aa [1].\n\n[1] Letters of C. W. Field\n", "Aa.\n\n[1] Letters of C. W. Field\n", `"Aa"[1] "Aa"[2] late`},
	{"code that a blank line ends", "`a\n\nb [1] `cc", "`a\n\nb `cc", "\"b\"[1]"},
	{"code in two backticks", "``a` [1]`` b [2]", "``a` [1]`` b", "\"``a` [1]`` b\"[2]"},
	{"code that a fence ends", "`a\n> ~~~\n[1]", "`a\n> ~~~\n[1]", ``},
	{"a fence in a quotation", "> ```\n> [1]\n> ```\n> b [1]", "> ```\n> [1]\n> ```\n> b", `"> b"[1]`},
	{"a fence that a longer one closes", "~~~ a\n[1]\n~~~~ \nb [1]", "~~~ a\n[1]\n~~~~ \nb", `"b"[1]`},
	{"a shorter one does not close it", "~~~~ a\n[1]\n~~~\nb [1]\n~~~~x\n", "~~~~ a\n[1]\n~~~\nb [1]\n~~~~x\n", ``},
	{"three backticks within a line", "```a`b [1]\n", "```a`b\n", "\"```a`b\"[1]"},
	{"white space of many kinds", "a [1]\u00a0b\tc\t[2]\r\nd  [3]  e [1] \n f", "a\u00a0b\tc\r\nd  e \n f", `"a"[1] "b\tc"[2] "d"[3] "e"[1]`},
	{"ideographic", "甲是乙。丙是丁[1]。", "甲是乙。丙是丁。", `"丙是丁"[1]`},
}

func numbered(from, to int) string {
	var all []string
	for n := from; n <= to; n++ {
		all = append(all, fmt.Sprint(n))
	}
	return "[" + strings.Join(all, ",") + "]"
}

func TestParse(t *testing.T) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			out := marker.Parse(c.raw, five)
			if out.Text != c.clean {
				t.Errorf("text\n got %q\nwant %q", out.Text, c.clean)
			} else if got := show(out); got != c.marks {
				t.Errorf("marks of %q\n got %s\nwant %s", c.raw, got, c.marks)
			}
		})
	}
}

// A source is known by the address of its reference, else by where it was read, and by its title; one without a passage is not.
func TestKnown(t *testing.T) {
	web := ibid.Passage{Rank: 1, Source: ibid.Source{URI: "https://example.org/read"}}
	web.Source.Reference.Set("title", "Cables")
	paper := ibid.Passage{Rank: 2, Source: ibid.Source{URI: "file:///paper.pdf"}}
	paper.Source.Reference.Set("URL", "https://example.org/paper")
	beyond := ibid.Passage{Rank: 3, Source: ibid.Source{URI: "https://example.org/beyond"}}
	c := marker.Config{Passages: 2, Sources: marker.Known([]ibid.Passage{web, paper, beyond, {Source: ibid.Source{URI: "https://example.org/none"}}})}
	for raw, want := range map[string]string{
		"Aa [b](https://example.org/read).":   `"Aa b"[1]`,
		"Aa [b](https://example.org/paper).":  `"Aa b"[2]`,
		"Aa (Source: cables).":                `"Aa"[1]`,
		"Aa [b](https://example.org/beyond).": ``,
		"Aa [b](https://example.org/none).":   ``,
		"Aa [b](file:///paper.pdf).":          ``,
	} {
		if got := show(marker.Parse(raw, c)); got != want {
			t.Errorf("%s: got %s, want %s", raw, got, want)
		}
	}
}

// Of titles that a definition holds, the longest is meant; a short one only where it is all there is.
func TestTitlesInADefinition(t *testing.T) {
	c := marker.Config{Passages: 4, Sources: []marker.KnownSource{{Rank: 1, Title: "The Cable"}, {Rank: 2, Title: "The Cable of 1858"}, {Rank: 3, Title: "Log"}, {Rank: 4, Title: "The Table"}}}
	for def, want := range map[string]string{
		"In: The Cable of 1858, London": `"Aa."[2] late`,
		"The  cable, London":            `"Aa."[1] late`,
		"Log":                           `"Aa."[3] late`,
		"Catalogue of logs":             ``,
		"the table and the cable":       `"Aa."[1] late`, // as long as the other: the same each time
	} {
		if got := show(marker.Parse("Aa.[^n]\n\n[^n]: "+def, c)); got != want {
			t.Errorf("%s: got %s, want %s", def, got, want)
		}
	}
}

func TestListSign(t *testing.T) {
	for sign, n := range map[string]int{"- a": 2, "• a": 4, "*  a": 3, "+\ta": 2, "12. a": 4, "123) a": 5, "b) a": 3,
		"": 0, "-": 0, "- ": 0, "-a": 0, "1234. a": 0, "b. a": 0, "12": 0, "12.": 0, "12.a": 0, "1: a": 0, "b": 0, "é) a": 0} {
		if got := marker.ListSign(sign); got != n {
			t.Errorf("%q: %d, want %d", sign, got, n)
		}
	}
}
