package interop

import (
	"fmt"
	"strings"
	"time"

	"github.com/ibid-dev/ibid"
)

// Namespace is where the names stand that PROV has none for.
const Namespace = "https://github.com/ibid-dev/ibid/ns#"

// record is the attributes of one thing in PROV-JSON.
type record map[string]any

// document is PROV-JSON: the things by kind, each under its name, and the relations between them.
type document map[string]map[string]any

// provBuilder collects the things of a run and names them.
type provBuilder struct {
	doc document
	n   int
}

// provenance gives a run as PROV: every retrieval is an activity that generated an entity; a claim is an entity that was
// derived from it; what an agent hands over is derived from the claim it was handed as.
func provenance(r ibid.Run) document {
	b := &provBuilder{doc: document{"prefix": {
		"ibid": Namespace, "run": "urn:ibid:run:" + escape(string(r.ID)) + ":", "sha256": "urn:ibid:sha256:"}}}
	run := record{"prov:startTime": stamped(r.StartedAt), "prov:type": qualified("ibid:Run"), "ibid:run": string(r.ID)}
	if !r.FinishedAt.IsZero() {
		run["prov:endTime"] = stamped(r.FinishedAt)
	}
	if v := r.Verdict; v != nil {
		run["ibid:pass"], run["ibid:coverage"], run["ibid:policy"] = typed(v.Pass, "xsd:boolean"), typed(v.Coverage, "xsd:double"), v.Policy
		run["ibid:threshold"], run["ibid:outcome"] = typed(v.Threshold, "xsd:double"), v.Outcome
	}
	b.add("activity", "run:run", run)
	for _, s := range r.Sources {
		b.source(s)
	}
	for _, c := range r.Claims {
		b.claim(c)
	}
	return b.doc
}

func (b *provBuilder) add(kind, name string, r record) {
	if b.doc[kind] == nil {
		b.doc[kind] = map[string]any{}
	}
	b.doc[kind][name] = r
}

// relate adds a relation, which needs no name of its own.
func (b *provBuilder) relate(kind string, r record) {
	b.n++
	b.add(kind, fmt.Sprintf("_:r%d", b.n), r)
}

func (b *provBuilder) has(kind, name string) bool {
	_, ok := b.doc[kind][name]
	return ok
}

func (b *provBuilder) agent(name string) string {
	id := "run:agent-" + escape(name)
	if name == "" {
		id = "run:agent"
	}
	if !b.has("agent", id) {
		b.add("agent", id, record{"prov:type": qualified("prov:SoftwareAgent"), "prov:label": name})
		b.relate("wasAssociatedWith", record{"prov:activity": "run:run", "prov:agent": id})
	}
	return id
}

func (b *provBuilder) source(s ibid.SourceReference) string {
	id := "run:source-" + s.Hash()[:16]
	if b.has("entity", id) {
		return id
	}
	call := "run:call-" + s.Hash()[:16]
	entity := record{"prov:label": s.Identifier, "ibid:category": s.Category}
	if s.Endpoint != "" {
		entity["prov:location"] = s.Endpoint
	}
	for k, v := range s.Metadata {
		entity["ibid:metadata-"+escape(k)] = v
	}
	b.add("entity", id, entity)
	activity := record{"prov:startTime": stamped(s.FetchedAt), "prov:endTime": stamped(s.FetchedAt), "prov:type": qualified("ibid:ToolCall"), "ibid:tool": s.Tool}
	if s.QueryHash != "" {
		activity["ibid:query"] = s.QueryHash
	}
	b.add("activity", call, activity)
	b.relate("wasGeneratedBy", record{"prov:entity": id, "prov:activity": call, "prov:time": stamped(s.FetchedAt)})
	b.relate("wasAssociatedWith", record{"prov:activity": call, "prov:agent": b.agent(s.Agent)})
	b.relate("wasInformedBy", record{"prov:informed": "run:run", "prov:informant": call})
	b.relate("used", record{"prov:activity": "run:run", "prov:entity": id})
	if s.Snapshot != "" {
		snapshot := "sha256:" + string(s.Snapshot)
		b.add("entity", snapshot, record{"prov:type": qualified("ibid:Snapshot"), "ibid:sha256": string(s.Snapshot)})
		b.relate("wasDerivedFrom", record{"prov:generatedEntity": id, "prov:usedEntity": snapshot, "prov:type": qualified("prov:PrimarySource")})
	}
	if s.From != nil {
		b.relate("wasDerivedFrom", record{"prov:generatedEntity": id, "prov:usedEntity": b.claim(*s.From)})
	}
	return id
}

func (b *provBuilder) claim(c ibid.Claim) string {
	id := "run:claim-" + string(c.ID)
	if b.has("entity", id) {
		return id
	}
	entity := record{"prov:value": c.Text, "prov:type": qualified("ibid:Claim")}
	if c.Exempt != "" {
		entity["ibid:exempt"] = string(c.Exempt)
	}
	b.add("entity", id, entity)
	b.relate("wasGeneratedBy", record{"prov:entity": id, "prov:activity": "run:run", "prov:time": stamped(c.At)})
	b.relate("wasAttributedTo", record{"prov:entity": id, "prov:agent": b.agent(c.Agent)})
	if c.Cited() {
		b.relate("wasDerivedFrom", record{"prov:generatedEntity": id, "prov:usedEntity": b.source(*c.Source)})
	}
	return id
}

func stamped(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

func qualified(name string) record { return record{"$": name, "type": "prov:QUALIFIED_NAME"} }

func typed(v any, t string) record { return record{"$": fmt.Sprint(v), "type": t} }

// escape gives a name that may stand in a qualified name and in a URN: letters, digits and hyphens, all else by its code.
func escape(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-':
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "_%x_", r)
		}
	}
	return b.String()
}
