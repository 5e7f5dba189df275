package helmchart

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Workers are processes that render charts, because a hostile chart can end the
// process that renders it. They are safe for concurrent use.
type Workers interface {
	// Borrow returns a worker that no other caller uses until Return. It returns
	// home if home is not nil and still runs.
	Borrow(home Worker) (Worker, error)
	Return(w Worker)
	// Limit is the time to render one chart; 0 for no limit.
	Limit() time.Duration
}

// Worker is a process that runs a Server.
type Worker interface {
	// Call sends a request to the server and returns its answer. It subtracts the
	// elapsed time from left, and stops the process when left reaches 0. A nil
	// left is no limit. After an error, the worker cannot be used. The error's
	// text is what the chart did, such as "it needs more than 1 GiB of memory".
	Call(r *Request, left *time.Duration) (*Answer, error)
}

// lastID is the ID of the newest chart or rendering.
var lastID atomic.Uint64

// remote is a chart that a worker renders. A hostile chart may control the
// worker, so its answers are checked.
type remote struct {
	*Chart
	workers Workers
	id      uint64
	// values has the paths of values files outside of the chart, as the user
	// would type them.
	values map[string]bool

	mu        sync.Mutex
	remaining *time.Duration // remaining time for the chart; nil for no limit
	// traceRemaining is the remaining time to trace findings; nil for no limit.
	traceRemaining *time.Duration

	// worker is the borrowed worker; nil before the first call and after done.
	worker Worker
	opened bool
	// constraint is the chart's kubeVersion; "" until the chart is opened.
	constraint string
	// failure is the error of the first failed call; nil for none.
	failure *Failure
}

// newRemote returns a chart that workers render. The caller must call done.
func newRemote(c *Chart, w Workers) *remote {
	r := &remote{Chart: c, workers: w, id: lastID.Add(1), values: map[string]bool{}}
	if limit := w.Limit(); limit > 0 {
		rendering, tracing := limit, limit
		r.remaining, r.traceRemaining = &rendering, &tracing
	}
	return r
}

// done returns the borrowed worker.
func (c *remote) done() {
	if c.worker != nil {
		c.workers.Return(c.worker)
		c.worker = nil
	}
}

// call sends a request about the chart. After a failure, all further calls
// return this failure.
func (c *remote) call(r *Request) (*Answer, *Failure) {
	if c.failure != nil {
		return nil, c.failure
	}
	a, err := c.roundTrip(r)
	if err != nil {
		c.failure = &Failure{File: c.chartFile(), Message: oneLine(err.Error()), overLimit: true}
	}
	return a, c.failure
}

func (c *remote) roundTrip(r *Request) (a *Answer, err error) {
	if c.worker == nil {
		if c.worker, err = c.workers.Borrow(nil); err != nil {
			return nil, err
		}
	}
	if !c.opened {
		a, err := c.worker.Call(c.open(), c.remaining)
		if err != nil {
			return nil, err
		}
		c.opened, c.constraint = true, a.Constraint
	}
	r.Chart = c.id
	return c.worker.Call(r, c.remaining)
}

func (c *remote) open() *Request {
	return &Request{Chart: c.id, Open: &openRequest{Place: c.Place, Root: packFolder(c.root)}}
}

func (c *remote) Compatible(t lifecycle.Target) (lifecycle.Minors, string) {
	if _, fail := c.call(&Request{}); fail != nil {
		return t.Minors(), "" // Render returns the failure
	}
	return supported(c.constraint, t), c.constraint
}

func (c *remote) Render(v *Values, cluster Cluster, release Release, keep *Recordings) (*Rendering, error) {
	for i := range v.files {
		c.values[v.files[i].place] = true
	}
	id := lastID.Add(1)
	request := &Request{Render: packRender(id, v, cluster, release)}
	a, fail := c.call(request)
	if fail != nil {
		return nil, fail
	}
	err := c.failureIn(a)
	if a.Render == nil {
		if err == nil {
			err = c.invalidPosition("no rendering")
		}
		return nil, err
	}
	r := &Rendering{Chart: c.Chart, Missing: a.Render.Missing}
	if err != nil {
		return r, err
	}
	for _, place := range a.Render.Templates {
		if !c.owns(place) {
			return nil, c.invalidPosition(place)
		}
	}
	r.Templates = a.Render.Templates
	for _, out := range a.Render.Outputs {
		if !c.owns(out.Template) {
			return nil, c.invalidPosition(out.Template)
		}
		r.Outputs = append(r.Outputs, Output{Template: out.Template, Text: out.Text, Found: out.Found, key: out.Key, traceable: out.Followed})
	}
	for _, place := range a.Render.CRDs {
		if f := c.fileAt(place); f != nil {
			r.CRDs = append(r.CRDs, CRD{Place: place, Text: f.data, Packed: !f.real})
		}
	}
	r.traces = &remoteTraces{chart: c, home: c.worker, id: id, render: request.Render}
	return r, nil
}

// invalidPosition returns the failure of a chart whose worker returned a
// position that is not in the chart.
func (c *remote) invalidPosition(position string) *Failure {
	c.failure = &Failure{File: c.chartFile(), Message: oneLine("the process that renders it answers with what is not in the chart: " + position), overLimit: true}
	return c.failure
}

