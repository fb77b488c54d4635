package quality

import (
	"net/url"
	"strings"

	"github.com/ibid-dev/ibid"
)

// kindOf decides who stands behind a source: by where it is found, then by who published it, then by what its record says
// it is. What a record says of itself counts less than what a list says.
func (r *Rater) kindOf(s ibid.Source) (Kind, float64, string) {
	host, path := address(s)
	list, at := r.byHost(host, path)
	named, name := r.byName(s.Reference)
	typed := types[s.Reference.Type]
	if list != nil && list.Worth <= doubtful {
		return list.Kind, list.Worth, at + " is on the list: " + list.Name
	}
	if preprint(s.Reference) {
		return Preprint, worths[Preprint], "its DOI is one of preprints"
	}
	switch {
	case typed == Reference && named != nil:
		return named.Kind, named.Worth, name + " is on the list: " + named.Name
	case typed == Official && list == nil:
		return Official, worths[Official], "its record says that it is a " + s.Reference.Type
	case list != nil && !(typed == Official && list.Kind == Reference):
		return list.Kind, list.Worth, at + " is on the list: " + list.Name
	case named != nil:
		return named.Kind, named.Worth, name + " is on the list: " + named.Name
	case typed == PeerReviewed && registered(s.Reference):
		return PeerReviewed, worths[PeerReviewed] - 0.04, "its record says that it is a journal article, and it is registered"
	case typed == PeerReviewed:
		return Unknown, 0.4, "its record says that it is a journal article, and nothing confirms it"
	case typed == Press:
		return Press, worths[Press], "its record says that it is from a newspaper or magazine, which no list knows"
	case s.Reference.Type == "book" && s.Reference.Text["ISBN"] == "":
		return Reference, 0.5, "its record says that it is a book, and no ISBN confirms it"
	case typed != "":
		return typed, worths[typed], "its record says that it is a " + s.Reference.Type
	case host == "":
		return Unknown, 0.2, "nothing tells who stands behind it"
	case s.Reference.Text["container-title"] != "" || s.Reference.Text["publisher"] != "":
		return Unknown, 0.3, "no list knows " + host
	}
	return Unknown, 0.12, "no list knows " + host + ", and the page names nobody behind it"
}

// doubtful is the worth from which down a list warns of its hosts: no record of the page's own outweighs it.
const doubtful = 0.1

// worths are what a kind is worth where only the record says so. Of the others no record says it.
var worths = map[Kind]float64{PeerReviewed: 0.9, Official: 0.78, Reference: 0.62, Preprint: 0.5, Press: 0.38, Blog: 0.2, Personal: 0.2}

// types are the kinds by the type of a CSL record. A web page or a report may be anyone's.
var types = map[string]Kind{
	"article-journal": PeerReviewed, "paper-conference": PeerReviewed, "review": PeerReviewed,
	"legislation": Official, "bill": Official, "legal_case": Official, "regulation": Official, "treaty": Official, "hearing": Official, "standard": Official, "patent": Official,
	"book": Reference, "chapter": Reference, "entry": Reference, "entry-encyclopedia": Reference, "entry-dictionary": Reference, "thesis": Reference,
	"article-newspaper": Press, "article-magazine": Press, "broadcast": Press,
	"post": Blog, "post-weblog": Blog, "personal_communication": Personal,
}

// address is the host of a source without "www.", and the path behind it. Both are empty for a file.
func address(s ibid.Source) (host, path string) {
	for _, raw := range []string{s.Reference.URL(), s.URI} {
		u, err := url.Parse(raw)
		if err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" {
			return strings.TrimPrefix(strings.TrimSuffix(strings.ToLower(u.Hostname()), "."), "www."), u.EscapedPath()
		}
	}
	return "", ""
}

// byHost finds the list that has the host with its path, the host, or the longest of its parents.
func (r *Rater) byHost(host, path string) (*List, string) {
	if host == "" {
		return nil, ""
	}
	if first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/"); first != "" {
		if i, ok := r.hosts[host+"/"+first]; ok {
			return &r.lists[i], host + "/" + first
		}
	}
	for h := host; h != ""; _, h, _ = strings.Cut(h, ".") {
		if i, ok := r.hosts[h]; ok {
			return &r.lists[i], h
		}
	}
	return nil, ""
}

// byName finds the list that has the journal, site or publisher, or a word run of its name.
func (r *Rater) byName(ref ibid.Reference) (*List, string) {
	for _, v := range []string{"container-title", "publisher"} {
		name := strings.ToLower(strings.TrimSpace(ref.Text[v]))
		if name == "" {
			continue
		}
		if i, ok := r.names[name]; ok {
			return &r.lists[i], ref.Text[v]
		}
		words := strings.Fields(name)
		for from := range words {
			for to := len(words); to > from+1; to-- {
				if i, ok := r.names[strings.Join(words[from:to], " ")]; ok && r.lists[i].Kind != PeerReviewed {
					return &r.lists[i], ref.Text[v]
				}
			}
		}
	}
	return nil, ""
}

// registered reports whether an identifier of journals stands in the record.
func registered(ref ibid.Reference) bool {
	return doi(ref) != "" || ref.Text["PMID"] != "" || ref.Text["PMCID"] != "" || ref.Text["ISSN"] != ""
}

// doi is the DOI of a record where it has the form of one.
func doi(ref ibid.Reference) string {
	d := strings.ToLower(ref.DOI())
	if !strings.HasPrefix(d, "10.") || !strings.Contains(d, "/") {
		return ""
	}
	return d
}

// preprint knows the registrants of DOIs that are preprint servers.
func preprint(ref ibid.Reference) bool {
	d := doi(ref)
	for _, p := range []string{"10.1101/", "10.48550/", "10.2139/", "10.31234/", "10.31219/", "10.21203/", "10.20944/", "10.3386/", "10.26434/", "10.36227/"} {
		if strings.HasPrefix(d, p) {
			return true
		}
	}
	return false
}
