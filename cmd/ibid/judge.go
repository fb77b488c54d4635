package main

import (
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/entail"
	"github.com/ibid-dev/ibid/llm"
)

// engine makes the attributor that the settings ask for.
func (a *app) engine() (*attribute.Engine, error) {
	c := attribute.Config{Claims: attribute.IsClaim}
	switch how := first(a.flags.judge, a.conf.Judge, "auto"); how {
	case "off":
	case "auto", "always":
		m, err := a.entailment()
		if err != nil {
			return nil, hint(err, "--judge off decides by words alone")
		}
		c.Judge, c.Always = m, how == "always"
	case "model":
		m, err := a.model()
		if err != nil {
			return nil, err
		}
		if _, none := m.(llm.Extractive); none {
			return nil, hint(usagef("--judge model: no language model is configured"), "ibid help config")
		}
		c.Judge = llm.Judge{Model: m}
	default:
		return nil, usagef("--judge %q: choose off, auto, always or model", how)
	}
	return attribute.New(c), nil
}

// entailment is the built-in model, read when it is first needed: that takes a moment.
func (a *app) entailment() (*entail.Model, error) {
	if a.opened.entail == nil {
		m, err := entail.Open()
		if err != nil {
			return nil, err
		}
		a.opened.entail = m
	}
	return a.opened.entail, nil
}
