package web

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/experiment"
	"github.com/ibid-dev/ibid/workflow"
)

func (s *Server) mountExperiments() {
	add(s, operation{id: "startExperiment", method: "POST", path: "/api/v1/experiments", tag: "learning", summary: "Compare two settings on the questions to come", scope: api.Admin, status: 201,
		doc: "One runs at a time in a collection. Which setting a question gets goes by the hash of its conversation; each answer is attributed under both, and the pairs are compared."}, s.startExperiment)
	add(s, operation{id: "listExperiments", method: "GET", path: "/api/v1/experiments", tag: "learning", summary: "List experiments, the latest first", scope: api.Read}, s.listExperiments)
	add(s, operation{id: "getExperiment", method: "GET", path: "/api/v1/experiments/{id}", tag: "learning", summary: "An experiment with what is known by now", scope: api.Read}, s.getExperiment)
	add(s, operation{id: "stopExperiment", method: "POST", path: "/api/v1/experiments/{id}/stop", tag: "learning", summary: "End an experiment by hand", scope: api.Admin}, s.stopExperiment)
	add(s, operation{id: "eraseExperiment", method: "DELETE", path: "/api/v1/experiments/{id}", tag: "learning", summary: "Erase an experiment that ended, with what it came to", scope: api.Admin, status: http.StatusNoContent}, s.eraseExperiment)
}

type newExperimentForm struct {
	Name string       `json:"name" minLength:"1" maxLength:"200"`
	A    api.Settings `json:"a"`
	B    api.Settings `json:"b"`
	Rule *api.Rule    `json:"rule,omitempty"`
}

func (s *Server) startExperiment(ctx context.Context, in *body[newExperimentForm]) (*body[api.Experiment], error) {
	record := callerOf(ctx).record()
	if in.Body.A == in.Body.B {
		return nil, invalid("body.b", "both settings are the same")
	}
	if running, err := record.RunningExperiment(ctx); err == nil {
		return nil, &statusError{http.StatusConflict, errors.New("the experiment " + running.ID + " is still running: stop it first")}
	} else if !errors.Is(err, ibid.ErrNotFound) {
		return nil, err
	}
	e := api.Experiment{ID: newID(), Name: in.Body.Name, A: in.Body.A, B: in.Body.B, State: "running", CreatedAt: s.Asker.Now().UTC()}
	if in.Body.Rule != nil {
		e.Rule = *in.Body.Rule
	}
	return &body[api.Experiment]{e}, record.PutExperiment(ctx, e)
}

func (s *Server) listExperiments(ctx context.Context, _ *struct{}) (*body[api.Page[api.Experiment]], error) {
	list, err := callerOf(ctx).record().Experiments(ctx)
	return &body[api.Page[api.Experiment]]{api.Page[api.Experiment]{Items: listed(list)}}, err
}

func (s *Server) getExperiment(ctx context.Context, in *idParam) (*body[api.Experiment], error) {
	e, err := s.measured(ctx, callerOf(ctx), in.ID)
	return &body[api.Experiment]{e}, err
}

// measured gives an experiment with its result as it stands.
func (s *Server) measured(ctx context.Context, c *caller, id string) (api.Experiment, error) {
	e, err := c.record().Experiment(ctx, id)
	if err != nil {
		return e, err
	}
	pairs, err := c.record().Outcomes(ctx, id)
	if err != nil {
		return e, err
	}
	r := experiment.Compare(pairs, experiment.Rule{Alpha: e.Rule.Alpha, Least: e.Rule.Least, Most: e.Rule.Most})
	e.Result = &api.Result{Pairs: r.Pairs, MeanA: api.Near(r.MeanA), MeanB: api.Near(r.MeanB), Difference: api.Near(r.Difference), Low: api.Near(r.Interval.Low), High: api.Near(r.Interval.High),
		SignTest: api.Near(r.SignTest), Evidence: api.Near(r.Evidence), Decision: string(r.Decision), DecidedAt: r.DecidedAt}
	return e, nil
}

func (s *Server) stopExperiment(ctx context.Context, in *idParam) (*body[api.Experiment], error) {
	c := callerOf(ctx)
	e, err := s.measured(ctx, c, in.ID)
	if err == nil && e.State == "running" {
		err = s.endExperiment(ctx, c, &e)
	}
	return &body[api.Experiment]{e}, err
}

func (s *Server) endExperiment(ctx context.Context, c *caller, e *api.Experiment) error {
	now := s.Asker.Now().UTC()
	e.State, e.StoppedAt = "stopped", &now
	return c.record().PutExperiment(ctx, *e)
}

