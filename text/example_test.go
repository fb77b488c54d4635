package text_test

import (
	"fmt"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/text"
)

func ExampleSentences() {
	s := "Dr. Whitehouse used approx. 2,000 volts. The cable failed\nin Sept. 1858. \"Why?\" Field asked."
	for _, at := range text.Sentences(s) {
		fmt.Printf("%v %q\n", at, at.In(s))
	}
	// Output:
	// [0,41) "Dr. Whitehouse used approx. 2,000 volts. "
	// [41,73) "The cable failed\nin Sept. 1858. "
	// [73,92) "\"Why?\" Field asked."
}

func ExamplePieces() {
	s := "## The cable\n\nIt had two makers:\n\n- Glass, Elliot & Co. They worked at Greenwich.\n- R. S. Newall & Co.\n"
	for _, p := range text.Pieces(s) {
		fmt.Printf("%-8s %s\n", p.Kind, p.At.In(s))
	}
	// Output:
	// heading  ## The cable
	// sentence It had two makers:
	// item     - Glass, Elliot & Co.
	// item     They worked at Greenwich.
	// item     - R. S. Newall & Co.
}

// A sentence is given out as soon as the words behind it show that it is over.
func ExampleSplitter() {
	var all string
	split := text.NewSplitter()
	show := func(pieces []text.Piece) {
		for _, p := range pieces {
			fmt.Printf("%q\n", p.At.In(all))
		}
	}
	for _, delta := range []string{"The U", ".S", ". Navy lent a ship", ". ", "It sai", "led in 1857."} {
		all += delta
		fmt.Printf("+ %q\n", delta)
		show(split.Write(delta))
	}
	fmt.Println("closed")
	show(split.Close())
	// Output:
	// + "The U"
	// + ".S"
	// + ". Navy lent a ship"
	// + ". "
	// + "It sai"
	// "The U.S. Navy lent a ship."
	// + "led in 1857."
	// closed
	// "It sailed in 1857."
}

func ExampleBlocks() {
	s := "# Title\n\nA paragraph. Two sentences.\n\n| a | b |\n"
	for _, b := range text.Blocks(s) {
		fmt.Printf("%-8s %q\n", b.Kind, b.At.In(s))
	}
	// Output:
	// heading  "# Title\n\n"
	// sentence "A paragraph. Two sentences.\n\n"
	// row      "| a | b |\n"
}

func ExampleWords() {
	s := "It cost £1,000 a mile."
	for _, w := range text.Words(s) {
		fmt.Print(w.In(s), "|")
	}
	// Output: It|cost|1,000|a|mile|
}

// A quote is found in its normal form, and shown as it stands in the original.
func ExampleNormalize() {
	s := "He wrote: “the  ﬁrst\u00adborn”."
	n := text.Normalize(s)
	fmt.Println(n.Text())
	fmt.Println(n.Original(ibid.Span{Start: 10, End: 24}).In(s) == "“the  ﬁrst\u00adborn")
	// Output:
	// He wrote: "the firstborn".
	// true
}

func ExampleConfusable() {
	s := "The cаble of 1858" // the second letter of the second word is Cyrillic
	for _, at := range text.Confusable(s) {
		fmt.Println(at)
	}
	// Output: [4,10)
}

func ExampleOffsets() {
	at := text.NewOffsets("a 😀 b").FromByte(7)
	fmt.Println(at.Byte, at.Rune, at.UTF16)
	// Output: 7 4 5
}
