package lintrun

import (
	"bytes"
	"context"
	"io"

	"github.com/kubevet/kubevet/internal/chartworker"
	"github.com/kubevet/kubevet/internal/treefile"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/checks"
	"github.com/kubevet/kubevet/manifestlint/source"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Session lints the inputs of a run several times, as an editor needs it. The inputs and
// the context objects are collected only once.
//
//   - All lints all inputs.
//   - One lints one input with another text.
//   - Part renders a part of the inputs again, and lints it.
//
// All and Part must not run at the same time. One can run at any time.
type Session struct {
	run        *Run
	in         *Inputs
	set        *checks.Set
	byName     map[string]int // index in in.List
	kustomized map[string]bool
}

// Start collects the context objects for the inputs and returns a session. The caller
// closes the inputs. One and Text still work after that.
func (r *Run) Start(ctx context.Context, in *Inputs) (*Session, error) {
	set, err := r.collectContext(ctx, in, false)
	if err != nil {
		return nil, err
	}
	return newSession(r, in, set), nil
}

func newSession(r *Run, in *Inputs, set *checks.Set) *Session {
	s := &Session{run: r, in: in, set: set, byName: make(map[string]int, len(in.List)), kustomized: in.kustomized()}
	for i := range in.List {
		s.byName[in.List[i].Name] = i
	}
	return s
}

// All lints all inputs, and calls found with each finding that is not in the baseline.
func (s *Session) All(ctx context.Context, found func(rules.Finding) error) (*rules.Summary, error) {
	return s.run.lintWith(ctx, s.in, s.set, lintPass{emit: s.skipBaselined(found), fixes: true, edits: true})
}

// skipBaselined returns a function that calls found with each finding that is not in the
// baseline.
func (s *Session) skipBaselined(found func(rules.Finding) error) func(rules.Finding) error {
	return func(f rules.Finding) error {
		if s.run.IsKnown(f) {
			return nil
		}
		return found(f)
	}
}

// One lints one input for a target. text replaces the content of the input. It returns
// false if the session has no input with this name. Objects that a kustomization or
// chart renders are checked only by All and Part.
func (s *Session) One(ctx context.Context, name string, text []byte, target lifecycle.Target) ([]rules.Finding, bool, error) {
	i, ok := s.byName[name]
	if !ok {
		return nil, false, nil
	}
	return s.lintText(ctx, s.in.input(&s.in.List[i], s.kustomized), text, target)
}

// Text lints a text for a target. The session need not have an input with this name.
func (s *Session) Text(ctx context.Context, name string, text []byte, target lifecycle.Target) ([]rules.Finding, error) {
	found, _, err := s.lintText(ctx, manifestlint.Input{Name: name, Manifests: true}, text, target)
	return found, err
}

func (s *Session) lintText(ctx context.Context, input manifestlint.Input, text []byte, target lifecycle.Target) ([]rules.Finding, bool, error) {
	input.Open = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
	options := s.run.options(s.in, s.set, lintPass{fixes: true, edits: true})
	options.NewReader, options.Target = nil, target
	var all []rules.Finding
	_, err := manifestlint.New(options).Run(ctx, func(yield func(manifestlint.Input) bool) { yield(input) }, s.skipBaselined(func(f rules.Finding) error {
		all = append(all, f)
		return nil
	}))
	return all, true, err
}

// Has reports whether the session has an input with a name.
func (s *Session) Has(name string) bool {
	_, ok := s.byName[name]
	return ok
}

// Rendered returns the kustomization or chart that renders the objects of an input, or
// "". used is true if a kustomization or chart uses the input in another way, for example
// as a patch.
func (s *Session) Rendered(name string) (by string, used bool) {
	in := s.in
	if in.rendered == nil {
		return "", false
	}
	by = in.rendered.Renderers[name]
	i, ok := s.byName[name]
	return by, by != "" || in.watched[name] || ok && (in.List[i].Kustomization || in.List[i].Partial.As != "" || in.List[i].Template != "")
}

// Files returns the absolute paths of all files and directories that rendering has read.
func (s *Session) Files() []string {
	if s.in.rendered == nil {
		return nil
	}
	return s.in.rendered.Files
}

// Target returns the target of the run.
func (s *Session) Target() lifecycle.Target { return s.run.Target }

// Part finds the inputs for the arguments and renders them again. overlay replaces the
// texts of files. The returned session has the context objects of s. The caller closes
// the returned inputs.
func (s *Session) Part(ctx context.Context, args []string, overlay treefile.Overlay) (*Session, *Inputs, error) {
	set, run := *s.run.set, *s.run
	set.Overlay, run.set = overlay, &set
	in, err := run.findFiles(ctx, args)
	if err != nil {
		return nil, nil, err
	}
	in.contextObjects = run.contextObjects
	if r := s.run; r.Isolate {
		set.workers = chartworker.NewPool(ctx, set.helm.timeout, "--render-timeout")
		in.workers = set.workers
	}
	run.Render(ctx, in)
	return newSession(&run, in, s.set), in, nil
}

// Texts returns the messages about inputs that could not be read or rendered.
func (in *Inputs) Texts() []string {
	var all []string
	for _, list := range [][]source.Problem{in.unreadable, in.packed} {
		for _, p := range list {
			all = append(all, p.Error())
		}
	}
	return all
}
