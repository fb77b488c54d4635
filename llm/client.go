package llm

import (
	"errors"
	"net/http"
)

// NewClient makes a client that takes a key to no other place than it was meant for: a redirect to another host or to
// http is an error. The standard one leaves Authorization out there, and sends X-Api-Key along.
func NewClient() *http.Client {
	return &http.Client{CheckRedirect: func(req *http.Request, via []*http.Request) error {
		first := via[0].URL
		switch {
		case len(via) > 5:
			return errors.New("the server redirects more than 5 times")
		case req.URL.Host != first.Host || req.URL.Scheme != first.Scheme:
			return errors.New("the server redirects to " + req.URL.Scheme + "://" + req.URL.Host + ", and the key is not meant for that: give its address as the base URL")
		}
		return nil
	}}
}
