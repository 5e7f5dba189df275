package ruletest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/kubevet/kubevet/analyzers"
	"github.com/kubevet/kubevet/internal/fixset"
	"github.com/kubevet/kubevet/internal/gofix"
	"github.com/kubevet/kubevet/internal/goload"
	"github.com/kubevet/kubevet/rules"
)

// stubModule is the module with the test packages of the Go rules. It has stubs of client
// libraries.
var stubModule = filepath.Join("..", "..", "analyzers", "testdata")

func TestGoExamples(t *testing.T) {
	m, err := newGoModule(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	found, err := m.lint()
	if err != nil {
		t.Fatal(err)
	}
	Run(t, rules.SurfaceGo, func(ex Example) ([]rules.Finding, error) {
		r := found[exampleDir(ex)]
		return r.findings, errors.Join(r.errs...)
	})
}

// goModule is a module with all Go examples of the catalogue, so that they are loaded
// together. Each example is a package.
type goModule struct {
	dir      string
	examples map[string]Example // by directory of the package
	added    map[string]int     // number of lines that were added before each example
}

// exampleDir returns the directory of the package for an example.
func exampleDir(ex Example) string {
	return path.Base(path.Dir(ex.Page)) + ex.Rule + strconv.Itoa(ex.Line)
}

func newGoModule(dir string) (*goModule, error) {
	m := &goModule{dir: dir, examples: map[string]Example{}, added: map[string]int{}}
	mod, err := os.ReadFile(filepath.Join(stubModule, "go.mod"))
	if err != nil {
		return nil, err
	}
	stubs, err := filepath.Abs(filepath.Join(stubModule, "stubs"))
	if err != nil {
		return nil, err
	}
	text := strings.ReplaceAll(string(mod), "./stubs/", filepath.ToSlash(stubs)+"/")
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o666); err != nil {
		return nil, err
	}
	all, err := pages()
	if err != nil {
		return nil, err
	}
	for _, r := range all {
		all, err := examples(r, rules.SurfaceGo)
		if err != nil {
			return nil, err
		}
		for _, ex := range all {
			if err := m.add(ex); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", ex.Page, ex.Line, err)
			}
		}
	}
	return m, nil
}

func (m *goModule) add(ex Example) error {
	text, added, err := goFile(ex)
	if err != nil {
		return err
	}
	name := exampleDir(ex)
	m.examples[name], m.added[name] = ex, added
	file := filepath.Join(m.dir, name, filepath.FromSlash(ex.File))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o666)
}

// example returns the directory of a file's example, and the path of the file in it. The
// option file may put the file into a subdirectory.
func (m *goModule) example(file string) (name, rest string) {
	rel, err := filepath.Rel(m.dir, file)
	if err != nil {
		return "", file
	}
	name, rest, _ = strings.Cut(filepath.ToSlash(rel), "/")
	return name, rest
}

type lintResult struct {
	findings    []rules.Finding
	diagnostics []goload.Diagnostic
	errs        []error
}

