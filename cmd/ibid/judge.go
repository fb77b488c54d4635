package main

import (
	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/entail"
	"github.com/ibid-dev/ibid/llm"
)

// judges are what --judge, IBID_JUDGE and the configuration may say.
var judges = []string{"auto", "always", "off", "model"}

// engine makes the attributor that the settings ask for.
func (a *app) engine() (*attribute.Engine, error) {
	how := first(a.flags.judge, a.conf.Judge, "auto")
	j, err := a.judge(how)
	if err != nil {
		return nil, err
	}
	return attribute.New(attribute.Config{Claims: attribute.IsClaim, Judge: j, Always: how == "always"}), nil
}

// conflictJudge is the second opinion on what cannot both hold, nil unless it was asked for: the built-in model alone is
// too ready to see a contradiction between statements on different things.
func (a *app) conflictJudge() (ibid.Judge, error) {
	if how := a.flags.judge; how != "auto" && how != "" {
		return a.judge(how)
	}
	return nil, nil
}

// judge is the one of judges that a setting names, nil for off.
func (a *app) judge(how string) (ibid.Judge, error) {
	switch how {
	case "off":
		return nil, nil
	case "auto", "always":
		m, err := a.entailment()
		if err != nil {
			return nil, hint(err, "--judge off decides by words alone")
		}
		return m, nil
	}
	m, err := a.model()
	if err != nil {
		return nil, err
	}
	if _, none := m.(llm.Extractive); none {
		return nil, hint(usagef("--judge model: no language model is configured"), "ibid help config")
	}
	return llm.Judge{Model: m}, nil
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
