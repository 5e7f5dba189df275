// Package scope decides which findings of Go rules are reported. It drops findings in
// generated files, findings in tests or test doubles unless asked for, and findings
// that a comment suppresses. All rules report through it, so that every driver (go vet,
// kubevet go, golangci-lint, another project's multichecker) behaves alike.
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

	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"github.com/kubevet/kubevet/rules"
	"golang.org/x/tools/go/analysis"
)

// Analyzer reads what decides about findings in a package, once for all
// rules. Its result is a *Scope. Its flag tests makes the rules report in
// _test.go files and in methods of fakes, mocks and stubs too.
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

// Scope is what decides about findings in one package.
type Scope struct {
	pass  *analysis.Pass
	tests bool
	// severities is set if messages begin with the severity of the finding.
	severities bool

	quiet   map[*token.File]bool                 // generated, or tests that nobody asked for
	made    map[*token.File]bool                 // generated, and of a program
	ignores map[*token.File]map[int][]*Directive // by the line they hold for
	fakes   map[*token.File][][2]token.Pos       // functions of test doubles
	// forTests is set if the package is test code and tests is not set.
	forTests bool
	excluded Excluded

	mu         sync.Mutex // analyzers of one package may run at the same time
	directives []*Directive
}

// Directive is one rule named by a suppression comment:
//
//	//kubevet:ignore fieldmanager,dryrun -- the manager is the binary's name
//
// It holds for the line that it ends, or, alone on a line, for the next line
// of code; above a function, for the whole function. "all" stands for every
// rule.
type Directive struct {
	// Comment is where it is written.
	Comment *ast.Comment
	// Rule is one ID as written; "" where the comment names none.
	Rule string
	// Reason is the text behind "--"; empty where none is given.
	Reason string
	// Used reports whether it has suppressed a finding.
	Used bool

	from, to int // lines
}

// Of returns the package's scope; the calling analyzer requires Analyzer.
func Of(pass *analysis.Pass) *Scope { return pass.ResultOf[Analyzer].(*Scope) }

// Report reports a finding of the rule that pass's analyzer is named after, unless it
// is out of scope. It fills in the category and the address of the rule's page.
func Report(pass *analysis.Pass, d analysis.Diagnostic) { report(pass, pass.Analyzer.Name, d) }

// ReportAtMost is Report for a finding that matters less than its rule: drivers show it
// with this severity, or the rule's if that is lower. The category of the diagnostic
// carries it, as in "removedapi/info".
func ReportAtMost(pass *analysis.Pass, severity rules.Severity, d analysis.Diagnostic) {
	category := pass.Analyzer.Name
	if r, ok := rules.Lookup(category); !ok || severity < r.Severity {
		category += "/" + severity.String()
	}
	report(pass, category, d)
}

func report(pass *analysis.Pass, category string, d analysis.Diagnostic) {
	// The signature of a function that does not compile says too little without its body.
	if Of(pass).Silent(pass.Analyzer.Name, d.Pos) || intact.Of(pass).In(d.Pos) {
		return
	}
	d.Category = category
	Send(pass, d)
}

// Send reports a diagnostic, which has a category, even if it is out of scope.
func Send(pass *analysis.Pass, d analysis.Diagnostic) {
	d.URL = pass.Analyzer.URL
	if Of(pass).severities {
		r, _ := rules.Lookup(pass.Analyzer.Name)
		d.Message = Severity(d.Category, r.Severity).String() + ": " + d.Message
	}
	pass.Report(d)
}

// Severity returns the severity of a diagnostic: that of its rule, or the lower one
// that the diagnostic's category carries.
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

// Tests reports whether tests are checked, too.
func (s *Scope) Tests() bool { return s.tests }

// Skipped reports whether nothing is reported about a file at all, so that an analyzer
// may save itself the work.
func (s *Scope) Skipped(pos token.Pos) bool {
	file := s.pass.Fset.File(pos)
	return s.quiet[file] || s.fake(file, pos)
}

// Generated reports whether a position is in a generated file. Nothing is reported there,
// and what the file does is part of the program. It is false in tests.
func (s *Scope) Generated(pos token.Pos) bool { return s.made[s.pass.Fset.File(pos)] }

// fake reports whether a position is in a function of a test double.
func (s *Scope) fake(file *token.File, pos token.Pos) bool {
	return slices.ContainsFunc(s.fakes[file], func(fn [2]token.Pos) bool { return fn[0] <= pos && pos < fn[1] })
}

// Silent reports whether a finding of a rule at pos is not reported. It marks a
// directive that is the reason as used.
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

// Directives returns the package's suppressions in order of position. Whether
// they are used is settled once all rules have run.
func (s *Scope) Directives() []*Directive { return s.directives }

const marker = "//kubevet:ignore"

func read(pass *analysis.Pass, tests bool) *Scope {
	s := &Scope{
		pass: pass, tests: tests,
		quiet:   map[*token.File]bool{},
		made:    map[*token.File]bool{},
		ignores: map[*token.File]map[int][]*Directive{},
		fakes:   map[*token.File][][2]token.Pos{},
	}
	s.forTests = !tests && testPackage(pass)
	var doubles map[*types.TypeName]bool
	if !tests {
		doubles = standIns(pass)
	}
	s.excluded.TestPackage = s.forTests
	for _, f := range pass.Files {
		file := pass.Fset.File(f.FileStart)
		switch {
		case s.forTests:
			s.quiet[file] = true
		case generated(f, file):
			s.quiet[file] = true
			s.made[file] = tests || !testFile(pass.Fset, f)
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

// generated reports whether a file is generated: its header says so, or it has the name that
// the generators of Kubernetes give, some of which write no header.
func generated(f *ast.File, file *token.File) bool {
	return ast.IsGenerated(f) || strings.HasPrefix(filepath.Base(file.Name()), "zz_generated")
}

// add takes one comment.
func (s *Scope) add(pass *analysis.Pass, f *ast.File, file *token.File, c *ast.Comment, rest string) {
	ids, reason, _ := strings.Cut(rest, "--")
	from := file.PositionFor(c.Pos(), false).Line
	to := from
	if alone(f, file, c) {
		from, to = extent(f, file, c)
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

// alone reports whether no code precedes the comment on its line.
func alone(f *ast.File, file *token.File, c *ast.Comment) bool {
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

// extent returns the lines for which a comment on a line of its own holds: the function
// declaration or the first line of the statement that follows it.
func extent(f *ast.File, file *token.File, c *ast.Comment) (from, to int) {
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