func (s *Server) eraseExperiment(ctx context.Context, in *idParam) (*struct{}, error) {
	record := callerOf(ctx).record()
	e, err := record.Experiment(ctx, in.ID)
	if err == nil && e.State == "running" {
		err = &statusError{http.StatusConflict, errors.New("the experiment is still running: stop it first")}
	}
	if err != nil {
		return nil, err
	}
	return nil, record.EraseExperiment(ctx, e.ID)
}

// trial is a question that takes part in an experiment.
type trial struct {
	experiment api.Experiment
	unit       string
	arm        experiment.Arm
}

// enrol gives the asker the setting that the question's unit gets in the running experiment, if there is one.
func (s *Server) enrol(ctx context.Context, c *caller, asker *workflow.Asker, q workflow.Question) (*trial, error) {
	e, err := c.record().RunningExperiment(ctx)
	if errors.Is(err, ibid.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	t := &trial{experiment: e, unit: or(string(q.Conversation), newID())}
	t.arm = experiment.Assign(e.ID, t.unit)
	set := t.settings(t.arm)
	if set.Strategy != "" {
		if asker.Attributor, err = attribute.With(attribute.Strategy(set.Strategy), s.engine); err != nil {
			return nil, err
		}
	}
	asker.Passages = or(set.Passages, asker.Passages)
	return t, nil
}

func (t *trial) settings(a experiment.Arm) api.Settings {
	if a == experiment.A {
		return t.experiment.A
	}
	return t.experiment.B
}

// conclude attributes the answer under both settings, keeps the pair, and ends the experiment where its rule says so.
func (s *Server) conclude(ctx context.Context, c *caller, t *trial, a ibid.Answer) error {
	var pair experiment.Pair
	for _, arm := range []struct {
		set api.Settings
		to  *float64
	}{{t.experiment.A, &pair.A}, {t.experiment.B, &pair.B}} {
		var err error
		if *arm.to, err = s.coverageUnder(ctx, c, arm.set, a); err != nil {
			return err
		}
	}
	if err := c.record().AddOutcome(ctx, t.experiment.ID, t.unit, t.arm, pair); err != nil {
		return err
	}
	e, err := s.measured(ctx, c, t.experiment.ID)
	if err == nil && e.State == "running" && e.Result.Decision != string(experiment.Running) {
		err = s.endExperiment(ctx, c, &e)
	}
	return err
}

// coverageUnder is the share of the answer's claims that are cited under a setting; 1 where it claims nothing.
func (s *Server) coverageUnder(ctx context.Context, c *caller, set api.Settings, a ibid.Answer) (float64, error) {
	by, err := attribute.With(or(attribute.Strategy(set.Strategy), attribute.Full), s.engine)
	if err != nil {
		return 0, err
	}
	passages := a.Passages
	if set.Passages > 0 {
		q := c.where()
		q.Text, q.Limit = a.Question, set.Passages
		if passages, err = s.Asker.Retriever.Retrieve(ctx, q); err != nil {
			return 0, err
		}
	}
	again, err := workflow.Again(ctx, by, a, passages)
	if err != nil {
		return 0, err
	}
	claims, cited := 0, 0
	for _, seg := range again.Segments {
		if seg.Origin != ibid.NONE {
			claims++
			if len(again.Numbers(seg)) > 0 {
				cited++
			}
		}
	}
	if claims == 0 {
		return 1, nil
	}
	return float64(cited) / float64(claims), nil
}

// inTrial runs a question within the running experiment. The comparison is done when the answer is out.
func (s *Server) inTrial(ctx context.Context, c *caller, q workflow.Question) (asking, error) {
	asker := s.asker(c)
	t, err := s.enrol(ctx, c, asker, q)
	if err != nil || t == nil {
		return asker.Ask, err
	}
	return func(ctx context.Context, q workflow.Question) (events eventSeq) {
		return func(yield func(workflow.Event, error) bool) {
			for e, err := range asker.Ask(ctx, q) {
				if err == nil && e.Kind == workflow.Done && e.Answer.Incomplete == "" {
					s.working.Go(func() {
						ctx, cancel := context.WithTimeout(s.background, time.Minute)
						defer cancel()
						if err := s.conclude(ctx, c, t, e.Answer); err != nil {
							s.Log.Error("outcome of experiment not kept", "experiment", t.experiment.ID, "error", err)
						}
					})
				}
				if !yield(e, err) {
					return
				}
			}
		}
	}, nil
}
