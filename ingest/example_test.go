package ingest_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/ingest"
)

// From bytes to what a library stores.
func Example() {
	file := []byte("---\ntitle: The First Cable\nauthor: Jane van der Berg\ndate: 2021-03-04\n---\n\n# August 1858\n\nThe cable carried its *first* message on [16 August](log.md).\n")

	res, err := ingest.Read(context.Background(), file, ingest.Hint{Name: "cable.md"})
	if err != nil {
		fmt.Println("cable.md:", err)
		return
	}
	doc := ibid.Document{ID: ibid.HashText(res.Text), MediaType: res.MediaType, Text: res.Text, Outline: res.Outline}
	for _, c := range ingest.Chunks(doc) {
		fmt.Printf("%s %q\n", c.Locator(c.At.Span.Start), c.Text)
	}
	fmt.Println(res.Reference.Title(), res.Reference.Names["author"], res.Reference.Year())
	// Output:
	// § August 1858 "August 1858\n\nThe cable carried its first message on 16 August."
	// The First Cable [Jane van der Berg] 2021
}

// What is wrong with a file is in the words of the error, and what to do about it in its kind.
func ExampleRead() {
	_, err := ingest.Read(context.Background(), []byte("\x89PNG\r\n\x1a\n"), ingest.Hint{Name: "notes.txt"})
	fmt.Println(err)
	fmt.Println(errors.Is(err, ingest.ErrBinary), errors.Is(err, ibid.ErrInvalid))
	// Output:
	// not text: a PNG picture
	// true true
}

// The size of a file is held against the limits before it is opened.
func ExampleLimits_Check() {
	fmt.Println(ingest.Limits{}.Check(1 << 30))
	// Output:
	// too large: 1.0 GB, where at most 128 MB are read
}
