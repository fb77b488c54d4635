package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/entail"
	"github.com/ibid-dev/ibid/fetch"
	"github.com/ibid-dev/ibid/index"
	"github.com/ibid-dev/ibid/llm"
	"github.com/ibid-dev/ibid/sqlite"
	"github.com/ibid-dev/ibid/workflow"
)

// opened holds what is opened on first use and closed when the program ends.
type opened struct {
	store *sqlite.Store
	log   *sqlite.Log
	index *index.Index

	entail *entail.Model
}

// store opens the record of the data folder with its log. It is closed when the program ends.
func (a *app) store(ctx context.Context) (*sqlite.Store, error) {
	if a.opened.store != nil {
		return a.opened.store, nil
	}
	dir, err := a.data()
	if err != nil {
		return nil, err
	}
	store, err := sqlite.Open(ctx, dir)
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return nil, noFolder(dir, path)
	}
	if err != nil {
		return nil, err
	}
	a.onClose(store.Close)
	log, err := store.Log(ctx, sqlite.LogConfig{Now: a.now})
	if err != nil {
		return nil, err
	}
	a.opened.store, a.opened.log = store, log
	return store, nil
}

// errNoLibrary says that there is nothing to look at.
var errNoLibrary = errors.New("there is no library")

// log opens the record and gives its log. Where there is none, none is made: what is not there cannot be verified, and the
// error wraps errNoLibrary.
func (a *app) log(ctx context.Context) (*sqlite.Log, error) {
	dir, err := a.dataFolder()
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(dir, sqlite.FileName)); errors.Is(err, fs.ErrNotExist) {
		return nil, hint(fmt.Errorf("%w in %s", errNoLibrary, dir), "name its folder with --data; what is ingested or answered makes one")
	}
	if _, err := a.store(ctx); err != nil {
		return nil, err
	}
	return a.opened.log, nil
}

// index opens the index beside the record, bringing it up to date where it is behind.
func (a *app) index(ctx context.Context) (*index.Index, error) {
	if a.opened.index != nil {
		return a.opened.index, nil
	}
	store, err := a.store(ctx)
	if err != nil {
		return nil, err
	}
	dir, err := a.data()
	if err != nil {
		return nil, err
	}
	bar := a.progress("indexing")
	c := index.Config{
		Progress: func(done, total int64) { bar.show(int(done), int(total), 0, "") },
		Warn:     func(err error) { a.notice("passages are found by words alone: %v", err) },
		English:  attribute.English, EnglishName: attribute.EnglishVersion(),
	}
	if a.conf.Retrieve.Vectors {
		m, err := a.entailment()
		if err != nil {
			return nil, err
		}
		c.Embedder, c.EmbedderName = m, m.Config().Name
	}
	ix, err := index.Open(ctx, filepath.Join(dir, "index"), store, c)
	bar.clear()
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return nil, hint(err, "the index is made of the library: give it to who runs ibid, or remove %s, and it is made anew", typed(filepath.Join(dir, "index")))
	}
	if err != nil {
		return nil, err
	}
	a.onClose(ix.Close)
	a.opened.index = ix
	return ix, nil
}

// updateIndex brings the index up to date, so that the next question need not wait for it.
func (a *app) updateIndex(ctx context.Context) error {
	ix, err := a.index(ctx)
	if err != nil {
		return err
	}
	return ix.Update(ctx)
}

// asker wires what answers questions.
func (a *app) asker(ctx context.Context) (*workflow.Asker, error) {
	model, err := a.model()
	if err != nil {
		return nil, err
	}
	ix, err := a.index(ctx)
	if err != nil {
		return nil, err
	}
	through, err := a.gate(ctx, "", "")
	if err != nil {
		return nil, err
	}
	if err := a.opened.log.Ready(ctx); err != nil { // before a word is shown that could not be recorded
		return nil, err
	}
	engine, err := a.engine()
	if err != nil {
		return nil, err
	}
	return &workflow.Asker{
		Gate:      through,
		Retriever: ix, Model: model, Attributor: engine, Record: a.opened.store.In(a.conf.Collection),
		Now: a.now, NewID: newAnswerID, Passages: a.conf.Retrieve.Passages, Budget: a.conf.Retrieve.Characters,
	}, nil
}

