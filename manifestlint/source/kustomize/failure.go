package kustomize

import (
	"errors"
	"io/fs"

	"github.com/kubevet/kubevet/rules"
)

// failure is the reason why a kustomization, or a part of it, is not built.
// name and span are the location of the mistake.
type failure struct {
	name string
	span
	text string
	// reason is a rules.Skip constant if the kustomization uses something that is
	// not supported; "" for a mistake.
	reason string
	// reported is set if another finding reports the mistake.
	reported bool
}

// ruleBuild is the rule of findings for kustomizations that do not build.
const ruleBuild = "syntax"

func (k *kustomization) mistake(at span, text string) *failure {
	return &failure{name: k.name, span: at, text: text}
}

// unsupported returns the failure for a part that kubevet does not support or
// fetch.
func (k *kustomization) unsupported(reason string, at span, text string) *failure {
	return &failure{name: k.name, span: at, text: text, reason: reason}
}

// finding converts the failure to a finding. renderedBy is the path of the
// kustomization that was built.
func (f *failure) finding(renderedBy string) rules.Finding {
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
		RenderedBy: []string{renderedBy},
	}
}

func (f *failure) notJudged() rules.NotJudged {
	return rules.NotJudged{File: f.name, Line: max(f.line, 1), Reason: f.reason, Detail: f.text}
}

// withoutPath returns the message of a file error without the path.
func withoutPath(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return err.Error()
}
