package kustomize

import (
	"errors"
	"io/fs"

	"github.com/kubevet/kubevet/rules"
)

// failure is why a kustomization is not built, or not all of it, and where.
type failure struct {
	name string
	span
	text string
	// reason is the rules.Skip constant of what is no mistake in the
	// kustomization; empty: it is one.
	reason string
	// known is set where the linter itself reports the same.
	known bool
}

// ruleBuild is the rule that a kustomization breaks which does not build.
const ruleBuild = "syntax"

// fails makes a failure of a mistake in the kustomization.
func (k *kustomization) fails(at span, text string) *failure {
	return &failure{name: k.name, span: at, text: text}
}

// lacks makes a failure of something that is not done.
func (k *kustomization) lacks(reason string, at span, text string) *failure {
	return &failure{name: k.name, span: at, text: text, reason: reason}
}

// finding is the failure as a finding; by is the kustomization that was to be
// built.
func (f *failure) finding(by string) rules.Finding {
	at := f.span
	if at.line == 0 {
		at = span{1, 1, 1, 2}
	}
	if at.endLine == 0 || at.endLine == at.line && at.endColumn <= at.column {
		at.endLine, at.endColumn = at.line, at.column+1
	}
	return rules.Finding{
		Rule: ruleBuild, Message: f.text, File: f.name,
		Line: at.line, Column: at.column, EndLine: at.endLine, EndColumn: at.endColumn,
		RenderedBy: []string{by},
	}
}

func (f *failure) notJudged() rules.NotJudged {
	return rules.NotJudged{File: f.name, Line: max(f.line, 1), Reason: f.reason, Detail: f.text}
}

// cause is what the operating system said.
func cause(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return err.Error()
}