func newAnswerID() ibid.AnswerID {
	var b [8]byte
	rand.Read(b[:])
	return ibid.AnswerID(hex.EncodeToString(b[:]))
}

// model makes the configured model, or the extractive answerer where none is.
func (a *app) model() (ibid.Model, error) {
	c := a.conf.Model
	var m ibid.Model
	var err error
	if c.Name == "" && slices.Contains([]string{"openai", "ollama", "anthropic"}, c.Provider) {
		return nil, hint(usagef("the provider is %s, and no model is named", c.Provider), "set IBID_MODEL, or name in the [model] of the configuration, to one that the server has")
	}
	switch c.Provider {
	case "", "extractive":
		if c.Name != "" && c.Provider == "" {
			return nil, hint(usagef("a model is named (%s) but no provider", c.Name), "set IBID_PROVIDER to openai, anthropic or ollama")
		}
		return llm.Extractive{English: attribute.English}, nil
	case "openai":
		m, err = llm.NewOpenAI(c.Name, llm.OpenAIConfig{Key: a.env("OPENAI_API_KEY"), BaseURL: first(c.BaseURL, a.env("OPENAI_BASE_URL"))})
	case "ollama":
		m, err = llm.NewOpenAI(c.Name, llm.OpenAIConfig{Name: "ollama", BaseURL: first(c.BaseURL, "http://localhost:11434/v1")})
	case "anthropic":
		m, err = llm.NewAnthropic(c.Name, llm.AnthropicConfig{Key: a.env("ANTHROPIC_API_KEY"), BaseURL: first(c.BaseURL, a.env("ANTHROPIC_BASE_URL")), Citations: c.Citations})
	default:
		return nil, hint(usagef("model provider %q is not known", c.Provider), "choose openai, anthropic, ollama or extractive")
	}
	if err != nil {
		return nil, err
	}
	// Each attempt has its own limits on silence; the whole has the configured one.
	m = llm.Retry(llm.Timeouts(m, llm.Limits{First: 2 * time.Minute, Between: time.Minute}), llm.RetryConfig{})
	return llm.Timeouts(m, llm.Limits{Whole: time.Duration(c.Timeout)}), nil
}

// fetcher gets pages without opening a door into the network it runs in. There is one for all of them: each would keep connections of
// its own.
func (a *app) fetcher() *fetch.Fetcher {
	a.pages.once.Do(func() {
		a.pages.fetcher = fetch.New(fetch.Config{AllowPrivate: a.conf.Fetch.AllowPrivate, AllowPorts: a.conf.Fetch.AllowPorts, Now: a.now})
	})
	return a.pages.fetcher
}

// answer finds an answer by its id, the beginning of it, or "last".
func (a *app) answer(ctx context.Context, store *sqlite.Store, id string) (ibid.Answer, error) {
	if strings.TrimSpace(id) == "" {
		return ibid.Answer{}, hint(usagef("no answer is named"), "ibid show lists the latest answers")
	}
	if id == "last" {
		heads, err := a.answerHeads(ctx, store, 1)
		if err != nil {
			return ibid.Answer{}, err
		}
		if len(heads) == 0 && a.conf.Collection != "" {
			return ibid.Answer{}, hint(fmt.Errorf("there are no answers yet in collection %q", shown(a.conf.Collection)), `ibid ask "…" makes one; is it of another collection`)
		}
		if len(heads) == 0 {
			return ibid.Answer{}, hint(errors.New("there are no answers yet"), `ibid ask "…" makes one`)
		}
		id = string(heads[0].ID)
	}
	answer, err := store.Answer(ctx, ibid.AnswerID(strings.ToLower(id)))
	if errors.Is(err, ibid.ErrNotFound) || errors.Is(err, ibid.ErrAmbiguous) {
		return ibid.Answer{}, hint(err, "ibid show lists the latest answers")
	}
	return answer, err
}

// sourceIDs resolves shortened ids of sources.
func (a *app) sourceIDs(ctx context.Context, ids []string) ([]ibid.SourceID, error) {
	var out []ibid.SourceID
	for _, id := range ids {
		store, err := a.store(ctx)
		if err != nil {
			return nil, err
		}
		s, err := store.Source(ctx, ibid.SourceID(strings.ToLower(id)))
		if err != nil {
			return nil, hint(err, "ibid sources lists them")
		}
		out = append(out, s.ID)
	}
	return out, nil
}
