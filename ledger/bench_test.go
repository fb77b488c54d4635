package ledger_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/ibid-dev/ibid/ledger"
)

// BenchmarkCapture is what a captured call of a tool costs that returns 10 KB, with one claim made of it.
func BenchmarkCapture(b *testing.B) {
	page := strings.Repeat("The wire spoke for three weeks. ", 320)
	led := ledger.New("r", "a", ledger.Config{Now: time.Now})
	tool := ledger.Capture(led, ledger.Tool{Name: "search"}, func(context.Context, string) (string, error) { return page, nil })
	b.ReportAllocs()
	for b.Loop() {
		_, src, err := tool(b.Context(), "cable")
		if err == nil {
			_, err = led.Claim("It worked for three weeks.", src)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}
