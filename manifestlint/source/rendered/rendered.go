// Package rendered describes rendered texts, which are linted in place of their
// source files: the objects that a kustomization builds, that a chart renders
// or that a release holds. A renderer fills a Set. The linter checks its Units
// like files, and findings are traced back to the files that a user can edit.
package rendered

import (
	"bytes"
	"io"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Unit is one rendered text: the output of one build.
type Unit struct {
	// Name is what the user would type for it, such as the directory of a
	// kustomization or of a chart. It names the unit as an input, and
	// identifies it in another revision. It need not be unique.
	Name string
	// By is the file that configures the rendering, such as
	// overlays/prod/kustomization.yaml. Reports name it.
	By string
	// Text is YAML or JSON for the linter.
	Text []byte
	// Target restricts the minors of the run's target; nil for all of them.
	Target *lifecycle.Target
	// Trace moves a finding from its position in Text to the position in a file
	// that a user can edit, and reports whether the finding is kept: see
	// manifestlint.Input. It sets RenderedBy to By. It must be safe for
	// concurrent use.
	Trace func(*rules.Finding) bool
	// Scripted is set if no other input contains the shell text in Text: see
	// manifestlint.Input.
	Scripted bool
	// Used, if not nil, is called for each kubevet:ignore comment in Text that
	// suppresses something: see manifestlint.Input.
	Used func(line int, rule string)
}

// Input returns the unit as an input of the linter.
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

// Set is the result of one kind of rendering. The zero value is empty.
type Set struct {
	// Units are checked and reported in this order.
	Units []Unit
	// Sketches are parts of texts that were not rendered, such as the
	// apiVersion and kind in a branch of a template. They are checked, but not
	// counted.
	Sketches []Unit
	// Renderers maps the names of inputs to the file that renders them, such as
	// "overlays/prod/kustomization.yaml". The units contain the objects of these
	// inputs, so the linter checks only the syntax of the inputs themselves.
	Renderers map[string]string
	// Unrendered are the inputs, by name, that are templates of charts that are
	// not rendered because they lack a dependency.
	Unrendered map[string]bool
	// Watched are further inputs, by name, such as patches. Their
	// kubevet:ignore comments apply to the units, and are reported if they
	// suppress nothing.
	Watched []string
	// Files are the absolute paths of the files and directories that the units
	// were rendered from.
	Files []string
	// Findings are about the rendering itself, such as a kustomization that
	// does not build. Their severity is not set, and they are not suppressed.
	Findings []rules.Finding
	// NotJudged are inputs that could not be rendered, such as a base that is
	// not fetched.
	NotJudged []rules.NotJudged
	// Notes are messages for the user.
	Notes []string
}

// Add adds the result of another kind of rendering.
func (s *Set) Add(o *Set) {
	s.Units = append(s.Units, o.Units...)
	s.Sketches = append(s.Sketches, o.Sketches...)
	for name, by := range o.Renderers {
		if s.Renderers == nil {
			s.Renderers = map[string]string{}
		}
		if _, ok := s.Renderers[name]; !ok {
			s.Renderers[name] = by
		}
	}
	for name := range o.Unrendered {
		if s.Unrendered == nil {
			s.Unrendered = map[string]bool{}
		}
		s.Unrendered[name] = true
	}
	s.Watched = append(s.Watched, o.Watched...)
	s.Files = append(s.Files, o.Files...)
	s.Findings = append(s.Findings, o.Findings...)
	s.NotJudged = append(s.NotJudged, o.NotJudged...)
	s.Notes = append(s.Notes, o.Notes...)
}
