package entail_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/entail"
)

// A passage is held against two sentences.
func ExampleModel_Judge() {
	m, err := entail.Open()
	if errors.Is(err, entail.ErrNoWeights) {
		return // built without a model: words alone are evidence
	}
	if err != nil {
		log.Fatal(err)
	}
	passage := "The landing at Knightstown was completed on 5 August 1858."
	js, err := m.Judge(context.Background(), []ibid.Pair{
		{Evidence: passage, Claim: "The cable came ashore in August 1858."},
		{Evidence: passage, Claim: "The cable came ashore in May 1866."},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, j := range js {
		fmt.Printf("supported %.2f, contradicted %.2f\n", j.Supported, j.Contradicted)
	}
}
