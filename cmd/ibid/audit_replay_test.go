package main

import (
	"database/sql"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid/sqlite"
)

// What was changed behind the log's back is found when the decision is made again.
func TestReplayFindsWhatWasChanged(t *testing.T) {
	for name, change := range map[string]string{
		"the verdict of a run":    `UPDATE runs SET verdict = replace(replace(verdict, '"block"', '"pass"'), '"pass":false', '"pass":true')`,
		"the coverage of a run":   `UPDATE runs SET verdict = replace(verdict, '"coverage":0.5', '"coverage":1')`,
		"a claim of a run":        `UPDATE run_claims SET body = replace(body, 'Nobody', 'Somebody')`,
		"a claim that is gone":    `DELETE FROM run_claims WHERE body LIKE '%Nobody%'`,
		"the rules of the policy": `UPDATE policies SET body = replace(body, '"threshold":1', '"threshold":0')`,
	} {
		t.Run(name, func(t *testing.T) {
			data, ibid := t.TempDir(), program(t)
			typed := func(args ...string) (string, error) {
				out, err := ibidCommand(t.Context(), ibid, data, args...).CombinedOutput()
				return string(out), err
			}
			for _, line := range []string{"run start brief", "run source brief --category file --id page", "run claim brief It_worked. --source page", "run claim brief Nobody_knows."} {
				if out, err := typed(strings.Fields(line)...); err != nil {
					t.Fatalf("%s: %s", line, out)
				}
			}
			if _, err := typed("run", "finish", "brief", "--policy", "production"); err == nil || err.(*exec.ExitError).ExitCode() != 3 {
				t.Fatalf("finish: %v", err)
			}
			if out, err := typed("audit", "replay", "brief"); err != nil || !strings.Contains(out, "same:") {
				t.Fatalf("before: %v\n%s", err, out)
			}
			db, err := sql.Open("sqlite", filepath.Join(data, sqlite.FileName))
			if err != nil {
				t.Fatal(err)
			}
			res, err := db.Exec(change)
			if err != nil {
				t.Fatal(err)
			}
			if n, _ := res.RowsAffected(); n == 0 {
				t.Fatal("nothing was changed")
			}
			db.Close()
			if out, err := typed("audit", "replay", "brief"); err == nil || strings.Contains(out, "same:") {
				t.Errorf("after: %v\n%s", err, out)
			} else {
				t.Log(strings.TrimSpace(out))
			}
		})
	}
}
