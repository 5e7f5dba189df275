package unit

import (
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/analysis"
)

// note is a fact with a text.
type note struct{ Text string }

func (*note) AFact() {}

// check returns a type-checked package with a single file.
func check(t *testing.T, path, src string, from types.Importer) *Package {
	t.Helper()
	p := &Package{Fset: token.NewFileSet(), Info: NewInfo()}
	f, err := parser.ParseFile(p.Fset, path+".go", src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	p.Files = []*ast.File{f}
	if from == nil {
		from = importer.Default()
	}
	if p.Types, err = (&types.Config{Importer: from}).Check(path, p.Fset, p.Files, p.Info); err != nil {
		t.Fatal(err)
	}
	return p
}

func analyzer(name string, run func(*analysis.Pass) (any, error), requires ...*analysis.Analyzer) *analysis.Analyzer {
	return &analysis.Analyzer{Name: name, Doc: name, Run: run, Requires: requires, ResultType: reflect.TypeFor[string](), FactTypes: []analysis.Fact{(*note)(nil)}}
}

func TestRun(t *testing.T) {
	p := check(t, "a", "package a\n\nvar X, Y int\n", nil)
	first := analyzer("first", func(pass *analysis.Pass) (any, error) {
		y := pass.Pkg.Scope().Lookup("Y")
		pass.Reportf(y.Pos(), "y")
		pass.Reportf(pass.Pkg.Scope().Lookup("X").Pos(), "x")
		return "from first", nil
	})
	second := analyzer("second", func(pass *analysis.Pass) (any, error) { return pass.ResultOf[first].(string) + ", second", nil }, first)
	fails := analyzer("fails", func(*analysis.Pass) (any, error) { return nil, errors.New("it cannot") })
	panics := analyzer("panics", func(pass *analysis.Pass) (any, error) {
		pass.Reportf(pass.Files[0].Pos(), "not told")
		var none []int
		return none[len(pass.Files)], nil
	})
	after := analyzer("after", func(*analysis.Pass) (any, error) { t.Error("it ran"); return nil, nil }, panics)

	var got []string
	for _, r := range Run(p, []*analysis.Analyzer{second, fails, after}, &Facts{}) {
		line := r.Analyzer.Name
		for _, d := range r.Diagnostics {
			line += " " + d.Message
		}
		switch {
		case r.Err != nil:
			line += " failed: " + r.Err.Error()
		default:
			line += " = " + r.Value.(string)
		}
		got = append(got, line)
	}
	place := strings.Index(got[3], " (at ")
	if place < 0 || !strings.Contains(got[3][place:], "unit_test.go:") {
		t.Fatalf("no place in %q", got[3])
	}
	suffix := got[3][place:]
	want := []string{
		"first x y = from first",
		"second = from first, second",
		"fails failed: fails: it cannot",
		"panics failed: panics: panic: runtime error: index out of range [1] with length 0" + suffix,
		"after failed: panics: panic: runtime error: index out of range [1] with length 0" + suffix,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

type mapImporter map[string]*types.Package

func (o mapImporter) Import(path string) (*types.Package, error) { return o[path], nil }

// TestFacts passes facts from one package to another, in memory and in encoded form.
func TestFacts(t *testing.T) {
	far := check(t, "far", "package far\n\ntype T struct{ F int }\n\nfunc (T) M() {}\n\nfunc Func() {}\n\nfunc hidden() { type local int }\n", nil)
	near := check(t, "near", "package near\n\nimport \"far\"\n\nvar V far.T\n", mapImporter{"far": far.Types})
	var facts Facts
	mark := analyzer("mark", func(pass *analysis.Pass) (any, error) {
		scope := pass.Pkg.Scope()
		for _, name := range scope.Names() {
			pass.ExportObjectFact(scope.Lookup(name), &note{name})
		}
		if tn, ok := scope.Lookup("T").(*types.TypeName); ok {
			pass.ExportObjectFact(tn.Type().Underlying().(*types.Struct).Field(0), &note{"F"})
			pass.ExportObjectFact(tn.Type().(*types.Named).Method(0), &note{"M"})
		}
		pass.ExportPackageFact(&note{"package " + pass.Pkg.Path()})
		return "", nil
	})
	for _, p := range []*Package{far, near} {
		for _, r := range Run(p, []*analysis.Analyzer{mark}, &facts) {
			if r.Err != nil {
				t.Fatal(r.Err)
			}
		}
	}
	all := func(f *Facts) []string {
		var list []string
		for _, o := range f.allObjects(near.Types, mark) {
			list = append(list, o.Object.Pkg().Path()+"."+o.Object.Name()+" "+o.Fact.(*note).Text)
		}
		for _, p := range f.allPackages(near.Types, mark) {
			list = append(list, p.Package.Path()+" "+p.Fact.(*note).Text)
		}
		return list
	}
	want := []string{"far.T T", "far.F F", "far.M M", "far.Func Func", "far.hidden hidden", "near.V V", "far package far", "near package near"}
	if diff := cmp.Diff(want, all(&facts)); diff != "" {
		t.Errorf("in memory (-want +got):\n%s", diff)
	}

	Register([]*analysis.Analyzer{mark})
	data, err := facts.Encode(near.Types)
	if err != nil {
		t.Fatal(err)
	}
	again, _ := facts.Encode(near.Types)
	if string(again) != string(data) {
		t.Error("the same facts are written in two ways")
	}
	var read Facts
	if err := read.Decode(data, func(path string) *types.Package {
		return map[string]*types.Package{"far": far.Types, "near": near.Types}[path]
	}); err != nil {
		t.Fatal(err)
	}
	// From package far, only the facts that can be used through package near must be
	// encoded.
	want = []string{"far.T T", "far.F F", "far.M M", "near.V V", "near package near"}
	if diff := cmp.Diff(want, all(&read)); diff != "" {
		t.Errorf("written down (-want +got):\n%s", diff)
	}
	if err := read.Decode([]byte("no gob"), func(string) *types.Package { return nil }); err == nil {
		t.Error("garbage is accepted")
	}
	if err := read.Decode(data, func(string) *types.Package { return nil }); err != nil {
		t.Errorf("facts of packages that nobody knows: %v", err)
	}
}

func TestEdits(t *testing.T) {
	p := check(t, "a", "package a\n\nvar X, Y int\n", nil)
	x, y := p.Types.Scope().Lookup("X"), p.Types.Scope().Lookup("Y")
	at := func(o types.Object, text string) analysis.TextEdit {
		return analysis.TextEdit{Pos: o.Pos(), End: o.Pos() + 1, NewText: []byte(text)}
	}
	edits, ok := Edits(p.Fset, analysis.SuggestedFix{TextEdits: []analysis.TextEdit{at(y, "B"), at(x, "A")}})
	if !ok || len(edits) != 2 || edits[0].New != "A" || edits[0].Start != 15 || edits[1].End != 19 {
		t.Errorf("got %v, %t", edits, ok)
	}
	for name, wrong := range map[string][]analysis.TextEdit{
		"nothing":  nil,
		"overlap":  {at(x, "A"), {Pos: x.Pos(), End: y.Pos()}},
		"backward": {{Pos: y.Pos(), End: x.Pos()}},
		"outside":  {{Pos: x.Pos(), End: x.Pos() + 1000}},
		"nowhere":  {{Pos: token.NoPos}},
	} {
		if edits, ok := Edits(p.Fset, analysis.SuggestedFix{TextEdits: wrong}); ok {
			t.Errorf("%s: got %v", name, edits)
		}
	}
}

func TestReadFile(t *testing.T) {
	p := check(t, "a", "package a\n", nil)
	if _, err := p.readFile("/etc/hosts"); err == nil || !strings.Contains(err.Error(), "not a file of the package") {
		t.Errorf("got %v", err)
	}
}
