package main

import "strings"

// label is a reader's description of a drawn write, from before any rule had seen it.
type label struct {
	Module string `json:"module"`
	// At is file:line:col of the method's name.
	At     string `json:"at"`
	Callee string `json:"callee"`
	// Kind is "client" for the call of a client, "wrapper" for that of a project's own
	// function or interface that takes options, and "none" if nothing is written.
	Kind string `json:"kind"`
	// Family, Verb and Subresource are named as in package apicall.
	Family      string `json:"family,omitempty"`
	Verb        string `json:"verb,omitempty"`
	Subresource string `json:"subresource,omitempty"`
	// Manager, Force and DryRun are "unset", "set", "set:value", "set:value?" if only
	// some paths set it, "passed" if the caller or a field decides, "client" if the
	// client has it, and "none" or empty if the verb has no such setting.
	Manager string `json:"manager,omitempty"`
	Force   string `json:"force,omitempty"`
	DryRun  string `json:"dryRun,omitempty"`
	// Find says, by rule, why a finding about this write would be right. All
	// other findings about it are wrong.
	Find map[string]string `json:"find,omitempty"`
	// Also are further places, file:line, where that finding may be.
	Also []string `json:"also,omitempty"`
	// Hard is set if the finding takes more than a reader would ask of a tool: it goes
	// through an interface or a function value.
	Hard bool   `json:"hard,omitempty"`
	Note string `json:"note,omitempty"`
}

// spot is a place found while reading, or while the rules were designed, with the
// expected result of the rules.
type spot struct {
	Module string `json:"module"`
	// At is file:line, a file, or a folder followed by /**.
	At string `json:"at"`
	// Expect is "flag" or "silent".
	Expect string `json:"expect"`
	// Rule is the rule of the expected finding, alternatives separated by bars. With
	// "silent", it is the rule that must not report anything; if empty, all but
	// fieldmanager.
	Rule string   `json:"rule,omitempty"`
	Also []string `json:"also,omitempty"`
	Hard bool     `json:"hard,omitempty"`
	// OptIn is set where the rule is off by default.
	OptIn bool `json:"optIn,omitempty"`
	// Source is "design" for places that were known when the rules were designed, and
	// "ours" for the others.
	Source string `json:"source"`
	Why    string `json:"why"`
}

// judgement is a reader's verdict on a finding.
type judgement struct {
	Module string `json:"module"`
	Rule   string `json:"rule"`
	// At is file:line.
	At    string `json:"at"`
	Right bool   `json:"right"`
	// Cluster names the root cause; findings of one module with the same
	// cause count once. It is empty for a cause of its own.
	Cluster string `json:"cluster,omitempty"`
	// First is set for findings of the first run over a held-out module, when nobody
	// had read its code. It does not matter whether they are still found.
	First bool   `json:"first,omitempty"`
	Why   string `json:"why"`
}

// line removes the column from file:line:col.
func line(at string) string {
	file, rest, _ := strings.Cut(at, ":")
	l, _, _ := strings.Cut(rest, ":")
	if l == "" {
		return file
	}
	return file + ":" + l
}

// about reports whether a finding is about any of the places, by its own
// position or by one that it mentions.
func (f finding) about(places ...string) bool {
	for _, place := range places {
		if covers(place, f.At) {
			return true
		}
		for _, related := range f.Related {
			at, _, _ := strings.Cut(related, " ")
			if strings.Contains(place, ":") && covers(place, at) {
				return true
			}
		}
	}
	return false
}

// covers reports whether a position lies at a place: a line, a file or below
// a folder.
func covers(place, at string) bool {
	if folder, ok := strings.CutSuffix(place, "/**"); ok {
		return strings.HasPrefix(at, folder+"/")
	}
	if !strings.Contains(place, ":") {
		file, _, _ := strings.Cut(at, ":")
		return place == file
	}
	return place == line(at)
}