// lint runs the rules over the examples. Examples with the same rules and settings are
// analyzed together.
func (m *goModule) lint() (map[string]lintResult, error) {
	groups := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(m.examples)) {
		ex := m.examples[name]
		key := fmt.Sprint(ex.Strict, ex.Settings, ex.Also)
		if !analyzers.OnByDefault(ex.Rule) || len(ex.Settings) > 0 {
			key += ex.Rule // this rule runs here, and not in other examples
		}
		groups[key] = append(groups[key], name)
	}
	out := map[string]lintResult{}
	for _, key := range slices.Sorted(maps.Keys(groups)) {
		if err := m.lintGroup(groups[key], out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (m *goModule) lintGroup(names []string, out map[string]lintResult) error {
	first := m.examples[names[0]]
	settings := map[string]string{}
	if first.Strict {
		settings = analyzers.Strict()
	}
	for _, s := range first.Settings {
		name, value, _ := strings.Cut(s, "=")
		if name != "tests" {
			name = first.Rule + "." + name
		}
		settings[name] = value
	}
	restore, err := analyzers.Set(settings)
	if err != nil {
		return fmt.Errorf("%s:%d: %w", first.Page, first.Line, err)
	}
	defer restore()
	var patterns []string
	for _, name := range names {
		patterns = append(patterns, "./"+name+"/...")
	}
	result, err := goload.Run(context.Background(), goload.Options{
		Dir:      m.dir,
		Env:      append(os.Environ(), "GOPROXY=off", "GOWORK=off", "GOFLAGS=-mod=mod"),
		Patterns: patterns,
		Tests:    true,
		Analyzers: analyzers.Select(func(id string) bool {
			return first.Strict || analyzers.OnByDefault(id) || id == first.Rule || slices.Contains(first.Also, id)
		}),
		Relevant: analyzers.Relevant,
		Markers:  analyzers.Markers(),
	})
	if err != nil {
		return err
	}
	for _, d := range result.Diagnostics {
		name, _ := m.example(d.Pos.Filename)
		l := out[name]
		l.findings = append(l.findings, m.finding(name, d))
		l.diagnostics = append(l.diagnostics, d)
		out[name] = l
	}
	for _, f := range result.Failures {
		name := ""
		for element := range strings.SplitSeq(strings.TrimSuffix(f.Package, ".test"), "/") {
			if _, ok := m.examples[element]; ok {
				name = element
			}
		}
		l := out[name]
		for _, e := range f.Errors {
			l.errs = append(l.errs, fmt.Errorf("line %d: %s", e.Pos.Line-m.added[name], e.Msg))
		}
		out[name] = l
	}
	return nil
}

// finding converts a diagnostic about an example's file to a finding about the example.
// name is the directory of the example.
func (m *goModule) finding(name string, d goload.Diagnostic) rules.Finding {
	f := rules.Finding{
		Rule: d.Analyzer.Name, Message: d.Message,
		Line: d.Pos.Line - m.added[name], Column: d.Pos.Column,
	}
	if r, ok := rules.Lookup(f.Rule); ok {
		f.Severity = analyzers.Severity(d.Category, r.Severity)
	}
	// A package clause and imports may have been added before the first line of the
	// example. Then its columns are unknown.
	lines := strings.Split(string(m.examples[name].Source), "\n")
	if f.Line >= 1 && f.Line <= len(lines) && d.Pos.Column-1 <= len(lines[f.Line-1]) {
		f.Column = utf8.RuneCountInString(lines[f.Line-1][:d.Pos.Column-1]) + 1
	}
	return f
}

// TestGoExamplesFixed applies each fix of a finding in an example alone. Afterwards, the
// code must compile and the finding must be gone.
func TestGoExamplesFixed(t *testing.T) {
	m, err := newGoModule(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	before, err := m.lint()
	if err != nil {
		t.Fatal(err)
	}
	fixed := &goModule{dir: t.TempDir(), examples: map[string]Example{}, added: m.added}
	if err := os.CopyFS(fixed.dir, os.DirFS(m.dir)); err != nil {
		t.Fatal(err)
	}
	whose := map[string]string{} // the example, by directory of the fixed copy
	about := map[string]string{} // the finding, by directory of the fixed copy
	for _, name := range slices.Sorted(maps.Keys(before)) {
		for i, d := range before[name].diagnostics {
			r, _ := rules.Lookup(d.Analyzer.Name)
			if len(d.Fixes) > 0 && r.Fix == "" {
				t.Errorf("%s.md has no line \"fix\", but its findings carry fixes", r.ID)
			}
			for j, fix := range d.Fixes {
				to := fmt.Sprintf("%sfix%d%c", name, i, 'a'+j)
				if err := m.writeFixed(filepath.Join(fixed.dir, to), fix); err != nil {
					t.Errorf("%s:%d: %s: %v", m.examples[name].Page, m.examples[name].Line, fix.Message, err)
					continue
				}
				fixed.examples[to], fixed.added[to] = m.examples[name], m.added[name]
				whose[to], about[to] = name, d.Message
			}
		}
	}
	after, err := fixed.lint()
	if err != nil {
		t.Fatal(err)
	}
	count := func(l lintResult, message string) (n int) {
		for _, f := range l.findings {
			if f.Message == message {
				n++
			}
		}
		return n
	}
	for _, to := range slices.Sorted(maps.Keys(whose)) {
		ex := fixed.examples[to]
		for _, err := range after[to].errs {
			t.Errorf("%s:%d: the fix of %q breaks the code: %v", ex.Page, ex.Line, about[to], err)
		}
		if count(after[to], about[to]) >= count(before[whose[to]], about[to]) {
			t.Errorf("%s:%d: %q is still found after its fix", ex.Page, ex.Line, about[to])
		}
	}
}

// writeFixed writes a copy of an example's package, with a fix applied, to a directory.
func (m *goModule) writeFixed(dir string, fix goload.Fix) error {
	var set fixset.Set
	set.Add(fix.Edits)
	files, err := set.Apply(os.ReadFile, gofix.Finish)
	if err != nil {
		return err
	}
	if set.Skipped() > 0 || len(files) == 0 {
		return errors.New("the fix cannot be applied")
	}
	for _, f := range files {
		_, rest := m.example(f.Name)
		name := filepath.Join(dir, filepath.FromSlash(rest))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(name, f.New, 0o666); err != nil {
			return err
		}
	}
	return nil
}
