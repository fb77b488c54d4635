package interop_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
)

// The graph of a run leads from each claim to its source, from there to the tool's call, the agent and what was returned, and from what
// was handed over to the claim that it was.
func TestProvLeadsBack(t *testing.T) {
	doc, _ := exported(t, sampleRun(), "prov")
	called := func(id string) string {
		for _, kind := range []string{"entity", "activity", "agent"} {
			things, _ := doc[kind].(map[string]any)
			r, ok := things[id].(map[string]any)
			if !ok {
				continue
			}
			for _, p := range []string{"prov:value", "prov:label", "ibid:sha256", "ibid:run"} {
				if s, ok := r[p].(string); ok {
					return s
				}
			}
			return fmt.Sprintf("call of %q", r["ibid:tool"])
		}
		return "nothing: " + id
	}
	var got []string
	for kind, properties := range relations {
		things, _ := doc[kind].(map[string]any)
		for _, v := range things {
			var ends []string
			for _, p := range []string{"prov:generatedEntity", "prov:informed", "prov:activity", "prov:entity", "prov:usedEntity", "prov:informant", "prov:agent"} {
				if _, has := properties[p]; has {
					ends = append(ends, called(v.(map[string]any)[p].(string)))
				}
			}
			got = append(got, kind+": "+strings.Join(ends, " – "))
		}
	}
	slices.Sort(got)
	snapshot := func(s string) string { return string(ibid.HashText(s)) }
	want := []string{
		`used: r 1/ü – handover-1`, `used: r 1/ü – search-1`,
		`wasAssociatedWith: call of "" – writer`, `wasAssociatedWith: call of "search" – reader <1>`, `wasAssociatedWith: r 1/ü – reader <1>`, `wasAssociatedWith: r 1/ü – writer`,
		`wasAttributedTo: It was completed on 5 August 1858. – reader <1>`, `wasAttributedTo: It was summer. – writer`, `wasAttributedTo: One page was read. – writer`, `wasAttributedTo: People cheered. – writer`,
		`wasDerivedFrom: It was completed on 5 August 1858. – search-1`, `wasDerivedFrom: It was summer. – handover-1`, `wasDerivedFrom: handover-1 – It was completed on 5 August 1858.`,
		`wasDerivedFrom: handover-1 – ` + snapshot("It was completed on 5 August 1858."), `wasDerivedFrom: search-1 – ` + snapshot(page),
		`wasGeneratedBy: call of "" – handover-1`, `wasGeneratedBy: call of "search" – search-1`,
		`wasGeneratedBy: r 1/ü – It was completed on 5 August 1858.`, `wasGeneratedBy: r 1/ü – It was summer.`, `wasGeneratedBy: r 1/ü – One page was read.`, `wasGeneratedBy: r 1/ü – People cheered.`,
		`wasInformedBy: r 1/ü – call of ""`, `wasInformedBy: r 1/ü – call of "search"`,
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// All that a run holds stands in each file, or is named as lost.
func TestRunIsWhole(t *testing.T) {
	r := sampleRun()
	for name, hold := range map[string]struct{ words, lost []string }{
		"prov": {[]string{"https://example.org/q?a=1&b=2", "web_search", `"ibid:query": "q"`, `rank_20_in_20_list": "1"`, "reader <1>", string(ibid.HashText(page)), `"ibid:exempt": "` + string(ibid.AboutRun) + `"`, "People cheered.",
			"2026-11-15T12:00:01.123456Z", `"ibid:policy": "p"`, `"ibid:outcome": "block"`, "0.6666666666666666", "urn:ibid:run:r_20_1_2f__fc_:", "run:agent-reader_20__3c_1_3e_"}, []string{"the words that claims point at"}},
		"in-toto": {[]string{"https://example.org/q?a=1&b=2", "web_search", "reader <1>/search-1", "writer/handover-1", string(ibid.HashText(page)), string(ibid.HashText("People cheered.")), string(r.Claims[0].ID),
			`"exempt": "` + string(ibid.AboutRun) + `"`, `"tool": "search"`, `"at": "2026-11-15T12:00:00.123456Z"`, "2026-11-15T12:00:01.123456Z", `"material": "reader <1>/search-1"`, `"material": "writer/handover-1"`}, []string{"the words that claims point at", "query hashes and metadata of sources"}},
		"seed": {[]string{`"source_type": "web_search"`, `"source_category": "web_search"`, `"source_id": "handover-1"`, "People cheered."},
			[]string{"endpoints, query hashes and snapshots", "tools and metadata of sources", "the words that claims point at", "why claims are exempt", "agents, and what they handed to each other",
				"the policy, threshold and outcome of the verdict"}},
		"webannotation": {[]string{"https://example.org/q?a=1&b=2", "reader <1>", string(ibid.HashText(page)), "It was summer.", "2026-11-15T12:00:00.123456Z"},
			[]string{"query hashes and metadata of sources", "tools and categories of sources", "what agents handed to each other", "the verdict", "claims without a source, as an annotation needs a target: 2"}},
	} {
		_, f := exported(t, r, name)
		for _, w := range hold.words {
			if !strings.Contains(string(f.Body), w) {
				t.Errorf("%s: %s is missing in\n%s", name, w, f.Body)
			}
		}
		if !slices.Equal(f.Losses, hold.lost) {
			t.Errorf("%s: named as lost: %q", name, f.Losses)
		}
		// A source that no claim rests on is written, or lost.
		idle := r
		idle.Sources = append(slices.Clone(r.Sources), ibid.SourceReference{Identifier: "idle-1", FetchedAt: noon})
		_, f = exported(t, idle, name)
		if strings.Contains(string(f.Body), "idle-1") == slices.Contains(f.Losses, "sources that no claim rests on") {
			t.Errorf("%s: %q", name, f.Losses)
		}
		// What a run does not have is neither written nor lost.
		bare := ibid.Run{ID: "r", StartedAt: noon, Claims: []ibid.Claim{{ID: "c", Text: "So.", At: noon, Source: &ibid.SourceReference{Identifier: "s", FetchedAt: noon}}}}
		bare.Sources = []ibid.SourceReference{*bare.Claims[0].Source}
		_, f = exported(t, bare, name)
		if s := string(f.Body); len(f.Losses) > 0 || strings.Contains(s, "0001-01-01") || strings.Contains(s, `"sha256:":`) || !json.Valid(f.Body) {
			t.Errorf("%s: %q\n%s", name, f.Losses, s)
		}
	}
}
