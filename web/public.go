package web

import (
	"bytes"
	"encoding/json"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
)

// outgoing is an answer as it leaves: public, and its shares too rounded to two places.
type outgoing struct{ answer ibid.Answer }

func out(a ibid.Answer) outgoing { return outgoing{api.Public(a)} }

// MarshalJSON writes the answer as it writes itself, with rounded shares. They stand last, and no text of the answer can
// look like them, as quotes within a text are escaped.
func (o outgoing) MarshalJSON() ([]byte, error) {
	b, err := json.Marshal(o.answer)
	if err != nil {
		return nil, err
	}
	shares := o.answer.Shares()
	shares.Sources = api.Near(shares.Sources)
	if shares.Model > 0 {
		shares.Model = api.Near(1 - shares.Sources) // so that both sum to 1
	}
	tail, err := json.Marshal(shares)
	if err != nil {
		return nil, err
	}
	i := bytes.LastIndex(b, []byte(`,"shares":{`))
	return append(append(append(b[:i:i], `,"shares":`...), tail...), '}'), nil
}
