package kustomize

import (
	"errors"
	"io/fs"

	"github.com/kubevet/kubevet/rules"
)

// failure is why all or part of a kustomization is not built, and where.
type failure struct {
	name string
	span
	text string
	// reason is a rules.Skip constant if the kustomization is correct but
	// something is not supported; empty if the kustomization has a mistake.
	reason string
	// known is set if the linter reports the same problem.
	known bool
}

// ruleBuild is the rule for kustomizations that do not build.
const ruleBuild = "syntax"

// fails returns the failure for a mistake in the kustomization.
func (k *kustomization) fails(at span, text string) *failure {
	return &failure{name: k.name, span: at, text: text}
}

// lacks returns the failure for something that is not supported or not fetched.
func (k *kustomization) lacks(reason string, at span, text string) *failure {
	return &failure{name: k.name, span: at, text: text, reason: reason}
}

// finding converts the failure to a finding. by is the kustomization to build.
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

// cause returns the message of the operating system.
func cause(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return err.Error()
}
