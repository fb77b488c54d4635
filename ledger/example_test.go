package ledger_test

import (
	"context"
	"fmt"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/ledger"
)

// The three lines that an agent's author writes: the ledger, the wrapped tool, and each claim with what it rests on.
func Example() {
	now := func() time.Time { return time.Date(2026, 11, 15, 6, 0, 0, 0, time.UTC) }
	search := func(_ context.Context, query string) (string, error) {
		return "The landing was completed on 5 August 1858.", nil
	}

	led := ledger.New("run-1", "researcher", ledger.Config{Now: now})
	captured := ledger.Capture(led, ledger.Tool{Name: "search", Endpoint: "https://search.example/"}, search)

	text, source, err := captured(context.Background(), "first transatlantic cable")
	if err != nil {
		fmt.Println(err)
		return
	}
	led.Claim("The cable was completed on 5 August 1858.", source, "5 August 1858")
	led.Exempt("One page was read.", ibid.AboutRun)

	fmt.Println(text)
	for _, c := range led.Run().Claims {
		fmt.Println(c.Cited(), c.RequiresAttribution(), c.Text)
	}
	fmt.Println(source.Identifier, source.Endpoint, source.FetchedAt.Format(time.RFC3339))
	// Output:
	// The landing was completed on 5 August 1858.
	// true true The cable was completed on 5 August 1858.
	// false false One page was read.
	// search-1 https://search.example/ 2026-11-15T06:00:00Z
}

// A struct whose fields are claims: no text has to be taken apart to find them.
func ExampleLedger_Struct() {
	led := ledger.New("run-1", "analyst", ledger.Config{Now: func() time.Time { return time.Unix(0, 0) }})
	page, _ := led.Source(ibid.SourceReference{Category: "http", Endpoint: "https://example.org/q3"}, []byte("…"))
	claims, err := led.Struct(struct {
		Shift float64 `claim:"The market shifted by {} % in Q3." source:"Page"`
		Pages int     `claim:"{} page was read." exempt:"run"`
		Page  ibid.SourceReference
	}{4.5, 1, page})
	for _, c := range claims {
		fmt.Println(c.Text, c.Cited())
	}
	fmt.Println(err)
	// Output:
	// The market shifted by 4.5 % in Q3. true
	// 1 page was read. false
	// <nil>
}

// What one agent hands to another keeps its chain back to the first tool call.
func ExampleLedger_Receive() {
	config := ledger.Config{Now: func() time.Time { return time.Unix(0, 0) }}
	reader, writer := ledger.New("run-1", "reader", config), ledger.New("run-1", "writer", config)

	page, _ := reader.Source(ibid.SourceReference{Category: "http", Endpoint: "https://example.org/cable"}, []byte("…"))
	found, _ := reader.Claim("The cable worked for three weeks.", page)

	handed, _ := writer.Receive(found)
	said, _ := writer.Claim("It fell silent within the month.", handed)

	for _, c := range ledger.Chain(said) {
		fmt.Printf("%s: %s\n", c.Agent, c.Text)
	}
	fmt.Println(said.Source.First().Endpoint)
	// Output:
	// writer: It fell silent within the month.
	// reader: The cable worked for three weeks.
	// https://example.org/cable
}
