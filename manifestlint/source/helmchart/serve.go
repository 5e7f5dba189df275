package helmchart

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// maxKept is the number of renderings that a Server keeps to trace findings in
// their output.
const maxKept = 64

// Server renders one chart at a time for a client in another process. The zero
// value has no chart. It is not safe for concurrent use.
type Server struct {
	// Full reports whether memory is so short that renderings should not be kept.
	// It may be nil.
	Full func() bool

	id    uint64
	chart *Chart
	// executed has the template nodes that any rendering of the chart executed.
	executed map[nodePos]bool
	// kept are the most recent renderings.
	kept       []keptRendering
	recordings *Recordings
}

type keptRendering struct {
	chart, id uint64
	*Rendering
}

// Answer handles a request. It may never return if the chart is hostile.
func (s *Server) Answer(r *Request) *Answer {
	switch {
	case r.Open != nil:
		return s.open(r)
	case r.Render != nil && r.Chart == s.id:
		return s.render(r.Render)
	case r.Branches != nil && r.Chart == s.id:
		return s.branches(r.Branches)
	case r.Move != nil:
		return s.move(r.Move)
	case r.Origin != nil:
		return s.origin(r.Origin)
	}
	return &Answer{Unknown: r.Render != nil || r.Branches != nil}
}

func (s *Server) open(r *Request) *Answer {
	if s.chart != nil {
		s.chart.parsed.forget()
	}
	s.id, s.executed = r.Chart, map[nodePos]bool{}
	s.chart = &Chart{Place: r.Open.Place, root: r.Open.Root.folder(), noTimeLimit: true}
	return &Answer{Constraint: s.chart.constraint()}
}

func (s *Server) render(request *renderRequest) *Answer {
	if s.recordings == nil {
		s.recordings = &Recordings{}
	}
	r, err := s.chart.Render(request.values(), request.Cluster.cluster(), request.Release, s.recordings)
	a := &Answer{}
	if err != nil {
		a.Failure = packFailure(err)
	}
	if r == nil {
		return a
	}
	a.Render = &renderAnswer{Missing: r.Missing}
	if err != nil {
		return a
	}
	a.Render.Templates = r.Templates
	size := 0
	for _, out := range r.Outputs {
		a.Render.Outputs = append(a.Render.Outputs, outputAnswer{out.Template, out.Text, out.key, out.Found, out.traceable})
		size += len(out.Text)
	}
	if size > maxOutput {
		return &Answer{Failure: packFailure(&Failure{File: s.chart.chartFile(), Message: fmt.Sprintf("%v: it writes more than %d MiB", errBudget, maxOutput>>20), overLimit: true})}
	}
	for _, c := range r.CRDs {
		a.Render.CRDs = append(a.Render.CRDs, c.Place)
	}
	maps.Copy(s.executed, r.executed)
	s.keep(keptRendering{s.id, request.ID, r})
	return a
}

// keep stores a rendering, and removes old ones if there are too many or memory
// is short.
func (s *Server) keep(k keptRendering) {
	switch {
	case s.Full != nil && s.Full():
		s.kept, s.recordings = nil, nil
	case len(s.kept) >= maxKept:
		s.kept = slices.Delete(s.kept, 0, 1)
	}
	s.kept = append(s.kept, k)
}

func packFailure(err error) *failureAnswer {
	var fail *Failure
	var incompatible *IncompatibleError
	switch {
	case errors.Is(err, ErrLibrary):
		return &failureAnswer{Library: true}
	case errors.As(err, &incompatible):
		return &failureAnswer{Incompatible: true, Message: incompatible.Constraint}
	case errors.As(err, &fail):
		return &failureAnswer{File: fail.File, Line: fail.Line, Column: fail.Column, Message: fail.Message, Values: fail.Values, Budget: fail.overLimit}
	}
	return &failureAnswer{Other: true, Message: err.Error()}
}

func (s *Server) branches(request *branchesRequest) *Answer {
	clusters := map[lifecycle.Minor]Cluster{}
	cluster := func(m lifecycle.Minor) Cluster {
		if c, ok := clusters[m]; ok {
			return c
		}
		n := 0
		for other := range request.Minors.All() {
			if other == m && n < len(request.Clusters) {
				clusters[m] = request.Clusters[n].cluster()
			}
			n++
		}
		return clusters[m]
	}
	return &Answer{Literals: s.chart.Branches(request.Minors, cluster, &Rendering{executed: s.executed})}
}

// rendered returns the kept rendering with this ID, and its output with this
// key. Both are nil if the rendering is no longer kept.
func (s *Server) rendered(id uint64, key string) (*Rendering, *Output) {
	i := slices.IndexFunc(s.kept, func(k keptRendering) bool { return k.id == id })
	if i < 0 {
		return nil, nil
	}
	r := s.kept[i].Rendering
	for i := range r.Outputs {
		if r.Outputs[i].key == key {
			return r, &r.Outputs[i]
		}
	}
	return nil, nil
}

func (s *Server) move(request *moveRequest) *Answer {
	r, out := s.rendered(request.Rendering, request.Key)
	if r == nil {
		return &Answer{Unknown: true}
	}
	at := request.At
	f := rules.Finding{Rule: request.Rule, Message: at.Message, Line: at.Line, Column: at.Column, EndLine: at.EndLine, EndColumn: at.EndColumn, Related: request.Related}
	exact := r.Move(out, &f)
	return &Answer{Move: &moveAnswer{
		At:      rules.Related{File: f.File, Line: f.Line, Column: f.Column, EndLine: f.EndLine, EndColumn: f.EndColumn, Message: f.Message},
		Related: f.Related,
		Exact:   exact,
	}}
}

func (s *Server) origin(request *originRequest) *Answer {
	r, out := s.rendered(request.Rendering, request.Key)
	if r == nil {
		return &Answer{Unknown: true}
	}
	at := r.origin(out, request.Line)
	return &Answer{Origin: &rules.Related{File: at.place, Line: at.line}}
}
