package lintrun

import (
	"fmt"
	"testing"

	"github.com/kubevet/kubevet/rules"
)

func TestFoldScripts(t *testing.T) {
	finding := func(file string, line int, command string) rules.Finding {
		return rules.Finding{
			Rule: "kubectldryrun", File: file, Line: line, Column: 3, EndLine: line, EndColumn: 12, Command: command, Message: "obsolete",
			Fix: &rules.CodeFix{Message: "write it", Safe: true, Edits: []rules.Edit{{File: file, Line: line}}},
		}
	}
	for _, test := range []struct {
		name                        string
		files                       int
		found, first, folded, edits int
	}{
		{"in few files", minRepeats - 1, minRepeats - 1, 0, 0, 1},
		{"in many files", minRepeats, 1, minRepeats - 1, minRepeats - 1, minRepeats},
		{"in more files than a finding has places", maxRepeats + 3, 2, maxRepeats, maxRepeats + 1, maxRepeats + 1},
	} {
		var l scriptFindings
		for i := range test.files {
			if !l.add(finding(fmt.Sprintf("%d/README.md", i), 7, "kubectl create --dry-run")) {
				t.Fatal("the finding is not taken")
			}
		}
		all, repeats := l.fold()
		if len(all) != test.found || len(all[0].Related) != test.first || repeats["kubectldryrun"] != test.folded {
			t.Errorf("%s: %d findings, %d related, %v folded; want %d, %d, %d", test.name, len(all), len(all[0].Related), repeats, test.found, test.first, test.folded)
		}
		if n := len(all[0].Fix.Edits); n != test.edits {
			t.Errorf("%s: %d edits, want %d", test.name, n, test.edits)
		}
		if n := len(l.list[0].Fix.Edits); n != 1 {
			t.Errorf("%s: folding changed a finding: %d edits", test.name, n)
		}
	}

	// Findings are not folded if they are in one file, or have different commands or
	// messages.
	var l scriptFindings
	for i := range 2 * minRepeats {
		l.add(finding("README.md", i+1, "kubectl create --dry-run"))
		l.add(finding(fmt.Sprintf("%d.sh", i), 1, fmt.Sprintf("kubectl create --dry-run --n%d", i)))
	}
	if all, repeats := l.fold(); len(all) != 4*minRepeats || len(repeats) > 0 {
		t.Errorf("%d findings, %v folded", len(all), repeats)
	}

	// The list has at most maxHeld findings.
	l = scriptFindings{}
	for i := range maxHeld + 1 {
		if got, want := l.add(finding("a.sh", i+1, "kubectl")), i < maxHeld; got != want {
			t.Fatalf("finding %d: held %t, want %t", i, got, want)
		}
	}
	for _, f := range []rules.Finding{
		{Rule: "syntax", File: "a.sh"},
		{Rule: "kubectldryrun", Command: "kubectl", Object: &rules.ObjectRef{Kind: "ConfigMap"}},
		{Rule: "kubectldryrun", Command: "kubectl", RenderedBy: []string{"Chart.yaml"}},
	} {
		if new(scriptFindings).add(f) {
			t.Errorf("held: %+v", f)
		}
	}
}
