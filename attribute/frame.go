package attribute

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/ibid-dev/ibid/attribute/internal/claim"
	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// A frame names what a statement rests on and says nothing of its subject: "Based on the passages, …", "Passage 2 states
// that …", "…, as mentioned in the text". No source has its words, and their absence speaks against no one.
var frames = sync.OnceValue(func() []*regexp.Regexp {
	noun := `(?:` + strings.Join(claim.Materials, "|") + `)s?`
	const (
		numbered = `(?: ?#? ?(?:\d+|one|two|three|four|five)(?:(?: ?,| ?&| and| to| ?[–-]) ?(?:and )?(?:passage )?#?\d+)*)`
		number   = numbered + `?`
		manner   = `(?:given|provided|above|following|supplied|retrieved|available|cited|first|second|third|last|other|listed)`
		after    = `(?: (?:you )?(?:provided|given|supplied|shared|uploaded|attached|sent|above|below|cited))*`
		told     = `(?:stated|mentioned|noted|described|discussed|indicated|outlined|explained|reported|seen|shown|found|highlighted)`
		resting  = `(?:based (?:solely |only |up)?on|according to|as per|as ` + told + ` (?:in|by)|per)`
		boundary = `(?:[,.;:!?]|$)`
	)
	what := `(?:(?:the|these|those|this|that|your|both|all) )?(?:` + manner + ` ){0,2}` + noun + number + after
	facts := `(?:the )?(?:(?:given|provided|available) information|information (?:given|provided|available))(?: (?:in|from|by) ` + what + `)?`
	either := `(?:` + facts + `|` + what + `)`
	passage := `\bpassages?` + numbered + `\b` // plain enough to be a frame anywhere, as "the passages" is before a verb of telling
	passages := `(?:` + passage + `|\b(?:the|these|both|all|both of the|all three) (?:` + manner + ` ){0,2}passages?` + after + `)`
	var out []*regexp.Regexp
	for _, p := range []string{
		`^(?:` + resting + `|from|in|given) ` + either + ` ?[,:] ?`,
		`^` + what + ` ` + sayings + ` that `,
		`^it is (?:also )?` + told + ` (?:in|by) ` + either + ` that `,
		` ?,? ?\(?(?:as )?` + told + ` (?:in|by) ` + either + `\)?` + boundary,
		` ?,? ?(?:based on|according to) ` + either + boundary,
		passages + ` ` + sayings + `(?: that)? `,
		`\b(?:based on|according to|in|from) ` + passage + `,?`,
		`^` + passage + ` ?: `,
		` ?\((?:see |from )?passages? ?#?\d+(?:(?: ?,| and| ?&) ?(?:passage )?#?\d+)*\)`,
	} {
		out = append(out, regexp.MustCompile(`(?i)`+strings.ReplaceAll(p, " ", `\s`)))
	}
	return out
})

// sayings are the words by which an answer says what a passage tells, as a pattern.
const sayings = `(?:also |further |specifically )?(?:states?|mentions?|says?|notes?|explains?|indicates?|suggests?|describes?|reports?|adds?|reveals?|shows?|highlights?|points? out|confirms?|warns?|cautions?|advises?|recommends?|provides?|gives?|offers?|lists?|details?|discusses|emphasizes?|stress(?:es)?|claims?|covers?|defines?|compares?|estimates?|argues?|tells? us|makes? (?:it )?clear|refers? to|talks? about|speaks? of|deals? with|focus(?:es)? on)`

// frameWords are some of the words without which there is no frame: most sentences have none, and need no search.
var frameWords = append(slices.Clone(claim.Materials), "information")

