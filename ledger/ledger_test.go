package ledger_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/big"
	"net"
	"net/netip"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf16"

	"pgregory.net/rapid"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/ledger"
)

// clock gives a later time with each call.
func clock() func() time.Time {
	var mu sync.Mutex
	t := time.Date(2026, 11, 15, 6, 0, 0, 0, time.FixedZone("CET", 3600))
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		t = t.Add(time.Second)
		return t
	}
}

func open(agent string) *ledger.Ledger {
	return ledger.New("r1", agent, ledger.Config{Now: clock()})
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

type hit struct {
	URL   string
	Rank  int
	Value float64
}

func (h hit) Describe() (string, map[string]string) {
	return h.URL, map[string]string{"rank": fmt.Sprint(h.Rank)}
}

func TestCaptureIsOneCall(t *testing.T) {
	led := open("researcher")
	fails := errors.New("no network")
	search := ledger.Capture(led, ledger.Tool{Name: "search", Category: "web_search"}, func(_ context.Context, q string) (hit, error) {
		if q == "" {
			return hit{}, fails
		}
		return hit{"https://example.org/q3", 1, 4.5}, nil
	})
	found, source, err := search(t.Context(), "q3 shift")
	if err != nil || found.Value != 4.5 {
		t.Fatal(found, err)
	}
	if _, _, err := search(t.Context(), ""); !errors.Is(err, fails) {
		t.Errorf("a failed call gives %v", err)
	}
	_, again, _ := search(t.Context(), "q3 shift")
	if source.Identifier != "search-1" || source.Category != "web_search" || source.Endpoint != "https://example.org/q3" || source.Metadata["rank"] != "1" ||
		source.Agent != "researcher" || source.Tool != "search" || source.Call != 1 || source.FetchedAt.Location() != time.UTC || source.FetchedAt.IsZero() {
		t.Errorf("%+v", source)
	}
	want, _ := ledger.HashQuery("q3 shift")
	body := led.Snapshots()[source.Snapshot]
	if source.QueryHash != want || ibid.HashText(string(body)) != source.Snapshot || !strings.Contains(string(body), "4.5") {
		t.Errorf("query %s, snapshot %s", source.QueryHash, body)
	}
	// Two retrievals of one address are two references, and their content is kept once.
	if again.Identifier == source.Identifier || again.Snapshot != source.Snapshot || len(led.Run().Sources) != 2 || len(led.Snapshots()) != 1 {
		t.Errorf("%+v and %+v, %d snapshots", source, again, len(led.Snapshots()))
	}
}

// A tool that found nothing leaves a snapshot of nothing, and not none; what cannot be written down is refused.
func TestCaptureOfNothing(t *testing.T) {
	led := open("")
	read := ledger.Capture(led, ledger.Tool{Name: "read"}, func(_ context.Context, query any) ([]byte, error) { return nil, nil })
	_, src, err := read(t.Context(), "a")
	if err != nil || src.Snapshot != ibid.HashText("") {
		t.Errorf("%+v, %v", src, err)
	}
	if _, other, _ := read(t.Context(), "b"); other.QueryHash == src.QueryHash {
		t.Error("two queries with one hash")
	}
	if _, _, err := read(t.Context(), make(chan int)); !errors.Is(err, ibid.ErrInvalid) || len(led.Run().Sources) != 2 {
		t.Errorf("%v, %d sources", err, len(led.Run().Sources))
	}
}

func TestEndpointNamesWhatWasAskedFor(t *testing.T) {
	led := open("")
	read := ledger.Capture(led, ledger.Tool{Name: "read", Endpoint: "file:{}"}, func(context.Context, string) ([]byte, error) { return []byte("x"), nil })
	if _, src, err := read(t.Context(), "notes.md"); err != nil || src.Endpoint != "file:notes.md" || src.Category != "read" {
		t.Errorf("%+v, %v", src, err)
	}
	odd := ledger.Capture(led, ledger.Tool{Name: "odd"}, func(context.Context, int) (func(), error) { return nil, nil })
	if _, _, err := odd(t.Context(), 1); !errors.Is(err, ibid.ErrInvalid) || len(led.Run().Sources) != 1 {
		t.Errorf("a result that cannot be kept: %v", err)
	}
}

func TestRegisteredValuesNeverChange(t *testing.T) {
	led := open("")
	meta := map[string]string{"rank": "1"}
	src := must(led.Source(ibid.SourceReference{Category: "web_search", Metadata: meta}, []byte("body")))
	claim := must(led.Claim("A fact.", src))
	before := must(json.Marshal(led.Run()))
	meta["rank"] = "9"
	claim.Source.Metadata["rank"] = "8"
	claim.Text = "Another."
	run := led.Run()
	run.Claims[0].Text = "Changed."
	run.Claims[0].Source.Metadata["rank"] = "7"
	run.Sources[0].Metadata["rank"] = "6"
	if after := must(json.Marshal(led.Run())); string(after) != string(before) {
		t.Errorf("%s became %s", before, after)
	}
	src.Metadata["rank"] = "5"
	if _, err := led.Claim("A fact.", src); !errors.Is(err, ibid.ErrInvalid) || !strings.Contains(err.Error(), "was changed after it was registered") {
		t.Errorf("a changed source: %v", err)
	}
}

func TestWhatIsRefused(t *testing.T) {
	led := open("")
	src := must(led.Source(ibid.SourceReference{Identifier: "a", Category: "file"}, []byte("the words")))
	none := ibid.SourceReference{}
	for want, do := range map[string]func() error{
		"is not registered": func() error {
			_, err := led.Claim("x", ibid.SourceReference{Identifier: "ghost", Category: "file"})
			return err
		},
		"the claim is empty":                 func() error { _, err := led.Claim(" \n", src); return err },
		"not valid UTF-8":                    func() error { _, err := led.Claim("\xff", none); return err },
		"does not stand in the snapshot":     func() error { _, err := led.Claim("x", src, "other words"); return err },
		"the quote is empty":                 func() error { _, err := led.Claim("x", src, " "); return err },
		"has no snapshot":                    func() error { _, err := led.Claim("x", none, "words"); return err },
		"choose computed, structural or run": func() error { _, err := led.Exempt("x", "because"); return err },
		"is registered already": func() error {
			_, err := led.Source(ibid.SourceReference{Identifier: "a", Category: "file"}, nil)
			return err
		},
		"has no category": func() error { _, err := led.Source(ibid.SourceReference{Identifier: "b"}, nil); return err },
		"identifier is blank": func() error {
			_, err := led.Source(ibid.SourceReference{Identifier: " ", Category: "file"}, nil)
			return err
		},
		"is not that of what is given": func() error {
			_, err := led.Source(ibid.SourceReference{Category: "file", Snapshot: "00"}, []byte("x"))
			return err
		},
	} {
		if err := do(); !errors.Is(err, ibid.ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("wanted %q, got %v", want, err)
		}
	}
	if run := led.Run(); len(run.Claims) != 0 || len(run.Sources) != 1 {
		t.Errorf("something of it was registered: %+v", run)
	}
	led.Close()
	if _, err := led.Claim("late", src); err == nil || !strings.Contains(err.Error(), "the run is finished") {
		t.Errorf("after the end: %v", err)
	}
}

func TestQuotePointsAtTheWords(t *testing.T) {
	led := open("")
	src := must(led.Source(ibid.SourceReference{Category: "file"}, []byte("Zwölf Wochen, then three weeks.")))
	c := must(led.Claim("It took three weeks.", src, "three weeks"))
	if at := c.Evidence[0]; at.Document != src.Snapshot || at.Span.In(string(led.Snapshots()[at.Document])) != "three weeks" {
		t.Errorf("%+v", at)
	}
}

// What a quote says is found however JSON writes it, and the claim points at the bytes as they came.
func TestQuoteIsFoundInJSON(t *testing.T) {
	for name, c := range map[string]struct{ body, quote, want string }{
		"letters beyond ASCII":           {`{"a":"un caf\u00e9 noir"}`, "café noir", `caf\u00e9 noir`},
		"a pair":                         {`["so \ud83d\ude00 it was"]`, "😀 it", `\ud83d\ude00 it`},
		"in capitals":                    {`["caf\u00E9"]`, "é", `\u00E9`},
		"a solidus":                      {`{"u":"see https:\/\/x.org\/a now"}`, "https://x.org/a", `https:\/\/x.org\/a`},
		"quotation marks":                {`{"a":"he said \"stop\" twice"}`, `said "stop"`, `said \"stop\"`},
		"ends of lines":                  {`{"a":"first\nsecond\tthird"}`, "first\nsecond\tthird", `first\nsecond\tthird`},
		"signs of HTML":                  {`{"a":"2 \u003c 3 \u0026 4"}`, "2 < 3 & 4", `2 \u003c 3 \u0026 4`},
		"several at once":                {`{"a":"\"\u00c9t\u00e9\"\n\/ 1858"}`, "\"Été\"\n/ 1858", `\"\u00c9t\u00e9\"\n\/ 1858`},
		"lines of JSON":                  {"{\"a\":\"torn\n{\"a\":\"\\u00e9t\\u00e9\"}\n{\"a\":\"\\u00fcber\"}\n", "über", `\u00fcber`},
		"events":                         {"event: x\ndata: {\"a\":\"\\u00fcber uns\"}\n\n", "über uns", `\u00fcber uns`},
		"cut":                            {`{"a":"it is \u00fcber uns \u00`, "über uns", `\u00fcber uns`},
		"cut behind a sign":              {`{"a":"it is \u00fcber uns \`, "über uns ", `\u00fcber uns `},
		"JSON within JSON":               {`{"text":"{\"title\":\"caf\\u00e9 noir\"}"}`, "café noir", `caf\\u00e9 noir`},
		"behind a string that is none":   {`{"a":"\d","b":"\u00e9t\u00e9"}`, "été", `\u00e9t\u00e9`},
		"other signs":                    {`{"a":"\u00e9 \b\f\r\n\t."}`, "é \b\f\r\n\t.", `\u00e9 \b\f\r\n\t.`},
		"a half at the end":              {`["\u00e9 \ud83d"]`, "é ", `\u00e9 `},
		"a half and what looks like one": {`["\ud83dabde00 \u00e9t\u00e9"]`, "abde00 été", `abde00 \u00e9t\u00e9`},
		"three deep":                     {`["[\"[\\\"[\\\\\\\"\\\\\\\\u00e9t\\\\\\\\u00e9\\\\\\\"]\\\"]\"]"]`, "été", `\\\\\\\\u00e9t\\\\\\\\u00e9`},
		"a half of a pair":               {`["\ud83d and \u00e9t\u00e9"]`, "été", `\u00e9t\u00e9`},
		"two halves that are no pair":    {`["\ud83d\ud83d \u00e9t\u00e9"]`, "été", `\u00e9t\u00e9`},
		"a half and what is no letter":   {`["\ud83d\n\u00e9t\u00e9 and more"]`, "\nété", `\n\u00e9t\u00e9`},
		"behind no letter":               {`{"a":"\u00zz","b":"\u00e9t\u00e9"}`, "été", `\u00e9t\u00e9`},
		"among signs that are no JSON":   {"log: a \\n\\tb, \"", "a \n\tb", `a \n\tb`},
		"at the very beginning":          {`un caf\n noir`, "un caf\n", `un caf\n`},
		"not over two strings":           {`{"a":"caf\u00e9","b":"noir"}`, "cafénoir", ""},
		"not half a character":           {`{"a":"caf\u00e9"}`, "\xa9", ""},
		"not what is not there":          {`{"a":"caf\u00e9"}`, "thé", ""},
	} {
		t.Run(name, func(t *testing.T) {
			led := open("")
			src := must(led.Source(ibid.SourceReference{Category: "http"}, []byte(c.body)))
			claim, err := led.Claim("So it says.", src, c.quote)
			if c.want == "" {
				if !errors.Is(err, ibid.ErrInvalid) {
					t.Errorf("found: %+v, %v", claim.Evidence, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := claim.Evidence[0].Span.In(c.body); got != c.want {
				t.Errorf("it points at %q, want %q", got, c.want)
			}
		})
	}
}

// Every piece of every text of a JSON value is found in it, at bytes that read as the piece, however much of it was cut.
func FuzzQuote(f *testing.F) {
	f.Add("un café \"noir\"\n😀/</a>\u2028", uint(3), uint(9), true, uint(0))
	f.Add("\\u00e9 \\", uint(0), uint(4), false, uint(2))
	f.Fuzz(func(t *testing.T, said string, from, to uint, ascii bool, cut uint) {
		said = strings.ToValidUTF8(said, "?")
		b, err := json.Marshal(map[string]any{"a": []string{"x", said}})
		if err != nil {
			t.Fatal(err)
		}
		body := string(b)
		if ascii {
			body = ""
			for _, r := range string(b) {
				if r < 0x80 {
					body += string(r)
					continue
				}
				for _, u := range utf16.Encode([]rune{r}) {
					body += fmt.Sprintf(`\u%04x`, u)
				}
			}
		}
		runes := []rune(said)
		i, j := min(int(from%64), len(runes)), min(int(to%64), len(runes))
		if i > j {
			i, j = j, i
		}
		quote := string(runes[i:j])
		whole := len(body)
		body = body[:whole-min(int(cut%64), whole)]
		led := open("")
		src := must(led.Source(ibid.SourceReference{Category: "http"}, []byte(body)))
		claim, err := led.Claim("So it says.", src, quote)
		if err != nil {
			if strings.TrimSpace(quote) != "" && len(body) == whole {
				t.Fatalf("%q is not found in %s: %v", quote, body, err)
			}
			return
		}
		found := claim.Evidence[0].Span.In(body)
		var read string
		if found != quote && (json.Unmarshal([]byte(`"`+found+`"`), &read) != nil || read != quote) && !strings.Contains(found, `\\`) {
			t.Fatalf("%q is found at %q", quote, found)
		}
	})
}

func TestUncitedAndExempt(t *testing.T) {
	led := open("")
	bare := must(led.Claim("A fact.", ibid.SourceReference{}))
	exempt := must(led.Exempt("Four pages were read.", ibid.AboutRun))
	if bare.Cited() || !bare.RequiresAttribution() || exempt.RequiresAttribution() || bare.Number != 1 || exempt.Number != 2 {
		t.Errorf("%+v, %+v", bare, exempt)
	}
}

type section struct {
	Title string `claim:"The section is called {}." exempt:"structural"`
	Found string `claim:"{}" source:"Page"`
	Page  *ibid.SourceReference
}

type finding struct {
	Shift  float64  `claim:"The market shifted by {} % in Q3." source:"Page"`
	Weeks  *int     `claim:"It took {} weeks." source:"Page"`
	Causes []string `claim:"{}" source:"Page"`
	Rows   int      `claim:"{} rows were read." exempt:"run"`
	Guess  string   `claim:"{}"`
	Page   ibid.SourceReference
	Parts  []section
	note   string
}

func TestStructBindsFieldsToSources(t *testing.T) {
	led := open("")
	page := must(led.Source(ibid.SourceReference{Category: "http"}, []byte("x")))
	claims, err := led.Struct(&finding{Shift: 4.5, Causes: []string{"Rain fell.", "Wind rose."}, Rows: 3, Guess: "It will go on.", Page: page,
		Parts: []section{{Title: "One", Found: "Deep.", Page: &page}, {Title: "Two", Found: "Bare."}}, note: "not a claim"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range claims {
		got = append(got, fmt.Sprintf("%s|%t|%s", c.Text, c.Cited(), c.Exempt))
	}
	want := []string{"The market shifted by 4.5 % in Q3.|true|", "Rain fell.|true|", "Wind rose.|true|", "3 rows were read.|false|run", "It will go on.|false|",
		"The section is called One.|false|structural", "Deep.|true|", "The section is called Two.|false|structural", "Bare.|false|"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

type paged struct{ Page ibid.SourceReference }

// Values are written as people do, lists behind pointers are lists, and bytes are text.
func TestStructWritesValuesPlainly(t *testing.T) {
	led := open("")
	claims, err := led.Struct(struct {
		*paged
		Cost  float64   `claim:"It cost {} pounds." source:"Page"` // of an embedded struct that is not there
		Share float32   `claim:"{} of it was lost."`
		Ships *[]string `claim:"{} sailed."`
		Raw   []byte    `claim:"{}"`
		Raws  [][]byte  `claim:"{}"`
		IP    net.IP    `claim:"{}"`
		Big   *big.Int  `claim:"{}"`
		None  *big.Int  `claim:"{}"`
		URL   *url.URL  `claim:"{}"`
	}{Cost: 1e6, Share: 0.1, Ships: &[]string{"The Niagara", "The Agamemnon"}, Raw: []byte("It held."),
		Raws: [][]byte{[]byte("two")}, IP: net.IPv4(1, 2, 3, 4), Big: big.NewInt(42), URL: &url.URL{Scheme: "https", Host: "x.org", Path: "/a"}})
	var got []string
	for _, c := range claims {
		got = append(got, c.Text)
	}
	if want := []string{"It cost 1000000 pounds.", "0.1 of it was lost.", "The Niagara sailed.", "The Agamemnon sailed.", "It held.", "two", "1.2.3.4", "42", "https://x.org/a"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
}

type level uint8

func (l level) String() string { return [...]string{"low", "high"}[l] }

type inner struct {
	Held string `claim:"{}"`
}

// Bytes of a fixed number are one claim, small numbers with names of their own are not bytes, lists of lists are looked
// into, and so is what is embedded.
func TestStructClaimsArraysWhole(t *testing.T) {
	led := open("")
	claims, err := led.Struct(struct {
		inner
		*paged
		Code   [4]byte      `claim:"The code is {}."`
		Short  [8]byte      `claim:"The name is {}."`
		Hash   [3]byte      `claim:"The hash is {}."`
		Zero   [2]byte      `claim:"Zero is {}."`
		Codes  [2][2]byte   `claim:"{}"`
		Ptr    *[2]byte     `claim:"{}"`
		Addr   netip.Addr   `claim:"{}"`
		Levels []level      `claim:"The water is {}."`
		Both   [2]level     `claim:"It was {}."`
		Grid   [][]string   `claim:"{}"`
		Any    any          `claim:"{}"`
		Nobody any          `claim:"{}"`
		Say    fmt.Stringer `claim:"{}"`
		Inside any
		Pair   [2]inner
		Broken [2]byte `claim:"{}"`
		Lines  [3]byte `claim:"{}"`
	}{inner: inner{"It held."}, Code: [4]byte{'A', 'B', 'C', '1'}, Short: [8]byte{'c', 'a', 'f', 0xc3, 0xa9}, Hash: [3]byte{0xde, 0xad, 1}, Codes: [2][2]byte{{'x', 'y'}, {1, 2}}, Ptr: &[2]byte{'o', 'k'},
		Addr: netip.AddrFrom4([4]byte{1, 2, 3, 4}), Levels: []level{0, 1}, Both: [2]level{1, 0}, Grid: [][]string{{"a", "b"}, nil, {"c"}}, Any: 2.5, Say: level(1), Inside: inner{"d"}, Pair: [2]inner{{"e"}, {"f"}},
		Broken: [2]byte{'a', 0xff}, Lines: [3]byte{'a', '\n', 'b'}})
	var got []string
	for _, c := range claims {
		got = append(got, c.Text)
	}
	if want := []string{"It held.", "The code is ABC1.", "The name is café.", "The hash is dead01.", "Zero is 0000.", "xy", "0102", "ok", "1.2.3.4",
		"The water is low.", "The water is high.", "It was high.", "It was low.", "a", "b", "c", "2.5", "high", "d", "e", "f", "61ff", "a\nb"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
}

// All of a value is checked before its first claim is registered.
func TestStructIsRegisteredWholeOrNotAtAll(t *testing.T) {
	led := open("")
	_, err := led.Struct(struct {
		A string `claim:"{}"`
		B string `claim:"{}"`
	}{"It held.", "\xff"})
	if !errors.Is(err, ibid.ErrInvalid) || len(led.Run().Claims) != 0 {
		t.Errorf("%d claims, %v", len(led.Run().Claims), err)
	}
}

func TestStructThatCannotBeBound(t *testing.T) {
	led := open("")
	page := must(led.Source(ibid.SourceReference{Category: "http"}, nil))
	for want, v := range map[string]any{
		"int is not a struct": 7,
		"nil is not a struct": nil,
		"has no field with":   struct{ A int }{1},
		"is no field of": struct {
			A int `claim:"{}" source:"B"`
		}{1},
		"not an exported ibid": struct {
			A int `claim:"{}" source:"B"`
			B string
		}{1, "x"},
		"source b is not an exported": struct {
			A int `claim:"{}" source:"b"`
			b ibid.SourceReference
		}{1, page},
		"is exempt and has": struct {
			A int `claim:"{}" source:"B" exempt:"run"`
			B ibid.SourceReference
		}{1, page},
		"choose computed": struct {
			A int `claim:"{}" exempt:"maybe"`
		}{1},
		"is not exported": struct {
			a int `claim:"{}"`
		}{1},
		"the claim is empty": struct {
			A string `claim:"{}"`
			B string `claim:"fine {}"`
		}{"", "x"},
		`"ghost" is not register`: struct {
			C string `claim:"fine"`
			A int    `claim:"{}" source:"B"`
			B ibid.SourceReference
		}{"x", 1, ibid.SourceReference{Identifier: "ghost"}},
	} {
		if _, err := led.Struct(v); !errors.Is(err, ibid.ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("wanted %q, got %v", want, err)
		}
	}
	if n := len(led.Run().Claims); n != 0 {
		t.Errorf("%d claims of a value that was refused are registered", n)
	}
}

type node struct {
	Says string `claim:"{}"`
	Next *node
}

type crew []string

func (c crew) String() string { return strings.Join(c, " and ") }

// What holds itself has no end, and is refused; a list that has words of its own is one claim.
func TestStructInCircles(t *testing.T) {
	led := open("")
	ring := &node{Says: "Round."}
	ring.Next = ring
	list := []any{nil}
	list[0] = list
	for _, v := range []any{ring, list, struct {
		List []any `claim:"{}"`
	}{list}} {
		if _, err := led.Struct(v); !errors.Is(err, ibid.ErrInvalid) || !strings.Contains(err.Error(), "nested more than 32 deep") {
			t.Errorf("%v", err)
		}
	}
	claims, err := led.Struct(struct {
		Crew crew `claim:"{} sailed."`
	}{crew{"Field", "Thomson"}})
	if err != nil || len(claims) != 1 || claims[0].Text != "Field and Thomson sailed." {
		t.Errorf("%+v, %v", claims, err)
	}
}

func TestHandingOverKeepsTheChain(t *testing.T) {
	reader, analyst, writer := open("reader"), open("analyst"), open("writer")
	page := must(reader.Source(ibid.SourceReference{Category: "http", Tool: "fetch", Endpoint: "https://example.org/"}, []byte("body")))
	first := must(reader.Claim("It took three weeks.", page))
	second := must(analyst.Claim("It took 21 days.", must(analyst.Receive(first))))
	third := must(writer.Claim("It failed within the month.", must(writer.Receive(second))))
	chain := ledger.Chain(third)
	if len(chain) != 3 || chain[2].ID != first.ID || !reflect.DeepEqual(third.Source.First(), page) {
		t.Errorf("%+v", chain)
	}
	second.Text = "It took 22 days."
	if _, err := writer.Receive(second); err == nil || !strings.Contains(err.Error(), "was changed") {
		t.Errorf("a claim that was changed on its way: %v", err)
	}
	if _, err := writer.Receive(must(reader.Claim("Bare.", ibid.SourceReference{}))); err == nil {
		t.Error("a claim without a source was handed over as one")
	}
	// The chain is in the writer's own record: it stays though the others' are lost.
	var book ledger.Book
	if err := book.Add(writer.Run()); err != nil {
		t.Fatal(err)
	}
	run := must(book.Run("r1"))
	if got := run.Claims[0].Source.First().Endpoint; got != "https://example.org/" {
		t.Errorf("the chain ends at %q", got)
	}
}

// A claim is handed on so often and no more, and one that nobody handed on is its own chain.
func TestChainIsBounded(t *testing.T) {
	led := open("")
	if bare := must(led.Claim("Bare.", ibid.SourceReference{})); len(ledger.Chain(bare)) != 1 {
		t.Errorf("%+v", ledger.Chain(bare))
	}
	c := must(led.Claim("A fact.", must(led.Source(ibid.SourceReference{Category: "file"}, nil))))
	for n := 1; ; n++ {
		ref, err := led.Receive(c)
		if n <= 65 && err != nil || n > 65 && !errors.Is(err, ibid.ErrInvalid) {
			t.Fatalf("handed on %d times: %v", n, err)
		}
		if err != nil {
			break
		}
		c = must(led.Claim("A fact.", ref))
		if len(ledger.Chain(c)) != n+1 {
			t.Fatalf("handed on %d times, the chain is %d long", n, len(ledger.Chain(c)))
		}
	}
}

// What is sent from elsewhere names its source, or says why it needs none, and never both.
func TestState(t *testing.T) {
	led := open("")
	src := must(led.Source(ibid.SourceReference{Identifier: "a", Category: "file"}, []byte("the words")))
	for _, c := range []struct {
		sent ledger.Statement
		want string // "" where it is registered
	}{
		{ledger.Statement{Text: "Cited.", Source: "a"}, ""},
		{ledger.Statement{Text: "Quoted.", Source: "a", Quotes: []string{"words"}}, ""},
		{ledger.Statement{Text: "Bare."}, ""},
		{ledger.Statement{Text: "Counted.", Exempt: ibid.Computed}, ""},
		{ledger.Statement{Text: "x", Source: "ghost"}, `there is no source "ghost"`},
		{ledger.Statement{Text: "x", Source: "a", Exempt: ibid.Computed}, "leave out exempt"},
		{ledger.Statement{Text: "x", Quotes: []string{"words"}, Exempt: ibid.Computed}, "leave out exempt"},
	} {
		claim, err := led.State(c.sent)
		if c.want != "" {
			if !errors.Is(err, ibid.ErrInvalid) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%+v: %v", c.sent, err)
			}
			continue
		}
		if err != nil || claim.Text != c.sent.Text || claim.Cited() != (c.sent.Source == src.Identifier) || len(claim.Evidence) != len(c.sent.Quotes) || claim.Exempt != c.sent.Exempt {
			t.Errorf("%+v: %+v, %v", c.sent, claim, err)
		}
	}
	if n := len(led.Run().Claims); n != 4 {
		t.Errorf("%d claims", n)
	}
}

// A ledger whose snapshots are kept elsewhere gives each there once, and finds quotes in them only where it can load them.
func TestSnapshotsKeptElsewhere(t *testing.T) {
	kept := map[ibid.DocumentID]string{}
	times := 0
	config := ledger.Config{Now: clock(), Keep: func(id ibid.DocumentID, body []byte) error {
		if string(body) == "too much" {
			return errors.New("the disk is full")
		}
		kept[id] = string(body)
		times++
		return nil
	}}
	led := ledger.New("r1", "", config)
	var src ibid.SourceReference
	for range 2 {
		src = must(led.Source(ibid.SourceReference{Category: "file", Snapshot: ibid.HashText("the words")}, []byte("the words")))
	}
	if times != 1 || kept[src.Snapshot] != "the words" || len(led.Snapshots()) != 0 {
		t.Errorf("kept %d times: %q", times, kept)
	}
	if _, err := led.Source(ibid.SourceReference{Category: "file"}, []byte("too much")); err == nil || !strings.Contains(err.Error(), "the disk is full") || len(led.Run().Sources) != 2 {
		t.Errorf("%v, %d sources", err, len(led.Run().Sources))
	}
	if _, err := led.Claim("x", src, "words"); !errors.Is(err, ibid.ErrInvalid) || !strings.Contains(err.Error(), "kept elsewhere") {
		t.Errorf("without a way to load it: %v", err)
	}
	config.Load = func(id ibid.DocumentID) ([]byte, error) { return []byte(kept[id]), nil }
	if c := must(must(ledger.Resume(led.Run(), "", config)).Claim("x", src, "words")); c.Evidence[0].Span.In("the words") != "words" {
		t.Errorf("%+v", c)
	}
}

// The view over a book: what each agent did in all of its runs, and each wording once.
func TestSystem(t *testing.T) {
	now := clock()
	var book ledger.Book
	for _, id := range []ibid.RunID{"r1", "r2"} {
		a, b := ledger.New(id, "a", ledger.Config{Now: now}), ledger.New(id, "b", ledger.Config{Now: now})
		src := must(a.Source(ibid.SourceReference{Category: "file"}, nil))
		must(a.Claim("Cited.", src))
		must(a.Claim("Bare.", ibid.SourceReference{}))
		must(a.Exempt("Counted.", ibid.Computed))
		runs := []ibid.Run{a.Run()}
		if id == "r2" {
			must(b.Source(ibid.SourceReference{Category: "file"}, nil))
			must(b.Source(ibid.SourceReference{Category: "file"}, nil))
			runs = append(runs, b.Run())
		}
		for _, r := range runs {
			if err := book.Add(r); err != nil {
				t.Fatal(err)
			}
		}
	}
	s := book.System()
	want := []ledger.Agent{{Name: "a", Runs: 2, Sources: 2, Claims: 6, Cited: 2, Exempt: 2}, {Name: "b", Runs: 1, Sources: 2}}
	if s.Runs != 2 || !slices.Equal(s.Agents, want) {
		t.Errorf("%+v", s)
	}
	var distinct []string
	for _, d := range s.Distinct {
		distinct = append(distinct, fmt.Sprintf("%s %d %d", d.Text, d.Times, len(d.Sources)))
	}
	if want := []string{"Cited. 2 1", "Bare. 2 0", "Counted. 2 0"}; !slices.Equal(distinct, want) {
		t.Errorf("%q", distinct)
	}
}

// What several processes say of a run is put together: all sources, those too that stand with a claim alone, from the first beginning to
// the last end.
func TestMergedRunIsWhole(t *testing.T) {
	now := clock()
	a, b := ledger.New("r1", "a", ledger.Config{Now: now}), ledger.New("r1", "b", ledger.Config{Now: now})
	must(a.Claim("One.", must(a.Source(ibid.SourceReference{Identifier: "cited", Category: "file"}, nil))))
	must(b.Source(ibid.SourceReference{Identifier: "read", Category: "file"}, nil))
	first, second := a.Run(), b.Run()
	first.Sources = nil
	first.FinishedAt, second.FinishedAt = now().UTC(), now().UTC()
	for _, runs := range [][]ibid.Run{{first, second}, {second, first}} {
		var book ledger.Book
		for _, r := range runs {
			if err := book.Add(r); err != nil {
				t.Fatal(err)
			}
		}
		r := must(book.Run("r1"))
		if len(r.Sources) != 2 || r.Sources[0].Identifier != "cited" || r.Sources[1].Identifier != "read" || !r.StartedAt.Equal(first.StartedAt) || !r.FinishedAt.Equal(second.FinishedAt) {
			t.Errorf("%+v", r)
		}
	}
}

func TestDeDuplicationIsAView(t *testing.T) {
	led := open("")
	for i := range 3 {
		src := must(led.Source(ibid.SourceReference{Category: "http", Endpoint: fmt.Sprint("https://example.org/", i/2)}, []byte("same")))
		must(led.Claim("A fact.", src))
	}
	for range 2 {
		must(led.Claim("A third.", must(led.Source(ibid.SourceReference{Category: "file"}, []byte("same")))))
	}
	for range 2 { // of which nothing is known but what they are called
		must(led.Claim("Another.", must(led.Source(ibid.SourceReference{Category: "file"}, nil))))
	}
	run := led.Run()
	view := ledger.Distinct(run.Claims)
	if len(run.Claims) != 7 || len(view) != 3 || view[0].Times != 3 || len(view[0].Sources) != 2 || len(view[1].Sources) != 1 || view[2].Times != 2 || len(view[2].Sources) != 2 {
		t.Errorf("%d claims, view %+v", len(run.Claims), view)
	}
}

func TestBookRefusesWhatWasChanged(t *testing.T) {
	led := open("")
	must(led.Claim("A fact.", must(led.Source(ibid.SourceReference{Category: "http"}, nil))))
	var book ledger.Book
	for _, change := range []func(*ibid.Run){
		func(r *ibid.Run) { r.Claims[0].Text = "A lie." },
		func(r *ibid.Run) { r.Claims[0].Source.Endpoint = "https://elsewhere.example/" },
		func(r *ibid.Run) { r.ID = "other" },
	} {
		run := led.Run()
		change(&run)
		if err := book.Add(run); !errors.Is(err, ibid.ErrInvalid) {
			t.Errorf("got %v", err)
		}
	}
	if len(book.Runs()) != 0 {
		t.Error("something of it was merged")
	}
}

func TestManyGoroutinesOneLedger(t *testing.T) {
	led := open("")
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 50 {
				src := must(led.Source(ibid.SourceReference{Category: "tool"}, fmt.Appendf(nil, "%d", i)))
				must(led.Claim(fmt.Sprintf("%d says %d.", g, i), src))
			}
		})
	}
	wg.Wait()
	run := led.Run()
	seen := map[string]bool{}
	for i, c := range run.Claims {
		if c.Number != i+1 || seen[c.Source.Identifier] {
			t.Fatalf("claim %d is %+v", i+1, c)
		}
		seen[c.Source.Identifier] = true
	}
	if len(run.Claims) != 400 || len(led.Snapshots()) != 50 {
		t.Errorf("%d claims, %d snapshots", len(run.Claims), len(led.Snapshots()))
	}
}

// history lets several agents work in several runs, handing over to each other, and gives the record that each process
// ended with, some of them twice or cut short as after a crash.
func history(t *rapid.T) ([]ibid.Run, map[ibid.ClaimID]string) {
	now := clock()
	var leds []*ledger.Ledger
	agents := rapid.IntRange(1, 4).Draw(t, "agents")
	for i := range agents {
		run := ibid.RunID(rapid.SampledFrom([]string{"r1", "r2"}).Draw(t, "run"))
		name := rapid.SampledFrom([]string{"a", "b", fmt.Sprint("c", i)}).Draw(t, "agent") // two processes may be one agent
		leds = append(leds, ledger.New(run, name, ledger.Config{Now: now}))
	}
	var records []ibid.Run
	origin := map[ibid.ClaimID]string{}
	var claims []ibid.Claim
	for range rapid.IntRange(0, 10).Draw(t, "steps") {
		led := leds[rapid.IntRange(0, agents-1).Draw(t, "who")]
		var src ibid.SourceReference
		var err error
		switch do := rapid.IntRange(0, 4).Draw(t, "do"); {
		case do == 0:
			records = append(records, led.Run())
			continue
		case do == 1 && len(claims) > 0:
			from := claims[rapid.IntRange(0, len(claims)-1).Draw(t, "from")]
			if src, err = led.Receive(from); err != nil {
				continue // it had no source
			}
		case do == 2: // uncited
		default:
			src, err = led.Source(ibid.SourceReference{Category: "http", Endpoint: rapid.SampledFrom([]string{"https://a.example/", "https://b.example/"}).Draw(t, "endpoint")}, []byte("body"))
		}
		if err != nil {
			t.Fatal(err)
		}
		c, err := led.Claim(rapid.SampledFrom([]string{"One.", "Two.", "Three."}).Draw(t, "text"), src)
		if err != nil {
			t.Fatal(err)
		}
		claims = append(claims, c)
		if c.Cited() {
			origin[c.ID] = c.Source.First().Endpoint
		} else {
			origin[c.ID] = ""
		}
	}
	for _, led := range leds {
		records = append(records, led.Run())
	}
	return records, origin
}

func written(t *rapid.T, b *ledger.Book) string {
	out, err := json.Marshal(struct {
		Runs   []ibid.Run
		System ledger.System
	}{b.Runs(), b.System()})
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// Ten thousand histories of many agents: merged in any order, any number of times, in any grouping, they give the same
// book, and no claim loses its source.
func TestMergesAreOrderIndependentAndIdempotent(t *testing.T) {
	checks := flag.Lookup("rapid.checks")
	if before := checks.Value.String(); before == "100" && !testing.Short() {
		checks.Value.Set("10000")
		defer checks.Value.Set(before)
	}
	rapid.Check(t, func(t *rapid.T) {
		records, origin := history(t)
		var one, other, left, right, grouped ledger.Book
		add := func(b *ledger.Book, r ibid.Run) {
			if err := b.Add(r); err != nil {
				t.Fatal(err)
			}
		}
		for _, r := range records {
			add(&one, r)
		}
		for _, i := range rapid.Permutation(order(len(records))).Draw(t, "order") {
			add(&other, records[i])
			if i%2 == 0 {
				add(&other, records[i])
				add(&left, records[i])
			} else {
				add(&right, records[i])
			}
		}
		grouped.Merge(&right)
		grouped.Merge(&left)
		grouped.Merge(&left)
		want := written(t, &one)
		if got := written(t, &other); got != want {
			t.Fatalf("in another order\n%s\nnot\n%s", got, want)
		}
		if got := written(t, &grouped); got != want {
			t.Fatalf("in groups\n%s\nnot\n%s", got, want)
		}
		found := 0
		for _, r := range one.Runs() {
			for _, c := range r.Claims {
				found++
				from, ok := origin[c.ID]
				if got := ""; c.Cited() {
					got = c.Source.First().Endpoint
					ok = ok && got == from
				} else {
					ok = ok && from == ""
				}
				if !ok || c.Run != r.ID {
					t.Fatalf("claim %+v lost its source %q", c, from)
				}
			}
		}
		if found != len(origin) {
			t.Fatalf("%d claims of %d", found, len(origin))
		}
	})
}

func order(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// What would not be the same once it was written and read is refused where it is registered, and not taken for a forgery later.
func TestOnlyWhatCanBeWrittenIsRegistered(t *testing.T) {
	led := ledger.New("r", "a", ledger.Config{Now: time.Now})
	for what, ref := range map[string]ibid.SourceReference{
		"metadata":       {Category: "http", Metadata: map[string]string{"etag": "\xff"}},
		"name in it":     {Category: "http", Metadata: map[string]string{"\xff": "x"}},
		"tool":           {Category: "http", Tool: "\xff"},
		"hash of query":  {Category: "http", QueryHash: "\xff"},
		"a distant year": {Category: "http", FetchedAt: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)},
		"an ancient one": {Category: "http", FetchedAt: time.Date(-1, 12, 31, 0, 0, 0, 0, time.UTC)},
	} {
		if _, err := led.Source(ref, nil); !errors.Is(err, ibid.ErrInvalid) {
			t.Errorf("%s: %v", what, err)
		}
	}
	for _, l := range []*ledger.Ledger{ledger.New("r\xff", "a", ledger.Config{Now: time.Now}), ledger.New("r", "a\xff", ledger.Config{Now: time.Now})} {
		_, err := l.Claim("a claim", ibid.SourceReference{})
		_, err2 := l.Source(ibid.SourceReference{Category: "http"}, nil)
		if !errors.Is(err, ibid.ErrInvalid) || !errors.Is(err2, ibid.ErrInvalid) {
			t.Errorf("%v, %v", err, err2)
		}
	}
}

// What another process sends was not registered here: it is held to the same rules before it counts.
func TestMergedClaimsKeepTheRules(t *testing.T) {
	source := &ibid.SourceReference{Identifier: "page-1", Category: "http", Snapshot: "aa"}
	words := []ibid.Anchor{{Document: "aa", Span: ibid.Span{Start: 0, End: 3}}}
	for name, c := range map[string]ibid.Claim{
		"":                            {Text: "a claim", Source: source, Evidence: words},
		"exempt as \"because\"":       {Text: "a claim", Exempt: "because"},
		"is exempt and has a source":  {Text: "a claim", Exempt: ibid.Computed, Source: source},
		"which is not its source":     {Text: "a claim", Source: &ibid.SourceReference{Identifier: "page-1", Category: "http", Snapshot: "bb"}, Evidence: words},
		"of aa, which is not its sou": {Text: "a claim", Evidence: words},
	} {
		c.Run, c.Number = "r", 1
		c.ID = c.Identify()
		var book ledger.Book
		err := book.Add(ibid.Run{ID: "r", Claims: []ibid.Claim{c}})
		if name == "" && err != nil || name != "" && (!errors.Is(err, ibid.ErrInvalid) || !strings.Contains(err.Error(), name)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if blank := (ibid.Claim{Text: "a claim", Source: &ibid.SourceReference{Identifier: " "}}); blank.Cited() {
		t.Error("a blank identifier cites")
	}
}

// Whatever JSON is taken for a run: written, read and merged again it is the same.
func FuzzBook(f *testing.F) {
	led := ledger.New("r", "a", ledger.Config{Now: func() time.Time { return time.Unix(1, 0) }})
	source, err := led.Source(ibid.SourceReference{Category: "http", Metadata: map[string]string{"rank": "1"}}, []byte("three weeks"))
	if err != nil {
		f.Fatal(err)
	}
	if _, err := led.Claim("It took three weeks.", source, "three weeks"); err != nil {
		f.Fatal(err)
	}
	b, err := json.Marshal(led.Run())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		var run ibid.Run
		var book, again ledger.Book
		if json.Unmarshal(b, &run) != nil {
			return
		}
		for i := range run.Claims { // no chance finds a hash
			run.Claims[i].Run = run.ID
			run.Claims[i].ID = run.Claims[i].Identify()
		}
		if book.Add(run) != nil {
			return
		}
		for _, r := range book.Runs() {
			b, err := json.Marshal(r)
			if err != nil {
				continue // a year that JSON does not have
			}
			var read ibid.Run
			if err := json.Unmarshal(b, &read); err != nil {
				t.Fatal(err)
			}
			if err := again.Add(read); err != nil {
				t.Fatal(err)
			}
			if err := book.Add(read); err != nil {
				t.Fatal(err)
			}
		}
		one, _ := json.Marshal(book.Runs())
		two, _ := json.Marshal(again.Runs())
		if string(one) != string(two) {
			t.Fatalf("%s became %s", one, two)
		}
	})
}

// The rung of a link says who made it: code, an assistant that quotes the library, or an assistant alone. A claim that is handed
// over stands no higher than where it came from.
func TestRungSaysWhoMadeTheLink(t *testing.T) {
	l := open("a")
	told := map[string]string{ibid.ToldBy: "assistant"}
	source := func(category string, metadata map[string]string) ibid.SourceReference {
		return must(l.Source(ibid.SourceReference{Category: category, Metadata: metadata}, []byte("It is red.")))
	}
	handed := func(c ibid.Claim) ibid.Claim {
		other := open("b")
		return must(other.Claim("Red.", must(other.Receive(c))))
	}
	word := must(l.Claim("Red.", source("page", told), "red"))
	for name, test := range map[string]struct {
		claim ibid.Claim
		want  ibid.Trust
	}{
		"no source":                  {must(l.Claim("Red.", ibid.SourceReference{})), ibid.Unlinked},
		"code":                       {must(l.Claim("Red.", source("http", nil))), ibid.ToolBoundary},
		"code, of the library":       {must(l.Claim("Red.", source(ibid.FromLibrary, nil))), ibid.ToolBoundary},
		"an assistant's word":        {word, ibid.Marked},
		"one that names the library": {must(l.Claim("Red.", source(ibid.FromLibrary, told))), ibid.Marked},
		"one that quotes it":         {must(l.Claim("Red.", source(ibid.FromLibrary, told), "red")), ibid.Quoted},
		"its word, handed over":      {handed(word), ibid.Marked},
		"code, handed over":          {handed(must(l.Claim("Red.", source("http", nil)))), ibid.ToolBoundary},
	} {
		if got := test.claim.Trust(); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
