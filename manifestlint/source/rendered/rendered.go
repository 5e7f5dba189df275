// Package rendered describes rendered texts, which are linted in place of their
// source files: the output of a kustomization or a chart, and the objects of a
// Helm release. A renderer fills a Set. The linter checks its Units like files.
// Findings are traced back to the files that a user can edit.
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
	// Name is the name of the unit as the user would type it, such as the
	// directory of a kustomization or of a chart. It identifies the unit in
	// another revision. It need not be unique.
	Name string
	// By is the file that configures the rendering, such as
	// overlays/prod/kustomization.yaml. Reports print it.
	By   string
	Text []byte
	// Target has the minors for which Text was rendered; nil for all minors of
	// the run.
	Target *lifecycle.Target
	// Trace moves a finding from Text to a file that a user can edit, and sets
	// RenderedBy to By. It reports whether the finding is kept: see
	// manifestlint.Input. It must be safe for concurrent use.
	Trace func(*rules.Finding) bool
	// Scripted is set if the shell text in Text is in no other input: see
	// manifestlint.Input.
	Scripted bool
	// Used is called for each kubevet:ignore comment in Text that suppresses a
	// finding: see manifestlint.Input. It may be nil.
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
	// Units are checked and reported in the order of the slice.
	Units []Unit
	// Sketches are units for texts that were not rendered, such as the apiVersion
	// and kind in a branch of a template. They are checked, but not counted as
	// objects.
	Sketches []Unit
	// Renderers maps the names of inputs to the file that renders them, such as
	// "overlays/prod/kustomization.yaml". The units contain the objects of these
	// inputs, so the linter checks only the YAML syntax of the inputs.
	Renderers map[string]string
	// Unrendered are the names of templates whose chart was not rendered, because
	// a dependency is missing.
	Unrendered map[string]bool
	// Watched are the names of further inputs, such as patches. Their
	// kubevet:ignore comments apply to the units, and are reported if they
	// suppress nothing.
	Watched []string
	// Files are the absolute paths of the files and directories that the units
	// were rendered from.
	Files []string
	// Findings are about the rendering itself, such as a kustomization that does
	// not build. They have no severity yet, and comments do not suppress them.
	Findings []rules.Finding
	// NotJudged are inputs that were not checked because they could not be
	// rendered, such as a kustomization with a remote base.
	NotJudged []rules.NotJudged
	Notes     []string
}

// Add appends the content of o, the result of another kind of rendering.
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
