package attribute

import (
	_ "embed"
	"strconv"
	"strings"
)

// neighbours lists for a word those that are used alike, with their nearness in hundredths.
//
//go:embed near.txt
var neighbours string

type neighbour struct {
	key      string
	nearness float64
}

var near = func() map[string][]neighbour {
	m := map[string][]neighbour{}
	for line := range strings.Lines(neighbours) {
		f := strings.Fields(line)
		for i := 1; i+1 < len(f); i += 2 {
			n, _ := strconv.Atoi(f[i+1])
			m[f[0]] = append(m[f[0]], neighbour{f[i], float64(n) / 100})
		}
	}
	return m
}()
