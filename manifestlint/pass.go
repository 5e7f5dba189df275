package manifestlint

import (
	"slices"

	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/conversion"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Pass passes one object to a check, and collects the check's findings about it.
type Pass struct {
	Target lifecycle.Target
	// Validation is how the server treats unknown fields.
	Validation apiserver.FieldValidation
	Object     *Object

	rule     string
	severity rules.Severity
	linter   *Linter
	file     string
	document int // 0-based place in the file
	result   *result
	// ownObject reports whether findings already name their object, or are
	// about none.
	ownObject bool
	// fields are the plans of the object's deprecated fields, made once for all
	// findings; nil if they are not made yet.
	fields map[string]conversion.Plan
	// undecided says what is not known of the object's answer.
	undecided []string
}

// Undecided says what a part of the server's answer depends on that is not known.
// The summary counts it.
func (p *Pass) Undecided(reasons ...string) {
	for _, what := range reasons {
		if !slices.Contains(p.undecided, what) {
			p.undecided = append(p.undecided, what)
		}
	}
}

// FieldPlan returns the plan that replaces a deprecated field of the object, if
// there is one. The field is in the server's notation. It is for Check.Fix.
func (p *Pass) FieldPlan(field string) (conversion.Plan, bool) {
	if p.fields == nil {
		p.fields = map[string]conversion.Plan{}
		for _, f := range conversion.InPlace(p.Object.Root, p.Target) {
			if _, ok := p.fields[f.Field]; !ok {
				p.fields[f.Field] = f.Plan
			}
		}
	}
	plan, ok := p.fields[field]
	return plan, ok
}

// File returns the name of the input that has the object, with slashes.
func (p *Pass) File() string { return p.file }

// Reports reports whether a rule is active in this run.
func (p *Pass) Reports(rule string) bool { return p.linter.active[rule] }

// Report reports a finding with the rule's severity. The check sets Message,
// Path, Minors, Server and Replacement; the pass sets the rest. An empty span
// means the object's kind.
func (p *Pass) Report(at Span, f rules.Finding) { p.ReportAs(p.severity, at, f) }

// ReportRule reports a finding of one of the check's rules, with a severity of
// its own or the rule's if that is lower. It ignores inactive rules.
func (p *Pass) ReportRule(rule string, severity rules.Severity, at Span, f rules.Finding) {
	if !p.Reports(rule) {
		return
	}
	q := *p
	q.rule, q.severity = rule, p.linter.opts.Severity[rule]
	q.ReportAs(severity, at, f)
}

// ReportAs reports a finding with a severity of its own, or the rule's if that
// is lower: a user who lowers a rule's severity lowers all of its findings.
func (p *Pass) ReportAs(severity rules.Severity, at Span, f rules.Finding) {
	if at.Pos.Line == 0 {
		at = p.Object.KindAt
	}
	f.Rule = p.rule
	f.Severity = min(severity, p.severity)
	f.Line, f.Column = at.Pos.Line, at.Pos.Column
	f.EndLine, f.EndColumn = at.End.Line, at.End.Column
	if f.EndLine == 0 || f.EndLine == f.Line && f.EndColumn <= f.Column {
		f.EndLine, f.EndColumn = f.Line, f.Column+1
	}
	if !p.ownObject {
		f.Object = p.Object.Ref()
	}
	f.File, f.Document = p.file, p.document
	p.result.findings = append(p.result.findings, f)
}

// Restate moves a finding of the linter itself at a position of the document,
// such as a repeated key, behind those reported since, and adds the server's
// answer to it. It reports whether there is such a finding.
func (p *Pass) Restate(rule string, at wire.Pos, server *rules.ServerText) bool {
	if p.result == nil {
		return false
	}
	return p.result.restate(findingPlace{rule, at.Line, at.Column}, p.document, server, p.Object.Ref())
}
