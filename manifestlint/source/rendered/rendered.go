// Package rendered describes what is judged in place of the files that it is
// made of: the objects that a kustomization builds, that a chart renders, that
// a release holds. Who renders fills a Set; the linter judges its Units like
// files, and what it finds is traced back to the files that somebody can edit.
package rendered

import (
	"bytes"
	"io"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Unit is one text that was rendered: the output of one build.
type Unit struct {
	// Name is what the user would type to mean it, as the directory of a
	// kustomization or of a chart. It names the unit as an input, and tells
	// which of two revisions of it belong together; it need not be unique.
	Name string
	// By is the file that says how to render, such as
	// overlays/prod/kustomization.yaml, which reports name.
	By string
	// Text is YAML or JSON as the linter reads it.
	Text []byte
	// Target narrows what the text is judged against; nil: all of the run's.
	Target *lifecycle.Target
	// Trace moves a finding from its place in Text to the place in a file that
	// somebody can edit, and reports whether it stays: see manifestlint.Input.
	// It sets RenderedBy to By. It is called from several goroutines.
	Trace func(*rules.Finding) bool
	// Scripted says that the shell text in Text is judged nowhere else: see
	// manifestlint.Input.
	Scripted bool
	// Used, if not nil, is told of the kubevet:ignore comments in Text, by line
	// and rule, that suppress something: see manifestlint.Input.
	Used func(line int, rule string)
}

// Input gives the unit to a linter.
func (u *Unit) Input() manifestlint.Input {
	return manifestlint.Input{
		Name:     u.Name,
		Open:     func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(u.Text)), nil },
		Target:   u.Target,
		Trace:    u.Trace,
		Scripted: u.Scripted,
		Used:     u.Used,
		Handle:   u,
	}
}

// Set is what one way of rendering makes of the inputs of a run. The zero
// value renders nothing.
type Set struct {
	// Units are what is judged, in the order in which they are reported.
	Units []Unit
	// Sketches are pieces of what could be rendered and was not, such as the
	// apiVersion and kind in a branch of a template. They are judged beside
	// the units and not counted.
	Sketches []Unit
	// Judged are the inputs, by name, whose objects the units hold, each with
	// what they are judged through, such as "overlays/prod/kustomization.yaml".
	// They are checked for syntax and not judged as objects a second time.
	Judged map[string]string
	// Watched are further inputs, by name, whose kubevet:ignore comments count
	// for the units and are reported if nothing needs them, such as patches.
	Watched []string
	// Files are the files and directories, by absolute paths, without which
	// the units cannot be rendered.
	Files []string
	// Findings are about the rendering itself, such as a kustomization that
	// does not build. They are complete but for their severity, which is the
	// rule's, and for suppressions.
	Findings []rules.Finding
	// NotJudged are what could not be rendered, such as a base that is not
	// fetched.
	NotJudged []rules.NotJudged
	// Notes are remarks for the user.
	Notes []string
}

// Add adds what another way of rendering gives.
func (s *Set) Add(o *Set) {
	s.Units = append(s.Units, o.Units...)
	s.Sketches = append(s.Sketches, o.Sketches...)
	for name, by := range o.Judged {
		if s.Judged == nil {
			s.Judged = map[string]string{}
		}
		if _, ok := s.Judged[name]; !ok {
			s.Judged[name] = by
		}
	}
	s.Watched = append(s.Watched, o.Watched...)
	s.Files = append(s.Files, o.Files...)
	s.Findings = append(s.Findings, o.Findings...)
	s.NotJudged = append(s.NotJudged, o.NotJudged...)
	s.Notes = append(s.Notes, o.Notes...)
}
