package scripts

import (
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Pass is the run of one check on a script, or on the shell text in a YAML
// document.
type Pass struct {
	// Kubectl are the releases of kubectl that run the script.
	Kubectl  lifecycle.Range
	Commands []Command
	Source   *Source
	// Rule, Severity and File are those of the findings.
	Rule     string
	Severity rules.Severity
	File     string
	// Findings are those that the check reported.
	Findings []rules.Finding
}

// Report reports a finding at a place of the source.
func (p *Pass) Report(at Place, f rules.Finding) {
	from, to := p.Source.Pos(at.Start), p.Source.Pos(at.End)
	f.Rule, f.Severity, f.File = p.Rule, p.Severity, p.File
	f.Line, f.Column, f.EndLine, f.EndColumn = from.Line, from.Column, to.Line, to.Column
	p.Findings = append(p.Findings, f)
}

// Text returns the source at a place.
func (p *Pass) Text(at Place) string { return string(p.Source.Text[at.Start:at.End]) }

// Edit returns the edit that replaces the source at a place.
func (p *Pass) Edit(at Place, by string) rules.Edit {
	from, to := p.Source.Pos(at.Start), p.Source.Pos(at.End)
	return rules.Edit{File: p.File, Line: from.Line, Column: from.Column, EndLine: to.Line, EndColumn: to.Column, New: by}
}
