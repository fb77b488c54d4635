package main

import (
	"context"
	"errors"
)

type fetched struct {
	Body           []byte
	MediaType, URL string
}

func (a *app) fetch(ctx context.Context, address string) (fetched, error) {
	return fetched{}, errors.New("fetching is not wired yet")
}
