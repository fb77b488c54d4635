package capture_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/capture"
	"github.com/ibid-dev/ibid/ledger"
)

func newLedger() *ledger.Ledger {
	return ledger.New("r", "agent", ledger.Config{Now: time.Now})
}

func serve(t *testing.T, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

func get(t *testing.T, tr *capture.Transport, address string) (string, *http.Response) {
	t.Helper()
	resp, err := (&http.Client{Transport: tr}).Get(address)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	return string(b), resp
}

func TestResponseIsCaptured(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"1"`)
		w.Header().Set("Set-Cookie", "session=hush")
		fmt.Fprint(w, "It took three weeks.")
	})
	led := newLedger()
	body, resp := get(t, &capture.Transport{Ledger: led}, s.URL+"/page?q=cable&api_key=hush&Access%5FToken=hush#part")
	src, err := capture.Reference(resp)
	if err != nil || body != "It took three weeks." {
		t.Fatal(body, err)
	}
	if src.Category != "http" || src.Metadata["status"] != "200" || src.Metadata["etag"] != `"1"` || src.FetchedAt.IsZero() || src.QueryHash == "" || src.Call != 1 || src.Metadata["complete"] != "" {
		t.Errorf("%+v", src)
	}
	if src.Endpoint != s.URL+"/page?q=cable&api_key=REDACTED&Access%5FToken=REDACTED" {
		t.Error(src.Endpoint)
	}
	c, err := led.Claim("It took three weeks.", src, "three weeks")
	if err != nil || c.Evidence[0].Span.In(body) != "three weeks" {
		t.Errorf("%+v, %v", c, err)
	}
	everything, _ := json.Marshal(led.Run())
	for _, b := range led.Snapshots() {
		everything = append(everything, b...)
	}
	if bytes.Contains(everything, []byte("hush")) {
		t.Errorf("a secret is on record: %s", everything)
	}
}

func TestRedact(t *testing.T) {
	for in, want := range map[string]string{
		"https://user:pass@example.org/a?b=c":         "https://example.org/a?b=c",
		"https://example.org/?X-Amz-Signature=1&q=2":  "https://example.org/?X-Amz-Signature=REDACTED&q=2",
		"https://example.org/?client_secret=1;code=2": "https://example.org/?client_secret=REDACTED&code=REDACTED",
		"https://example.org/a;jsessionid=1?b=c":      "https://example.org/a;jsessionid=REDACTED?b=c",
		"https://example.org/?keyword=a&shipping=b":   "https://example.org/?keyword=a&shipping=b",
		"https://example.org/?flag&q=":                "https://example.org/?flag&q=",
		"https://example.org/?q=a#access_token=1":     "https://example.org/?q=a",
		"https://example.org/?accessKey=1&appid=2":    "https://example.org/?accessKey=REDACTED&appid=REDACTED",
		"https://example.org/?authUser=1&author=2":    "https://example.org/?authUser=REDACTED&author=2",
		"https://example.org/?PHPSESSID=1&monkeys=2":  "https://example.org/?PHPSESSID=REDACTED&monkeys=2",
	} {
		u, err := url.Parse(in)
		if err != nil {
			t.Fatal(err)
		}
		if got := capture.Redact(u); got != want {
			t.Errorf("%s became %s", in, got)
		}
	}
}

func TestAddress(t *testing.T) {
	for in, want := range map[string]string{
		"https://ada:hush@example.org/?q=1":             "https://example.org/?q=1",
		"https://ada:hush@example.org/%zz?q=1":          "https://example.org/%zz", // cannot be read
		"https://ada:hu sh@example.org":                 "https://example.org/",
		"postgres://ada:hush@/ships":                    "postgres:///ships",
		"ada:hush@tcp(127.0.0.1:3306)/ships":            "ada:REDACTED@tcp(127.0.0.1:3306)/ships",
		"host=db user=ada password=hush dbname=ships":   "host=db user=ada password=REDACTED dbname=ships",
		"Server=db;Uid=ada;Pwd='hu sh';Database=ships":  "Server=db;Uid=ada;Pwd=REDACTED;Database=ships",
		"jdbc:postgresql://db/ships?user=a&password=hu": "jdbc:postgresql://db/ships?user=a&password=REDACTED",
		"notes/ships.md":                                "notes/ships.md",
		"agent:reader":                                  "agent:reader",
		"mailto:ada@example.org":                        "mailto:ada@example.org",
		"C:\\notes\\%zz.md":                             "C:\\notes\\%zz.md",

		"root:hush@/ships":                         "root:REDACTED@/ships",
		"ada:hush@localhost:3306/ships":            "ada:REDACTED@localhost:3306/ships",
		"ada:hu@/sh@localhost/ships":               "ada:REDACTED@localhost/ships",
		"ada@db:hush@tcp(db:3306)/ships?mail=a@b":  "ada@db:REDACTED@tcp(db:3306)/ships?mail=a@b",
		"ada:hush&key=hush@db/ships":               "ada:REDACTED",
		":hush@db:6379":                            ":REDACTED@db:6379",
		"scott/tiger@db:1521/xe":                   "scott/REDACTED@db:1521/xe",
		"scott/tiger@//db/xe":                      "scott/REDACTED@//db/xe",
		"jdbc:oracle:thin:scott/tiger@db:1521:xe":  "jdbc:oracle:thin:scott/REDACTED@db:1521:xe",
		"jdbc:oracle:thin:@db:1521:xe":             "jdbc:oracle:thin:@db:1521:xe",
		"jdbc:mysql://ada:hush@db/ships":           "jdbc:mysql://db/ships",
		"jdbc:derby://db/ships;password=hush":      "jdbc:derby://db/ships;password=REDACTED",
		"jdbc:sqlserver://db:1;password=hu@sh":     "jdbc:sqlserver://db:1;password=REDACTED",
		"postgres://ada:hu/sh@db:5432/ships":       "postgres://db:5432/ships",
		"postgres://ada:hu#sh@db/ships":            "postgres://db/ships",
		"postgres://ada:hu?sh@db/ships?a=b":        "postgres://db/ships",
		"https://example.org/%zz?mail=a@b.org":     "https://example.org/%zz",
		"https://example.org/%zz;token=hush/a@b":   "https://example.org/%zz;token=REDACTED",
		"PGPASSWORD=hush":                          "PGPASSWORD=REDACTED",
		"DATABASE_URL=postgres://ada:hush@db":      "DATABASE_URL=postgres:REDACTED@db",
		"host=db token=hush":                       "host=db token=REDACTED",
		`password='hu\' sh' user=ada`:              "password=REDACTED user=ada",
		`password="hu"sh user=ada`:                 "password=REDACTED user=ada",
		"sqlserver://db;user=a;password=hush":      "sqlserver://db;user=a;password=REDACTED",
		"Server=db;pw%64=hush":                     "Server=db;pw%64=REDACTED",
		"AUTH=hush":                                "AUTH=REDACTED",
		"options=password=hush":                    "options=password=REDACTED",
		"file:x.db?_auth_pass=hush":                "file:x.db?_auth_pass=REDACTED",
		"AccountName=a;AccountKey=hush==;B=c":      "AccountName=a;AccountKey=REDACTED;B=c",
		"Endpoint=sb://db/;SharedAccessKey=hush":   "Endpoint=sb://db/;SharedAccessKey=REDACTED",
		"Server=tcp:db,1;User=a@db;Password=hu@sh": "Server=tcp:db,1;User=a@db;Password=REDACTED",

		"https://example.org/a@b":           "https://example.org/a@b",
		"https://example.org:80/a@b":        "https://example.org:80/a@b",
		"localhost:8080/users/a@b.org":      "localhost:8080/users/a@b.org",
		"notes/ada@home/a@b.md":             "notes/ada@home/a@b.md",
		"/home/ada/a@b:c.md":                "/home/ada/a@b:c.md",
		"C:\\notes\\a@b.md":                 "C:\\notes\\a@b.md",
		"file:notes/a@b.md":                 "file:notes/a@b.md",
		"ada@example.org":                   "ada@example.org",
		"Mail: ada@example.org":             "Mail: ada@example.org",
		"git@github.com:x/y":                "git@github.com:x/y",
		"git@github.com:x/y@v1":             "git@github.com:x/y@v1",
		"pkg:npm/left-pad@1.0":              "pkg:npm/left-pad@1.0",
		"alpine:3@sha256:12":                "alpine:3@sha256:12",
		"root@/ships":                       "root@/ships",
		"host=db user=ada dbname='the key'": "host=db user=ada dbname='the key'",
	} {
		if got := capture.Address(in); got != want {
			t.Errorf("%s became %s", in, got)
		}
	}
}

// What a server or a database sends is theirs: whatever bytes it holds, the record of it can be written, read and merged.
func TestWhatIsNoTextSpoilsNoRecord(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", "\"caf\xe9\"")
		fmt.Fprint(w, "\xff\x00 three weeks")
	})
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	led := newLedger()
	_, resp := get(t, &capture.Transport{Ledger: led, Tool: "g\xe9t"}, s.URL)
	src, err := capture.Reference(resp)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := led.Claim("It took three weeks.", src, "three weeks"); err != nil {
		t.Error(err)
	}
	rows, err := capture.DB{Ledger: led, Querier: db, Name: "d\xe9"}.Query(t.Context(), "SELECT CAST(x'636166e9' AS TEXT), 'R&D <\"a\nb\">' /* \xe9 */")
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
	}
	if src, err = rows.Reference(); err != nil {
		t.Fatal(err)
	}
	for _, quote := range []string{"R&D <", "\"a\nb\">"} { // as JSON holds it, and as it was
		if _, err := led.Claim("It was research.", src, quote); err != nil {
			t.Error(err)
		}
	}
	if got := string(led.Snapshots()[src.Snapshot]); !strings.Contains(got, `"base64:Y2Fm6Q=="`) {
		t.Errorf("kept %q", got)
	}
	b, err := json.Marshal(led.Run())
	if err != nil {
		t.Fatal(err)
	}
	var read ibid.Run
	var book ledger.Book
	if err := errors.Join(json.Unmarshal(b, &read), book.Add(read)); err != nil || len(read.Claims) != 3 {
		t.Error(err)
	}
}

// Arguments are told apart, and the same ones are the same wherever they lie.
func TestHashOfArguments(t *testing.T) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	hash := func(args ...any) string {
		rows, err := capture.DB{Ledger: newLedger(), Querier: db}.Query(t.Context(), `SELECT coalesce(?, ?)`, args...)
		if err != nil {
			t.Fatal(err)
		}
		rows.Close()
		src, err := rows.Reference()
		if err != nil {
			t.Fatal(err)
		}
		return src.QueryHash
	}
	one, same := "x", "x"
	if hash(math.Inf(1), "c") == hash(math.Inf(-1), "c") { // which JSON does not have
		t.Error("infinities have one hash")
	}
	if hash("a b", "c") == hash("a", "b c") || hash(&one, "c") != hash(&same, "c") {
		t.Error("the hash does not tell arguments apart, or tells the same apart")
	}
}

// The same question has the same hash whatever the secrets in it, and another one another.
func TestQueryHash(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { io.Copy(io.Discard, r.Body) })
	led := newLedger()
	client := &http.Client{Transport: &capture.Transport{Ledger: led}}
	ask := func(address, body string) string {
		resp, err := client.Post(s.URL+address, "text/plain", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		src, err := capture.Reference(resp)
		if err != nil {
			t.Fatal(err)
		}
		return src.QueryHash
	}
	one := ask("/?q=1&token=a", "body")
	if one != ask("/?q=1&token=b", "body") || one == ask("/?q=2&token=a", "body") || one == ask("/?q=1&token=a", "other") {
		t.Error("the hash of the question does not tell questions apart")
	}
}

// What streams through arrives as it comes and whole, though only its beginning is kept.
func TestStreamIsUnharmedAndSnapshotBounded(t *testing.T) {
	const pieces, size = 64, 10_000
	step := make(chan bool)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		for i := range pieces {
			w.Write(bytes.Repeat([]byte{byte('a' + i%26)}, size))
			w.(http.Flusher).Flush()
			if i == 0 {
				<-step // until the reader has the first piece
			}
		}
	})
	led := newLedger()
	resp, err := (&http.Client{Transport: &capture.Transport{Ledger: led, Limit: 1000}}).Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	first := make([]byte, size)
	if _, err := io.ReadFull(resp.Body, first); err != nil {
		t.Fatal(err)
	}
	if _, err := capture.Reference(resp); err == nil {
		t.Error("a response is captured before its end")
	}
	close(step)
	rest, err := io.ReadAll(resp.Body)
	if err != nil || len(first)+len(rest) != pieces*size {
		t.Fatal(len(rest), err)
	}
	src, err := capture.Reference(resp)
	sum := sha256.Sum256(append(first, rest...))
	if err != nil || src.Metadata["bytes"] != fmt.Sprint(pieces*size) || src.Metadata["sha256"] != hex.EncodeToString(sum[:]) || len(led.Snapshots()[src.Snapshot]) != 1000 {
		t.Errorf("%+v, %v", src, err)
	}
}

func TestResponseThatIsNotReadToItsEnd(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodHead {
			return
		}
		fmt.Fprint(w, strings.Repeat("x", 100_000))
	})
	led := newLedger()
	tr := &capture.Transport{Ledger: led}
	resp, err := (&http.Client{Transport: tr}).Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	io.ReadFull(resp.Body, make([]byte, 10))
	resp.Body.Close()
	src, err := capture.Reference(resp)
	if err != nil || src.Metadata["complete"] != "false" {
		t.Errorf("%+v, %v", src, err)
	}
	head, err := (&http.Client{Transport: tr}).Head(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	io.ReadAll(head.Body)
	if src, err := capture.Reference(head); err != nil || src.Metadata["bytes"] != "0" {
		t.Errorf("%+v, %v", src, err)
	}
	plain, err := http.Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Body.Close()
	if _, err := capture.Reference(plain); err == nil {
		t.Error("a response that was not captured has a reference")
	}
}

// A ledger that takes nothing more does not harm the request.
func TestClosedLedgerDoesNotHarm(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "fine") })
	led := newLedger()
	led.Close()
	body, resp := get(t, &capture.Transport{Ledger: led}, s.URL)
	if _, err := capture.Reference(resp); body != "fine" || !errors.Is(err, ibid.ErrInvalid) {
		t.Errorf("%q, %v", body, err)
	}
}

func TestRowsAreCaptured(t *testing.T) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(`CREATE TABLE cables (year INTEGER, name TEXT, raw BLOB); INSERT INTO cables VALUES (1858, 'first', x'ff00'), (1866, NULL, NULL)`); err != nil {
		t.Fatal(err)
	}
	led := newLedger()
	rows, err := capture.DB{Ledger: led, Querier: db, Name: "cables"}.Query(t.Context(), `SELECT year, name, raw FROM cables WHERE year > ? ORDER BY year`, 1800)
	if err != nil {
		t.Fatal(err)
	}
	var years []int
	for rows.Next() {
		var year int
		var name sql.NullString
		var raw []byte
		if err := rows.Scan(&year, &name, &raw); err != nil {
			t.Fatal(err)
		}
		years = append(years, year)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		t.Fatal(err)
	}
	src, err := rows.Reference()
	if err != nil || fmt.Sprint(years) != "[1858 1866]" || src.Endpoint != "sql:cables" || !strings.HasPrefix(src.Metadata["statement"], "SELECT") {
		t.Errorf("%v, %+v, %v", years, src, err)
	}
	if got := string(led.Snapshots()[src.Snapshot]); got != "[\"year\",\"name\",\"raw\"]\n[1858,\"first\",\"base64:/wA=\"]\n[1866,null,null]\n" {
		t.Errorf("kept %q", got)
	}
	if record, _ := json.Marshal(led.Run()); strings.Contains(string(record), "1800") {
		t.Error("an argument is on record")
	}
	if _, err := (capture.DB{Ledger: led, Querier: db}).Query(t.Context(), `SELECT nonsense`); err == nil || len(led.Run().Sources) != 1 {
		t.Errorf("a query that fails: %v", err)
	}
	cut, err := capture.DB{Ledger: led, Querier: db}.Query(t.Context(), `SELECT year FROM cables`)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cut.Reference(); err == nil {
		t.Error("a result is captured before its end")
	}
	cut.Close()
	if src, err := cut.Reference(); err != nil || src.Metadata["complete"] != "false" {
		t.Errorf("%+v, %v", src, err)
	}
}

// Values that JSON does not have are kept as they read, and signs as they are, so that quotes are found.
func TestRowsOfOddValues(t *testing.T) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	led := newLedger()
	rows, err := capture.DB{Ledger: led, Querier: db}.Query(t.Context(), `SELECT 9e999 AS a, -9e999 AS b, '2 < 3 & 4' AS c`)
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
	}
	src, err := rows.Reference()
	if got := string(led.Snapshots()[src.Snapshot]); err != nil || rows.Err() != nil || got != "[\"a\",\"b\",\"c\"]\n[\"+Inf\",\"-Inf\",\"2 < 3 & 4\"]\n" {
		t.Errorf("%q, %v, %v", got, err, rows.Err())
	}
}

// A response without a body is captured at once: nobody will read it to its end.
func TestResponseWithoutABody(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusNoContent) })
	led := newLedger()
	resp, err := (&http.Client{Transport: &capture.Transport{Ledger: led}}).Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	src, err := capture.Reference(resp)
	if err != nil || src.Snapshot != ibid.HashText("") || src.Metadata["bytes"] != "0" || src.Metadata["complete"] != "" {
		t.Errorf("%+v, %v", src, err)
	}
	if err := resp.Body.Close(); err != nil || len(led.Run().Sources) != 1 {
		t.Errorf("%v, %d sources", err, len(led.Run().Sources))
	}
}

func TestCommandIsCaptured(t *testing.T) {
	led := newLedger()
	var through bytes.Buffer
	cmd := exec.Command("sh", "-c", "echo three weeks; echo hush >&2")
	cmd.Stdout = &through
	out, src, err := capture.Run(led, cmd, 0)
	if err != nil || string(out) != "three weeks\n" || through.String() != string(out) || src.Endpoint != "exec:sh" || src.Metadata["exit_code"] != "0" {
		t.Errorf("%q, %+v, %v", out, src, err)
	}
	if _, err := led.Claim("Three weeks.", src, "three weeks"); err != nil {
		t.Error(err)
	}
	_, failed, err := capture.Run(led, exec.Command("sh", "-c", "echo no; exit 7"), 0)
	if err == nil || !strings.HasPrefix(err.Error(), "sh: ") || failed.Metadata["exit_code"] != "7" {
		t.Errorf("%+v, %v", failed, err)
	}
	out, src, err = capture.Run(led, exec.Command("sh", "-c", "head -c 5000 /dev/zero"), 100)
	if err != nil || len(out) != 100 || src.Metadata["bytes"] != "5000" || src.Metadata["snapshot"] != "the first 100 bytes" {
		t.Errorf("%d bytes, %+v, %v", len(out), src, err)
	}
	out, src, err = capture.Run(led, exec.Command("sh", "-c", "head -c 100 /dev/zero"), 100)
	if err != nil || len(out) != 100 || src.Metadata["snapshot"] != "" || src.Metadata["sha256"] != "" {
		t.Errorf("as much as is kept: %d bytes, %+v, %v", len(out), src, err)
	}
	if _, src, err = capture.Run(led, exec.Command("true"), 0); err != nil || src.Snapshot != ibid.HashText("") {
		t.Errorf("nothing said: %+v, %v", src, err)
	}
	if _, _, err := capture.Run(led, exec.Command("/nowhere/at/all"), 0); err == nil || len(led.Run().Sources) != 5 {
		t.Errorf("a command that does not start: %v", err)
	}
	if record, _ := json.Marshal(led.Run()); strings.Contains(string(record), "hush") {
		t.Error("an argument is on record")
	}
}

// busy tells when two write to it at once: it gives each writer time to meet another.
type busy struct {
	met   chan struct{}
	in    atomic.Int32
	twice atomic.Bool
}

func (b *busy) Write(p []byte) (int, error) {
	if b.in.Add(1) > 1 {
		b.twice.Store(true)
		close(b.met)
	}
	defer b.in.Add(-1)
	select {
	case <-b.met:
	case <-time.After(300 * time.Millisecond):
	}
	return len(p), nil
}

// A command that ran is on record, whatever kept its output from being read to the end: here one that it left behind holds the pipe.
func TestCommandThatLeavesItsOutputOpen(t *testing.T) {
	led := newLedger()
	cmd := exec.Command("sh", "-c", "echo three weeks; sleep 5 &")
	cmd.WaitDelay = 100 * time.Millisecond
	out, src, err := capture.Run(led, cmd, 0)
	if !errors.Is(err, exec.ErrWaitDelay) || string(out) != "three weeks\n" || src.Metadata["exit_code"] != "0" || src.Metadata["complete"] != "false" {
		t.Errorf("%q, %+v, %v", out, src, err)
	}
	if _, _, err := capture.Run(led, cmd, 0); err == nil || len(led.Run().Sources) != 1 {
		t.Errorf("a command that ran already: %v", err)
	}
}

// listWriter cannot be compared, and holder, whose type can, holds it.
type (
	listWriter []io.Writer
	holder     struct{ io.Writer }
)

func (l listWriter) Write(p []byte) (int, error) { return l[0].Write(p) }

func TestCommandWithWritersThatCannotBeCompared(t *testing.T) {
	var through bytes.Buffer
	cmd := exec.Command("echo", "three weeks")
	both := holder{listWriter{&through}}
	cmd.Stdout, cmd.Stderr = both, both
	if out, _, err := capture.Run(newLedger(), cmd, 0); err != nil || string(out) != through.String() {
		t.Errorf("%q, %v", out, err)
	}
}

// A writer that takes both outputs of a command takes them in turn, as exec promises; the snapshot has the standard output alone.
func TestCommandWithOneWriterForBoth(t *testing.T) {
	both := &busy{met: make(chan struct{})}
	cmd := exec.Command("sh", "-c", "echo out; echo err >&2")
	cmd.Stdout, cmd.Stderr = both, both
	if out, _, err := capture.Run(newLedger(), cmd, 0); err != nil || string(out) != "out\n" || both.twice.Load() {
		t.Errorf("%q, %v, two at once: %v", out, err, both.twice.Load())
	}
}

// late gives its words when it is closed, as a connection may.
type late struct {
	closed chan struct{}
	done   bool
}

func (l *late) Read(p []byte) (int, error) {
	<-l.closed
	if l.done {
		return 0, io.EOF
	}
	l.done = true
	return copy(p, "late"), nil
}

func (l *late) Close() error { close(l.closed); return nil }

type answering struct{ body io.ReadCloser }

func (a answering) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: a.body, Request: r}, nil
}

// A body may be closed while another goroutine waits for it.
func TestBodyIsClosedWhileItIsRead(t *testing.T) {
	for range 50 {
		led := newLedger()
		resp, err := (&http.Client{Transport: &capture.Transport{Ledger: led, Base: answering{&late{closed: make(chan struct{})}}}}).Get("http://example.org/")
		if err != nil {
			t.Fatal(err)
		}
		var reading sync.WaitGroup
		reading.Go(func() { io.Copy(io.Discard, resp.Body) })
		resp.Body.Close()
		reading.Wait()
		src, err := capture.Reference(resp)
		kept := led.Snapshots()[src.Snapshot]
		if err != nil || src.Metadata["bytes"] != fmt.Sprint(len(kept)) || len(led.Run().Sources) != 1 {
			t.Fatalf("%q, %+v, %v", kept, src, err)
		}
	}
}

func ExampleTransport() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "It failed after three weeks.") }))
	defer server.Close()
	led := ledger.New("run-1", "researcher", ledger.Config{Now: time.Now})
	client := &http.Client{Transport: &capture.Transport{Ledger: led}}

	resp, err := client.Get(server.URL)
	if err != nil {
		fmt.Println(err)
		return
	}
	io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
	source, _ := capture.Reference(resp)

	claim, err := led.Claim("The cable failed within a month.", source, "three weeks")
	fmt.Println(claim.Cited(), source.Identifier, source.Metadata["status"], err)
	// Output: true http-1 200 <nil>
}

func ExampleRun() {
	led := ledger.New("run-1", "counter", ledger.Config{Now: time.Now})
	out, source, err := capture.Run(led, exec.CommandContext(context.Background(), "echo", "16 files"), 0)
	fmt.Printf("%s%s %v\n", out, source.Identifier, err)
	// Output:
	// 16 files
	// echo-1 <nil>
}
