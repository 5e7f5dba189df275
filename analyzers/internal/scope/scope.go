// Package scope decides which findings of Go rules are reported. It drops findings in
// generated files, and findings that a comment suppresses. It also drops findings in tests
// and test doubles, unless the flag tests is set.
//
// All rules report through this package, so every driver (go vet, kubevet go,
// golangci-lint, a multichecker) reports the same findings.
package scope

import (
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/kubevet/kubevet/analyzers/internal/edit"
	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"github.com/kubevet/kubevet/rules"
	"golang.org/x/tools/go/analysis"
)

// Analyzer collects what decides whether findings in a package are reported: generated
// files, suppression comments and test doubles. Its result is a *Scope. With its flag
// tests, the rules also report in _test.go files and in methods of fakes, mocks and stubs.
var Analyzer = newAnalyzer()

func newAnalyzer() *analysis.Analyzer {
	a := &analysis.Analyzer{
		Name:             "kubevetscope",
		Doc:              "read generated-file marks and suppression comments",
		ResultType:       reflect.TypeFor[*Scope](),
		RunDespiteErrors: true,
	}
	tests := a.Flags.Bool("tests", false, "report in test files and test doubles too")
	severities := a.Flags.Bool("severities", false, "begin each message with the severity of the finding")
	a.Run = func(pass *analysis.Pass) (any, error) {
		s := read(pass, *tests)
		s.severities = *severities
		return s, nil
	}
	return a
}

// Scope says which findings in one package are reported.
type Scope struct {
	pass  *analysis.Pass
	tests bool
	// severities is set if messages begin with the severity of the finding.
	severities bool

	quiet     map[*token.File]bool                 // generated files; also test files if the flag tests is not set
	generated map[*token.File]bool                 // generated files that are part of the program
	ignores   map[*token.File]map[int][]*Directive // directives by line
	fakes     map[*token.File][][2]token.Pos       // start and end of functions of test doubles
	// forTests is set if the package is test code and the flag tests is not set.
	forTests bool
	excluded Excluded

	mu         sync.Mutex // guards directives: analyzers of one package may run at the same time
	directives []*Directive
}

// Directive is one rule that a suppression comment names:
//
//	//kubevet:ignore fieldmanager,dryrun -- the manager is the binary's name
//
// A comment at the end of a line applies to that line. A comment on a line of its own
// applies to the next line of code. Above a function, it applies to the whole function.
// "all" stands for every rule.
type Directive struct {
	// Comment is the comment that names the rule.
	Comment *ast.Comment
	// Rule is the ID as it is written. It is "" if the comment names no rule.
	Rule string
	// Reason is the text after "--". It is empty if the comment has no reason.
	Reason string
	// Used reports whether the directive has suppressed a finding.
	Used bool

	from, to int // first and last line to which it applies
}

// Of returns the scope of a package. The calling analyzer must require Analyzer.
func Of(pass *analysis.Pass) *Scope { return pass.ResultOf[Analyzer].(*Scope) }

// Report reports a finding of the rule with the name of pass's analyzer, unless the finding
// is out of scope. It sets the category and the address of the rule's page.
func Report(pass *analysis.Pass, d analysis.Diagnostic) { report(pass, pass.Analyzer.Name, d) }

// ReportAtMost reports a finding with the lower one of the given severity and the
// rule's severity. If the severity is lower than the rule's, it is part of the
// category, as in "removedapi/info".
func ReportAtMost(pass *analysis.Pass, severity rules.Severity, d analysis.Diagnostic) {
	category := pass.Analyzer.Name
	if r, ok := rules.Lookup(category); !ok || severity < r.Severity {
		category += "/" + severity.String()
	}
	report(pass, category, d)
}

func report(pass *analysis.Pass, category string, d analysis.Diagnostic) {
	// The bodies of functions that do not compile are not analyzed, so nothing is
	// certain about them.
	if Of(pass).Silent(pass.Analyzer.Name, d.Pos) || intact.Of(pass).In(d.Pos) {
		return
	}
	d.Category = category
	Send(pass, d)
}

// Send reports a diagnostic even if it is out of scope. The diagnostic must have a
// category.
func Send(pass *analysis.Pass, d analysis.Diagnostic) {
	d.URL = pass.Analyzer.URL
	d.SuggestedFixes = edit.LineEndings(pass, d.SuggestedFixes)
	if Of(pass).severities {
		r, _ := rules.Lookup(pass.Analyzer.Name)
		d.Message = Severity(d.Category, r.Severity).String() + ": " + d.Message
	}
	pass.Report(d)
}

// Severity returns the lower one of the rule's severity and the severity in a
// diagnostic's category. A category without a severity counts as the rule's severity.
func Severity(category string, rule rules.Severity) rules.Severity {
	_, name, ok := strings.Cut(category, "/")
	if !ok {
		return rule
	}
	own, err := rules.ParseSeverity(name)
	if err != nil {
		return rule
	}
	return min(own, rule)
}

// Tests reports whether rules also report findings in tests.
func (s *Scope) Tests() bool { return s.tests }

// Skipped reports whether no rule reports findings at a position. An analyzer need not
// check such code.
func (s *Scope) Skipped(pos token.Pos) bool {
	file := s.pass.Fset.File(pos)
	return s.quiet[file] || s.fake(file, pos)
}

// Generated reports whether a position is in a generated file that is not a test. Rules
// report no findings there, but their analysis includes the file.
func (s *Scope) Generated(pos token.Pos) bool { return s.generated[s.pass.Fset.File(pos)] }

