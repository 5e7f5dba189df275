package manifestlint

import (
	"slices"

	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/conversion"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Pass has the object for one call of a check, and collects the check's
// findings.
type Pass struct {
	Target lifecycle.Target
	// Validation is how the server handles unknown fields.
	Validation apiserver.FieldValidation
	Object     *Object

	rule     string
	severity rules.Severity
	linter   *Linter
	file     string
	document int // index of the document in the file, from 0
	result   *result
	// keepObject is set if Report must not change the object of a finding,
	// because the finding is about another object or about none.
	keepObject bool
	// fields caches the results of FieldPlan; nil before the first call.
	fields map[string]conversion.Plan
	// undecided are the arguments of Undecided.
	undecided []string
}

// Undecided records that the server's answer depends on something unknown,
// which each reason names. The summary counts the objects for each reason.
func (p *Pass) Undecided(reasons ...string) {
	for _, what := range reasons {
		if !slices.Contains(p.undecided, what) {
			p.undecided = append(p.undecided, what)
		}
	}
}

// FieldPlan returns the plan that replaces a deprecated field of the object. It
// returns false if there is none. field is a path in the server's notation.
// Only Check.Fix uses it.
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

// Reports reports whether a rule can have findings in this run.
func (p *Pass) Reports(rule string) bool { return p.linter.enabled[rule] }

// Report reports a finding with the rule's severity. The check sets Message,
// Path, Minors, Server and Replacement; the pass sets the rest. An empty span
// means the object's kind.
func (p *Pass) Report(at Span, f rules.Finding) { p.ReportAs(p.severity, at, f) }

// ReportRule reports a finding under another rule of the check, with the lower
// of severity and the rule's severity. It does nothing if the rule is disabled.
func (p *Pass) ReportRule(rule string, severity rules.Severity, at Span, f rules.Finding) {
	if !p.Reports(rule) {
		return
	}
	q := *p
	q.rule, q.severity = rule, p.linter.opts.Severity[rule]
	q.ReportAs(severity, at, f)
}

// ReportAs reports a finding with the lower of severity and the rule's
// severity. A user who lowers a rule's severity thus lowers all of its
// findings.
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
	if !p.keepObject {
		f.Object = p.Object.Ref()
	}
	f.File, f.Document = p.file, p.document
	p.result.findings = append(p.result.findings, f)
}

// Restate moves a finding that the linter itself reported, such as a repeated
// key, to the end of the findings, and adds the server's answer to it. at is
// the finding's position. It returns false if there is no such finding.
func (p *Pass) Restate(rule string, at wire.Pos, server *rules.ServerText) bool {
	if p.result == nil {
		return false
	}
	return p.result.restate(findingPosition{rule, at.Line, at.Column}, p.document, server, p.Object.Ref())
}