// opening is what a statement may begin with that answers the question, asks for attention or leads over from the one before: "Yes, …", "**No** – …", "Answer: …", "Note
// that …", "In summary, …", "To answer your question, …". It says nothing that is not said after it. What draws a conclusion or hedges says something: as a result, generally.
var opening = func() *regexp.Regexp {
	const (
		answer   = `\*{0,2}(?:yes|no)(?:\*{0,2}[,:;.!]\*{0,2}|\*{0,2} [–—-]) `
		label    = `\*{0,2}(?:(?:short|final|brief|direct|quick) )?(?:answer|summary|conclusion|response|explanation|takeaway|tl;?dr|bottom line|in short|note)\*{0,2}:\*{0,2} `
		obliging = `(?:sure|certainly|of course|absolutely|(?:great|good|excellent) question|happy to help)(?: thing)?[!,.] `
		note     = `(?:please |also |but |however,? )?(?:note that|it(?: is|['’]s) (?:also )?(?:important|worth|essential|crucial) (?:to note|noting|mentioning|to mention) that|it should (?:also )?be noted that|(?:keep|bear) in mind that|be aware that|remember that|i (?:found|see|can see) that|the (?:short )?answer is that),? `
		over     = `(?:in (?:summary|short|conclusion|brief|essence|other words|addition)|to (?:summari[sz]e|sum up|conclude|recap|answer (?:your|the|this) question|put it (?:simply|briefly)|be clear)|overall|additionally|furthermore|moreover|also|interestingly|notably|importantly|basically|essentially|ultimately|simply put|put simply|that said|having said that|on the (?:other|one) hand|as you can see|as (?:mentioned|noted|stated) (?:above|earlier|before)|from what i (?:can (?:tell|see|find)|found|see)|based on my (?:search|research|findings|reading)(?: results)?|first(?:ly)?|second(?:ly)?|third(?:ly)?|finally|lastly|next|remember|however|meanwhile|besides), `
	)
	return regexp.MustCompile(`(?i)^\s*(?:` + strings.ReplaceAll(strings.Join([]string{answer, label, obliging, note, over}, "|"), " ", `\s`) + `)`)
}()

// unframed is a statement with blanks in place of its frames, as long as before; all of it where nothing else would be left.
func unframed(s string) string {
	lower := strings.ToLower(s)
	if head := lower[:min(len(lower), 50)]; strings.ContainsAny(head, ",:;.!–—-") || strings.Contains(head, " that") {
		for range 2 { // "Answer: Yes, …"
			at := opening.FindStringIndex(s)
			if at != nil && len(strings.Fields(s[at[1]:])) >= 2 && !(s[at[1]-2] == '.' && token.IsDigit(rune(s[at[1]]))) { // No. 15
				s = strings.Repeat(" ", at[1]) + s[at[1]:]
			}
		}
	}
	found := false
	for _, w := range frameWords {
		found = found || strings.Contains(lower, w)
	}
	if !found {
		return s
	}
	out := []byte(s)
	start := len(s) - len(strings.TrimLeft(s, " \t\r\n"))
	for _, f := range frames() {
		for _, at := range f.FindAllStringIndex(s[start:], -1) {
			from, to := start+at[0], start+at[1]
			if from > start && strings.ContainsRune(",.;:!?", rune(s[to-1])) {
				to-- // the stop after a frame belongs to the sentence
			}
			for i := from; i < to; i++ {
				out[i] = ' '
			}
		}
	}
	if len(strings.Fields(string(out))) < 2 {
		return s
	}
	return string(out)
}

// lastNumbers are those in round brackets at the end of a statement: "… in 1858 (2).", "… in 1858 (1, 3)".
var lastNumbers = regexp.MustCompile(`\S(\s\((\d{1,2}(?:,\s?\d{1,2})*)\))[.!?]?\s*$`)

// uncited is a statement with blanks in place of numbers of the turn's passages that end it in round brackets. They cite, or repeat
// what is said in words, and are no number of the claim.
func (t *turn) uncited(s string) string {
	if !strings.Contains(s[max(0, len(s)-4):], ")") {
		return s // most have none, and need no search
	}
	at := lastNumbers.FindStringSubmatchIndex(s)
	if at == nil {
		return s
	}
	for n := range strings.SplitSeq(s[at[4]:at[5]], ",") {
		if v, _ := strconv.Atoi(strings.TrimSpace(n)); v < 1 || v > len(t.passages) {
			return s
		}
	}
	return s[:at[2]] + strings.Repeat(" ", at[3]-at[2]) + s[at[3]:]
}