// fake reports whether a position is in a function of a test double.
func (s *Scope) fake(file *token.File, pos token.Pos) bool {
	return slices.ContainsFunc(s.fakes[file], func(fn [2]token.Pos) bool { return fn[0] <= pos && pos < fn[1] })
}

// Silent reports whether a finding of a rule at pos must not be reported. If a
// directive suppresses the finding, Silent marks the directive as used.
func (s *Scope) Silent(rule string, pos token.Pos) bool {
	file := s.pass.Fset.File(pos)
	if s.quiet[file] {
		return true
	}
	if s.fake(file, pos) {
		return true
	}
	silent := false
	for _, d := range s.ignores[file][file.PositionFor(pos, false).Line] {
		if id, ok := rules.Resolve(d.Rule); d.Rule == "all" || ok && id == rule {
			s.mu.Lock()
			d.Used = true
			s.mu.Unlock()
			silent = true
		}
	}
	return silent
}

// Directives returns the suppressions of the package in order of position. Their field Used
// is complete after all rules have run.
func (s *Scope) Directives() []*Directive { return s.directives }

const marker = "//kubevet:ignore"

func read(pass *analysis.Pass, tests bool) *Scope {
	s := &Scope{
		pass: pass, tests: tests,
		quiet:     map[*token.File]bool{},
		generated: map[*token.File]bool{},
		ignores:   map[*token.File]map[int][]*Directive{},
		fakes:     map[*token.File][][2]token.Pos{},
	}
	s.forTests = !tests && testPackage(pass)
	var doubles map[*types.TypeName]bool
	if !tests {
		doubles = testDoubles(pass)
	}
	s.excluded.TestPackage = s.forTests
	for _, f := range pass.Files {
		file := pass.Fset.File(f.FileStart)
		switch {
		case s.forTests:
			s.quiet[file] = true
		case generated(f, file):
			s.quiet[file] = true
			s.generated[file] = tests || !testFile(pass.Fset, f)
			s.excluded.GeneratedFiles++
		case !tests && testFile(pass.Fset, f):
			s.quiet[file] = true
			s.excluded.TestFiles++
		case !tests:
			s.fakes[file] = fakes(pass, f, doubles)
			s.excluded.Fakes += len(s.fakes[file])
		}
		for _, group := range f.Comments {
			for _, c := range group.List {
				if rest, ok := strings.CutPrefix(c.Text, marker); ok && (rest == "" || rest[0] == ' ' || rest[0] == '\t') {
					s.add(pass, f, file, c, rest)
				}
			}
		}
	}
	return s
}

// generated reports whether a file is generated, as its header or the beginning
// zz_generated of its name shows. Some generators of Kubernetes write no header.
func generated(f *ast.File, file *token.File) bool {
	return ast.IsGenerated(f) || strings.HasPrefix(filepath.Base(file.Name()), "zz_generated")
}

// add adds the directives of one comment. rest is the text after the marker.
func (s *Scope) add(pass *analysis.Pass, f *ast.File, file *token.File, c *ast.Comment, rest string) {
	ids, reason, _ := strings.Cut(rest, "--")
	from := file.PositionFor(c.Pos(), false).Line
	to := from
	if isFirstOnLine(f, file, c) {
		from, to = coveredLines(f, file, c)
	}
	words := strings.FieldsFunc(ids, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })
	if len(words) == 0 {
		words = []string{""}
	}
	for _, id := range words {
		d := &Directive{Comment: c, Rule: id, Reason: strings.TrimSpace(reason), from: from, to: to}
		s.directives = append(s.directives, d)
		if id == "" || s.quiet[file] {
			continue
		}
		lines := s.ignores[file]
		if lines == nil {
			lines = map[int][]*Directive{}
			s.ignores[file] = lines
		}
		for l := from; l <= to; l++ {
			lines[l] = append(lines[l], d)
		}
	}
}

// isFirstOnLine reports whether no code precedes a comment on its line.
func isFirstOnLine(f *ast.File, file *token.File, c *ast.Comment) bool {
	start := file.LineStart(file.PositionFor(c.Pos(), false).Line)
	found := true
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil || !found {
			return false
		}
		if _, comment := n.(*ast.CommentGroup); comment {
			return false
		}
		if n.Pos() >= c.Pos() || n.End() <= start {
			return n.Pos() < c.Pos() && n.End() > start
		}
		if _, whole := n.(*ast.File); !whole && (n.Pos() >= start || n.End() <= c.Pos()) {
			found = false
		}
		return found
	})
	return found
}

// coveredLines returns the first and the last line that a comment on a line of its own
// covers: those of the function that it documents, or the next line of code.
func coveredLines(f *ast.File, file *token.File, c *ast.Comment) (from, to int) {
	line := func(p token.Pos) int { return file.PositionFor(p, false).Line }
	for _, decl := range f.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if ok && fn.Doc != nil && slices.Contains(fn.Doc.List, c) {
			return line(fn.Pos()), line(fn.End())
		}
	}
	here := line(c.Pos())
	next := here
	ast.Inspect(f, func(n ast.Node) bool {
		switch n.(type) {
		case nil, *ast.CommentGroup, *ast.Comment:
			return false
		}
		if n.End() <= c.Pos() {
			return false
		}
		if l := line(n.Pos()); n.Pos() > c.Pos() && (next == here || l < next) {
			next = l
		}
		return n.Pos() <= c.Pos()
	})
	return next, next
}
