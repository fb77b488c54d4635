package interop

import (
	"time"

	"github.com/ibid-dev/ibid"
)

// PredicateType names the predicate of a run's statement.
const PredicateType = "https://github.com/ibid-dev/ibid/attestation/run/v1"

// attested is an in-toto Statement v1: what was made, by its digest, and how.
type attested struct {
	Type          string       `json:"_type"`
	Subject       []descriptor `json:"subject"`
	PredicateType string       `json:"predicateType"`
	Predicate     predicate    `json:"predicate"`
}

// descriptor is an in-toto ResourceDescriptor.
type descriptor struct {
	Name        string            `json:"name,omitempty"`
	URI         string            `json:"uri,omitempty"`
	Digest      map[string]string `json:"digest,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

type predicate struct {
	Run        ibid.RunID    `json:"run"`
	StartedAt  time.Time     `json:"startedAt"`
	FinishedAt *time.Time    `json:"finishedAt,omitempty"`
	Verdict    *ibid.Verdict `json:"verdict,omitempty"`
	// Claims are those of the output, in order; each names the material it rests on.
	Claims    []attestedClaim `json:"claims"`
	Materials []descriptor    `json:"materials"`
}

type attestedClaim struct {
	Digest   map[string]string `json:"digest"`             // of the text
	Material string            `json:"material,omitempty"` // its name; empty where the claim has no source
	Exempt   ibid.Exemption    `json:"exempt,omitempty"`
	Agent    string            `json:"agent,omitempty"`
	At       time.Time         `json:"at"`
}

// statement attests what a run's output is and what it rests on. The subject is the output: the claims in order, as
// output_summary has them. It says where they come from, not whether they are true.
func statement(r ibid.Run) attested {
	output := Dictionary(r).OutputSummary
	s := attested{Type: "https://in-toto.io/Statement/v1", PredicateType: PredicateType,
		Subject:   []descriptor{{Name: "run " + string(r.ID), Digest: sha256Of(output)}},
		Predicate: predicate{Run: r.ID, StartedAt: r.StartedAt, Verdict: r.Verdict, Claims: []attestedClaim{}, Materials: []descriptor{}}}
	if !r.FinishedAt.IsZero() {
		s.Predicate.FinishedAt = &r.FinishedAt
	}
	for _, src := range r.Sources {
		m := descriptor{Name: materialName(src), URI: src.Endpoint, Annotations: map[string]string{"category": src.Category, "fetchedAt": stamped(src.FetchedAt)}}
		if src.Snapshot != "" {
			m.Digest = map[string]string{"sha256": string(src.Snapshot)}
		}
		if src.Tool != "" {
			m.Annotations["tool"] = src.Tool
		}
		if src.From != nil {
			m.Annotations["handedOver"] = string(src.From.ID)
		}
		s.Predicate.Materials = append(s.Predicate.Materials, m)
	}
	for _, c := range r.Claims {
		a := attestedClaim{Digest: sha256Of(c.Text), Exempt: c.Exempt, Agent: c.Agent, At: c.At}
		if c.Cited() {
			a.Material = materialName(*c.Source)
		}
		s.Predicate.Claims = append(s.Predicate.Claims, a)
	}
	return s
}

// materialName is unique within a run: identifiers are unique within an agent's ledger.
func materialName(s ibid.SourceReference) string {
	if s.Agent == "" {
		return s.Identifier
	}
	return s.Agent + "/" + s.Identifier
}

func sha256Of(text string) map[string]string {
	return map[string]string{"sha256": string(ibid.HashText(text))}
}
