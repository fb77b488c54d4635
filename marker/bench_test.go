package marker_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid/marker"
)

// ticksOfAllLengths are runs of backticks of which no two close each other.
func ticksOfAllLengths() string {
	var b strings.Builder
	for n := 1; n < 60; n++ {
		b.WriteString(strings.Repeat("`", n) + "a")
	}
	return b.String()
}

var hostile = map[string]string{
	"prose":    "The first cable was completed on 5 August 1858 [CTX 1]. {{llm:It was a sensation.}} ",
	"openings": "{{rag:",
	"markers":  "{{rag:a}}[1]",
	"ticks":    ticksOfAllLengths() + "[1]",
	"both":     "{{rag:" + ticksOfAllLengths(),
	"brackets": "[1",
	"links":    "[a](",
	"parens":   "(Source ",
	"lenses":   "【1",
	"raised":   "¹",
	"spaces":   " ",
	"lines":    "\n",
	"fences":   "`\n```a`",
	"notes":    "[^1] a.\n",
	"defs":     "a [1]\n[1]: https://example.org/letters\n",
}

// BenchmarkHostile shows what the segments of 128 KB cost, whole and in deltas of four bytes.
func BenchmarkHostile(b *testing.B) {
	for name, unit := range hostile {
		raw := strings.Repeat(unit, 1<<17/len(unit))
		for _, step := range []int{len(raw), 4} {
			b.Run(fmt.Sprintf("%s/%d", name, step), func(b *testing.B) {
				b.SetBytes(int64(len(raw)))
				for b.Loop() {
					s := marker.NewSegmenter(five)
					for i := 0; i < len(raw); i += step {
						s.Write(raw[i:min(len(raw), i+step)])
					}
					s.Close()
				}
			})
		}
	}
}
