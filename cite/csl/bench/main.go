// Command bench renders the bibliography of a CSL-JSON file, to be timed beside other processors. Its one purpose is
// compare.sh.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strconv"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/cite/csl"
)

func main() {
	if len(os.Args) != 3 && len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: bench STYLE.csl ITEMS.json [HOW-MANY] > ENTRIES")
		os.Exit(2)
	}
	most := 0 // all
	if len(os.Args) == 4 {
		most, _ = strconv.Atoi(os.Args[3])
	}
	if err := run(os.Args[1], os.Args[2], most); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(styleFile, itemsFile string, most int) error {
	f, err := os.Open(styleFile)
	if err != nil {
		return err
	}
	defer f.Close()
	style, err := csl.ParseStyle(f)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(itemsFile)
	if err != nil {
		return err
	}
	var items []ibid.Reference
	if err := json.Unmarshal(data, &items); err != nil {
		return err
	}
	if most > 0 && most < len(items) {
		items = items[:most]
	}
	doc, err := csl.NewDocument(style, csl.Options{Items: items})
	if err != nil {
		return err
	}
	doc.Nocite()
	bibliography, err := doc.Bibliography(csl.Text)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for _, e := range bibliography.Entries {
		fmt.Fprintln(out, e.Text)
	}
	return nil
}