// failureIn returns the error that an answer contains; nil for none.
func (c *remote) failureIn(a *Answer) error {
	switch f := a.Failure; {
	case f == nil:
		return nil
	case f.Library:
		return ErrLibrary
	case f.Incompatible:
		return &IncompatibleError{oneLine(f.Message)}
	case f.Other:
		return errors.New(oneLine(f.Message))
	default:
		fail := &Failure{File: f.File, Line: max(f.Line, 0), Column: max(f.Column, 0), Message: oneLine(f.Message), Values: f.Values, overLimit: f.Budget}
		if !c.owns(f.File) {
			fail.File, fail.Line, fail.Column = c.chartFile(), 0, 0
		}
		return fail
	}
}

// owns reports whether a path belongs to the chart or to a values file.
func (c *remote) owns(place string) bool {
	if place == c.Place || c.values[place] {
		return true
	}
	rest, below := strings.CutPrefix(place, strings.TrimSuffix(c.Place, "/")+"/")
	if c.Place == "." {
		rest, below = place, true
	}
	return below && fs.ValidPath(rest)
}

// Branches is like Chart.Branches, but returns nil if the chart ended its
// worker.
func (c *remote) Branches(minors lifecycle.Minors, cluster func(lifecycle.Minor) Cluster, _ ...*Rendering) []Literal {
	request := &branchesRequest{Minors: minors}
	for m := range minors.All() {
		request.Clusters = append(request.Clusters, packCluster(cluster(m)))
	}
	a, fail := c.call(&Request{Branches: request})
	if fail != nil {
		return nil
	}
	return slices.DeleteFunc(a.Literals, func(l Literal) bool {
		return !c.owns(l.File) || !versionForm().MatchString(l.APIVersion) || !kindForm().MatchString(l.Kind) || l.Minors&^minors != 0
	})
}

// remoteTraces asks the worker that rendered a chart for the template positions
// from which its output comes.
type remoteTraces struct {
	chart  *remote
	home   Worker
	id     uint64
	render *renderRequest
}

// move changes the position of a finding from the output to the templates. A
// worker that no longer has the rendering renders the chart again.
func (t *remoteTraces) move(out *Output, f *rules.Finding) bool {
	request := &moveRequest{Rendering: t.id, Key: out.key, Rule: f.Rule, At: rules.Related{
		Line: f.Line, Column: f.Column, EndLine: f.EndLine, EndColumn: f.EndColumn, Message: f.Message,
	}, Related: f.Related}
	f.File, f.Document = out.Template, 0
	f.Line, f.Column, f.EndLine, f.EndColumn = 0, 0, 0, 0
	for i := range f.Related {
		p := &f.Related[i]
		p.File, p.Line, p.Column, p.EndLine, p.EndColumn = out.Template, 0, 0, 0, 0
	}
	a := t.call(&Request{Move: request})
	if a == nil || a.Move == nil || !t.valid(a.Move) {
		return false
	}
	at := a.Move.At
	f.File, f.Message = at.File, at.Message
	f.Line, f.Column, f.EndLine, f.EndColumn = at.Line, at.Column, at.EndLine, at.EndColumn
	f.Related = a.Move.Related
	return a.Move.Exact
}

// valid reports whether all positions are in files of the chart.
func (t *remoteTraces) valid(a *moveAnswer) bool {
	return !slices.ContainsFunc(append([]rules.Related{a.At}, a.Related...), func(p rules.Related) bool {
		return !t.chart.owns(p.File) || p.Line < 0 || p.Column < 0 || p.EndLine < 0 || p.EndColumn < 0
	})
}

// origin returns the template position of a line of the output. It returns the
// zero value if the position is unknown.
func (t *remoteTraces) origin(out *Output, line int) location {
	a := t.call(&Request{Origin: &originRequest{Rendering: t.id, Key: out.key, Line: line}})
	if a == nil || a.Origin == nil || !t.chart.owns(a.Origin.File) || a.Origin.Line < 0 {
		return location{}
	}
	return location{place: a.Origin.File, line: a.Origin.Line}
}

// call sends a request about the rendering. It returns nil if the worker cannot
// answer, and for all requests after that.
func (t *remoteTraces) call(r *Request) *Answer {
	c := t.chart
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failure != nil {
		return nil
	}
	a, err := t.roundTrip(r)
	if err != nil {
		c.failure = &Failure{File: c.chartFile(), Message: oneLine(err.Error()), overLimit: true}
		return nil
	}
	return a
}

func (t *remoteTraces) roundTrip(r *Request) (*Answer, error) {
	c := t.chart
	w, err := c.workers.Borrow(t.home)
	if err != nil {
		return nil, err
	}
	defer c.workers.Return(w)
	t.home = w
	r.Chart = c.id
	a, err := w.Call(r, c.traceRemaining)
	if err != nil || !a.Unknown {
		return a, err
	}
	if _, err := w.Call(c.open(), c.traceRemaining); err != nil {
		return nil, err
	}
	if _, err := w.Call(&Request{Chart: c.id, Render: t.render}, c.traceRemaining); err != nil {
		return nil, err
	}
	if a, err = w.Call(r, c.traceRemaining); err == nil && a.Unknown {
		err = errors.New("it renders only once")
	}
	return a, err
}
