package scripts

import (
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Pass is one call of a check for a script, or for the shell text of a YAML
// document.
type Pass struct {
	// Kubectl are the releases of kubectl that may run the script.
	Kubectl  lifecycle.Range
	Commands []Command
	Source   *Source
	// Rule, Severity and File are set in each finding.
	Rule     string
	Severity rules.Severity
	File     string
	// Findings are the findings that the check reported.
	Findings []rules.Finding
}

// Report reports a finding at a range of the source.
func (p *Pass) Report(at Place, f rules.Finding) {
	from, to := p.Source.Pos(at.Start), p.Source.Pos(at.End)
	f.Rule, f.Severity, f.File = p.Rule, p.Severity, p.File
	f.Line, f.Column, f.EndLine, f.EndColumn = from.Line, from.Column, to.Line, to.Column
	p.Findings = append(p.Findings, f)
}

// Text returns the text of a range of the source.
func (p *Pass) Text(at Place) string { return string(p.Source.Text[at.Start:at.End]) }

// Edit returns the edit that replaces a range of the source with the text by.
func (p *Pass) Edit(at Place, by string) rules.Edit {
	from, to := p.Source.Pos(at.Start), p.Source.Pos(at.End)
	return rules.Edit{File: p.File, Line: from.Line, Column: from.Column, EndLine: to.Line, EndColumn: to.Column, New: by}
}
