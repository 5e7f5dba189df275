package main

import "strings"

// label is a person's description of a drawn write. It was written before any rule was
// run on the code.
type label struct {
	Module string `json:"module"`
	// At is the position of the method's name, as file:line:col.
	At     string `json:"at"`
	Callee string `json:"callee"`
	// Kind is "client" for the call of a client. It is "wrapper" for the call of a
	// project's own function or interface that takes options. It is "none" if nothing is
	// written.
	Kind string `json:"kind"`
	// Family, Verb and Subresource have the names of package apicall.
	Family      string `json:"family,omitempty"`
	Verb        string `json:"verb,omitempty"`
	Subresource string `json:"subresource,omitempty"`
	// Manager, Force and DryRun are settings of the write. "set" and "set:value" mean
	// that the code sets them. "set:value?" means that only some paths set them. "passed"
	// means that the caller or a field decides. "client" means that the client has the
	// setting. "unset" means that it is not set. "none" or empty means that the verb has
	// no such setting.
	Manager string `json:"manager,omitempty"`
	Force   string `json:"force,omitempty"`
	DryRun  string `json:"dryRun,omitempty"`
	// Find says why a finding about this write would be right. The key is the rule. All
	// other findings about the write are wrong.
	Find map[string]string `json:"find,omitempty"`
	// Also has further places, file:line, where this finding may be.
	Also []string `json:"also,omitempty"`
	// Hard is true if the finding is difficult for a tool, because it goes through an
	// interface or a function value.
	Hard bool   `json:"hard,omitempty"`
	Note string `json:"note,omitempty"`
}

// spot is a place with an expected result of the rules. It was found while reading code
// or while designing the rules.
type spot struct {
	Module string `json:"module"`
	// At is file:line, a file, or a folder followed by /**.
	At string `json:"at"`
	// Expect is "flag" or "silent".
	Expect string `json:"expect"`
	// Rule is the rule of the expected finding. Bars separate alternatives. If Expect is
	// "silent", Rule must not report anything. If Expect is "silent" and Rule is empty,
	// no rule except fieldmanager may report anything.
	Rule string   `json:"rule,omitempty"`
	Also []string `json:"also,omitempty"`
	Hard bool     `json:"hard,omitempty"`
	// OptIn is true if the rule is off by default.
	OptIn bool `json:"optIn,omitempty"`
	// Source is "design" for places that were known when the rules were designed. It is
	// "ours" for other places.
	Source string `json:"source"`
	Why    string `json:"why"`
}

// judgement is a person's verdict on a finding.
type judgement struct {
	Module string `json:"module"`
	Rule   string `json:"rule"`
	// At is the position of the finding, as file:line.
	At    string `json:"at"`
	Right bool   `json:"right"`
	// Cluster names the root cause. Findings of one module with the same cause are
	// counted once. Cluster is empty if no other finding has the cause.
	Cluster string `json:"cluster,omitempty"`
	// First is true for findings of the first run over a held-out module, before anybody
	// had read its code. It does not matter whether kubevet still reports them.
	First bool   `json:"first,omitempty"`
	Why   string `json:"why"`
}

// line removes the column from a position file:line:col.
func line(at string) string {
	file, rest, _ := strings.Cut(at, ":")
	l, _, _ := strings.Cut(rest, ":")
	if l == "" {
		return file
	}
	return file + ":" + l
}

// about reports whether a finding is about one of the places. It compares the position
// and the related places of the finding with them.
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

// covers reports whether a position is at a place. A place is a line, a file, or a
// folder.
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
