package bib

import (
	"regexp"
	"strings"

	"github.com/ibid-dev/ibid"
)

// A preprint of arXiv is an "article" of CSL whose publisher is arXiv and whose number is "arXiv:2401.12345". As an archive,
// arXiv would be named twice by most styles.

const (
	arXivNumber  = "arXiv:"
	arXivAddress = "https://arxiv.org/abs/"
)

func setPreprint(r *ibid.Reference, id string) {
	r.Set("publisher", "arXiv")
	r.Set("number", arXivNumber+id)
}

// preprintID is the arXiv id of a preprint, which TeX gives as its eprint, or "".
func preprintID(r ibid.Reference) string {
	if r.Type != "article" || !strings.EqualFold(r.Text["publisher"], "arXiv") {
		return ""
	}
	id, ok := strings.CutPrefix(r.Text["number"], arXivNumber)
	if at := r.Text["archive_location"]; !ok || at != "" && at != id || decodeVerbatim(encodeVerbatim(id)) != id || arXivID(id, "arxiv") != id {
		return ""
	}
	return id
}

// arXivID is the id of an eprint that is arXiv's, without what people write before it, or "".
func arXivID(eprint, archive string) string {
	if !strings.EqualFold(decodeTeX(archive, false), "arxiv") {
		return ""
	}
	id := decodeVerbatim(eprint)
	return id[len(arXivLead.FindString(id)):]
}

var (
	arXivLead    = regexp.MustCompile(`(?i)^(?:arxiv:\s*|https?://arxiv\.org/abs/)`)
	arXivForm    = regexp.MustCompile(`^(?:[0-9]{4}\.[0-9]{4,5}|[a-z-]+(?:\.[A-Z]{2})?/[0-9]{7})(?:v[0-9]{1,2})?$`)
	arXivJournal = regexp.MustCompile(`(?i)^arxiv(?:\.org)?(?:[ -](?:preprints?|e-?prints?))?(?:[ ,]*arxiv)?[: ]*(\S*?)(?: *\[[a-zA-Z.-]+\])?$`)
)

// unJournal makes a preprint of what search engines give as an article of the journal "arXiv preprint arXiv:2401.12345", and
// says whether it did. Styles would put that into italics, capitalize it and take its full stops away.
func unJournal(r *ibid.Reference) bool {
	m := arXivJournal.FindStringSubmatch(r.Text["container-title"])
	if r.Type != "article-journal" || m == nil || r.Text["publisher"] != "" || r.Text["number"] != "" {
		return false
	}
	volume := strings.TrimPrefix(r.Text["volume"], "abs/")
	page := strings.TrimPrefix(r.Text["page"], "arXiv:")
	at := ""
	if strings.EqualFold(r.Text["archive"], "arxiv") {
		at = r.Text["archive_location"]
	}
	id := first(m[1], first(at, first(volume, page)))
	if !arXivForm.MatchString(id) {
		return false
	}
	r.Type = "article"
	setPreprint(r, id)
	if r.URL() == "" {
		r.Set("URL", arXivAddress+id)
	}
	for variable, said := range map[string]bool{
		"container-title": true, "container-title-short": arXivJournal.MatchString(r.Text["container-title-short"]),
		"volume": volume == id, "page": page == id, "archive": at == id, "archive_location": at == id,
	} {
		if said {
			r.Set(variable, "")
		}
	}
	return true
}
