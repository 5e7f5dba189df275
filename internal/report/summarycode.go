package report

import (
	"fmt"
	"strings"

	"github.com/kubevet/kubevet/rules"
)

func (out *summaryWriter) skippedFunctions(s *rules.Summary) {
	if s.Code == nil || s.Code.SkippedFunctionCount == 0 {
		return
	}
	out.line(skippedFunctionsLine(s.Code) + ":")
	shown := out.limit(len(s.Code.SkippedFunctions))
	for _, f := range s.Code.SkippedFunctions[:shown] {
		out.line(out.paint.style(dim, fmt.Sprintf("  %s:%d: %s", showFile(f.File), f.Line, show(f.Name))))
	}
	out.more(s.Code.SkippedFunctionCount - shown)
}

// skippedFunctionsLine returns a line such as "skipped 2 functions that could not be
// type-checked".
func skippedFunctionsLine(c *rules.CodeSummary) string {
	return "skipped " + plural(c.SkippedFunctionCount, "function", "functions") + " that could not be type-checked"
}

// unresolvedCalls lists the calls that were not understood, if Verbose is set.
func (out *summaryWriter) unresolvedCalls(s *rules.Summary) {
	if s.Code == nil || s.Code.Unresolved == 0 || !out.o.Verbose {
		return
	}
	out.line(unresolvedText(s.Code) + ":")
	for _, c := range s.Code.UnresolvedCalls {
		out.line(out.paint.style(dim, fmt.Sprintf("  %s:%d: %s", showFile(c.File), c.Line, show(c.Name))))
	}
	out.more(s.Code.Unresolved - len(s.Code.UnresolvedCalls))
}

// unresolvedText returns a text such as "3 calls not understood".
func unresolvedText(c *rules.CodeSummary) string {
	return plural(c.Unresolved, "call", "calls") + " not understood"
}

// codeLine returns a line such as "analyzed 80 packages (9 more do not use Kubernetes),
// 50 writes and 2 clients, 3 calls not understood, in 2.4s".
func codeLine(s *rules.Summary) string {
	c := s.Code
	line := "analyzed " + plural(max(c.Packages-c.Skipped-c.Excluded.TestPackages, 0), "package", "packages")
	if c.Skipped > 0 {
		line += " (" + plural(c.Skipped, "more does", "more do") + " not use Kubernetes)"
	}
	line += ": " + plural(c.Writes, "write", "writes")
	if c.Clients > 0 {
		line += " and " + plural(c.Clients, "client", "clients")
	}
	if c.Unresolved > 0 {
		line += ", " + unresolvedText(c)
	}
	if s.Seconds > 0 {
		line += ", in " + duration(s.Seconds)
	}
	return line
}

// excludedLine returns a line such as "excluded: 2 packages and 14 files of test code, 3
// generated files, 1 fake". It returns "" if nothing is excluded.
func excludedLine(s *rules.Summary) string {
	if s.Code == nil {
		return ""
	}
	e := &s.Code.Excluded
	var tests, parts []string
	if e.TestPackages > 0 {
		tests = append(tests, plural(e.TestPackages, "package", "packages"))
	}
	if e.TestFiles > 0 {
		tests = append(tests, plural(e.TestFiles, "file", "files"))
	}
	if len(tests) > 0 {
		parts = append(parts, strings.Join(tests, " and ")+" of test code")
	}
	if e.GeneratedFiles > 0 {
		parts = append(parts, plural(e.GeneratedFiles, "generated file", "generated files"))
	}
	if e.Fakes > 0 {
		parts = append(parts, plural(e.Fakes, "function of a fake", "functions of fakes"))
	}
	if len(parts) == 0 {
		return ""
	}
	return "excluded: " + strings.Join(parts, ", ")
}

// targetLine returns a line such as "target 1.31, from k8s.io/client-go v0.31.2" or "target
// 1.16, the oldest known release (k8s.io/client-go v11.0.0+incompatible)". It returns ""
// for manifests.
func targetLine(s *rules.Summary) string {
	if s.Code == nil || s.Target == "" {
		return ""
	}
	line := "target " + show(s.Target)
	source := show(s.Code.TargetSource)
	switch {
	case s.Code.TargetLimit != "":
		line += ", the " + show(s.Code.TargetLimit) + " known release"
		if source != "" {
			line += " (" + source + ")"
		}
	case source != "":
		line += ", from " + source
	}
	return line
}

// settingNames has the settings of writes that rules check. The setting with the most
// important rule comes first.
var settingNames = [...]struct{ key, name string }{
	{"dryRun", "dry-run"},
	{"fieldManager", "field manager"},
	{"force", "force"},
	{"fieldValidation", "field validation"},
}

// unknownLine returns a line such as "not known: dry-run of 3 writes, field manager of
// 5". It returns "" if all settings are known.
func unknownLine(s *rules.Summary) string {
	if s.Code == nil {
		return ""
	}
	var parts []string
	for _, setting := range settingNames {
		if n := s.Code.Unknown[setting.key]; n > 0 {
			text := setting.name + " of " + thousands(n)
			if len(parts) == 0 {
				text = setting.name + " of " + plural(n, "write", "writes")
			}
			parts = append(parts, text)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "not known: " + strings.Join(parts, ", ")
}
