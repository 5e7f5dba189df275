package apicall

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/kubevet/kubevet/analyzers/internal/analyzertest"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"
)

// imports returns the packages that the sources in tests may import. It type-checks
// them once.
var imports = sync.OnceValues(func() (map[string]*types.Package, error) {
	file := filepath.Join(analyzertest.Dir(), "apicall", "made", "made.go")
	pkgs, err := packages.Load(&packages.Config{
		Mode:    packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps | packages.NeedTypes,
		Dir:     analyzertest.Dir(),
		Overlay: map[string][]byte{file: []byte(made + "var _ client.Client; var _ corev1.Pod; var _ kubernetes.Interface; var _ context.Context")},
	}, "./apicall/made")
	if err != nil {
		return nil, err
	}
	found := map[string]*types.Package{}
	packages.Visit(pkgs, nil, func(p *packages.Package) { found[p.PkgPath] = p.Types })
	return found, nil
})

type importer map[string]*types.Package

func (i importer) Import(path string) (*types.Package, error) {
	if p := i[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("no package %s", path)
}

// load type-checks a file as a package. It returns a pass over the package. The pass
// stores no facts.
func load(tb testing.TB, source string) *analysis.Pass {
	tb.Helper()
	known, err := imports()
	if err != nil {
		tb.Fatal(err)
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "made.go", source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		tb.Fatal(err)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Instances: map[*ast.Ident]types.Instance{},
		Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Implicits: map[ast.Node]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{}, FileVersions: map[*ast.File]string{},
	}
	config := types.Config{Importer: importer(known)}
	pkg, err := config.Check("example.org/clients/apicall/made", fset, []*ast.File{file}, info)
	if err != nil {
		tb.Fatal(err)
	}
	return &analysis.Pass{
		Analyzer: Analyzer, Fset: fset, Files: []*ast.File{file}, Pkg: pkg, TypesInfo: info,
		TypesSizes:        types.SizesFor("gc", "amd64"),
		Report:            func(analysis.Diagnostic) {},
		ResultOf:          map[*analysis.Analyzer]any{},
		ImportObjectFact:  func(types.Object, analysis.Fact) bool { return false },
		ImportPackageFact: func(*types.Package, analysis.Fact) bool { return false },
		ExportObjectFact:  func(types.Object, analysis.Fact) {},
		ExportPackageFact: func(analysis.Fact) {},
	}
}

func analyse(tb testing.TB, pass *analysis.Pass) *Result {
	tb.Helper()
	result, err := run(pass)
	if err != nil {
		tb.Fatal(err)
	}
	return result.(*Result)
}

const made = `package made

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var _ = metav1.CreateOptions{}
`

func TestUnresolved(t *testing.T) {
	for _, test := range []struct {
		name, body string
		want       int
	}{
		{"none", `func f(c client.Client, pod *corev1.Pod) { c.Update(context.Background(), pod) }`, 0},
		{"value", `func f(c client.Client, run func(any)) { run(c.Update) }`, 1},
		{"found again", `func f(c client.Client, pod *corev1.Pod) { u := c.Update; u(context.Background(), pod) }`, 0},
		{"request", `func f(c kubernetes.Interface) { c.CoreV1().RESTClient().Verb(verb()).Do(context.Background()) }
			func verb() string { return "P" + string([]byte{'U'}) }`, 1},
		{"several verbs", `func f(c kubernetes.Interface, read bool) {
			r := c.CoreV1().RESTClient().Put()
			if read {
				r = c.CoreV1().RESTClient().Get()
			}
			r.Do(context.Background())
		}`, 1},
		{"several reads", `func f(c kubernetes.Interface, all bool) {
			r := c.CoreV1().RESTClient().Get()
			if all {
				r = c.CoreV1().RESTClient().Verb("GET")
			}
			r.Do(context.Background())
		}`, 0},
		{"read", `func f(c kubernetes.Interface) { c.CoreV1().RESTClient().Get().Do(context.Background()) }`, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			source := made + test.body + "\nvar _ client.Client; var _ corev1.Pod; var _ kubernetes.Interface; var _ context.Context"
			if got := analyse(t, load(t, source)).Unresolved; len(got) != test.want {
				t.Errorf("%d unresolved, want %d\n%s", len(got), test.want, test.body)
			}
		})
	}
}

// TestBrokenBuild checks a package for which the builder of the SSA form panics. The
// analysis must continue, and count the package's writes as unresolved.
func TestBrokenBuild(t *testing.T) {
	pass := load(t, made+`func f(c client.Client, k kubernetes.Interface, pod *corev1.Pod) { c.Update(context.Background(), pod) }`)
	// Without the types of its expressions, a function cannot be built.
	clear(pass.TypesInfo.Types)
	result := analyse(t, pass)
	if len(result.Unresolved) != 1 || len(result.Calls) != 0 {
		t.Errorf("%d calls and %d unresolved, want 0 and 1", len(result.Calls), len(result.Unresolved))
	}
	if got := result.SSA(); got != nil {
		t.Errorf("SSA() = %v, want nil", got)
	}
}

// TestBrokenCall checks that an error in one call does not affect other calls.
func TestBrokenCall(t *testing.T) {
	p, r := newProgram(load(t, made+`func f(c client.Client, k kubernetes.Interface, pod *corev1.Pod) { c.Update(context.Background(), pod) }`)), new(Result)
	p.guard(r, p.wholePackage(), func() { panic("odd shape") })
	if len(r.Unresolved) != 1 {
		t.Errorf("%d unresolved, want 1", len(r.Unresolved))
	}
	p.functions()
	p.resolve(r)
	if len(r.Calls) != 1 {
		t.Errorf("%d calls, want 1", len(r.Calls))
	}
}

// TestValue checks that the Value of a setting is the expression that sets it.
func TestValue(t *testing.T) {
	for _, test := range []struct{ body, manager, dryRun string }{
		{`k.CoreV1().Pods("").Update(context.Background(), pod, metav1.UpdateOptions{FieldManager: "a"})`, `"a"`, ""},
		{`c.Update(context.Background(), pod, client.DryRunAll, client.FieldOwner("b"))`, `client.FieldOwner("b")`, "client.DryRunAll"},
		{`c.Update(context.Background(), pod, &client.UpdateOptions{FieldManager: "c"})`, `"c"`, ""},
		{`o := []client.UpdateOption{client.FieldOwner("d")}; c.Update(context.Background(), pod, append(o, client.DryRunAll)...)`, `client.FieldOwner("d")`, "client.DryRunAll"},
		{`o := metav1.UpdateOptions{}; o.FieldManager = "e"; k.CoreV1().Pods("").Update(context.Background(), pod, o)`, `"e"`, ""},
		{`client.WithFieldOwner(c, "f").Update(context.Background(), pod)`, `"f"`, ""},
	} {
		source := made + "func f(c client.Client, k kubernetes.Interface, pod *corev1.Pod) {\n" + test.body + "\n}\n"
		pass := load(t, source)
		result := analyse(t, pass)
		if len(result.Calls) != 1 {
			t.Fatalf("%d calls, want 1 in %s", len(result.Calls), test.body)
		}
		text := func(s Setting) string {
			if s.Value == nil {
				return ""
			}
			return source[pass.Fset.Position(s.Value.Pos()).Offset:pass.Fset.Position(s.Value.End()).Offset]
		}
		c := result.Calls[0]
		if got := text(c.FieldManager); got != test.manager {
			t.Errorf("manager given by %q, want %q in %s", got, test.manager, test.body)
		}
		if got := text(c.DryRun); got != test.dryRun {
			t.Errorf("dry run given by %q, want %q in %s", got, test.dryRun, test.body)
		}
	}
}

// TestConcurrentUse calls SSA from several goroutines, because drivers run the
// analyzers of one package at the same time.
func TestConcurrentUse(t *testing.T) {
	pass := load(t, made+`
		type REST struct{}
		func (REST) Create(ctx context.Context, opts *metav1.CreateOptions) {}
		var _ client.Client; var _ corev1.Pod; var _ kubernetes.Interface; var _ context.Context`)
	result := analyse(t, pass)
	if !result.Relevant {
		t.Fatal("the package imports the client libraries and is not relevant")
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if len(result.SSA()) != 1 {
				t.Error("SSA() has not the one function")
			}
		})
	}
	wg.Wait()
}

func TestIrrelevant(t *testing.T) {
	result := analyse(t, load(t, `package made

import "context"

type Client struct{}

func (Client) Create(ctx context.Context) {}

func f() { Client{}.Create(context.Background()) }
`))
	if result.Relevant || len(result.Calls) > 0 || result.SSA() != nil {
		t.Errorf("a package without Kubernetes clients is relevant: %+v", result)
	}
}

// TestDependency checks that packages of other modules are not analyzed.
func TestDependency(t *testing.T) {
	pass := load(t, made+`func f(c client.Client, k kubernetes.Interface, pod *corev1.Pod) { c.Update(context.Background(), pod) }`)
	pass.Module = &analysis.Module{Path: "example.org/other", Version: "v1.0.0"}
	if result := analyse(t, pass); result.Relevant || len(result.Calls) > 0 {
		t.Errorf("a dependency is looked at: %+v", result)
	}
}

// TestGenerated checks that a generated package is analyzed if it may call clients, as
// a reconciler does, and that a generated client is not analyzed.
func TestGenerated(t *testing.T) {
	const mark = "// Code generated by x. DO NOT EDIT.\n\n"
	pass := load(t, mark+made+`func f(c client.Client, k kubernetes.Interface, pod *corev1.Pod) { c.Update(context.Background(), pod) }`)
	if result := analyse(t, pass); len(result.Calls) != 1 {
		t.Errorf("%d calls in a generated package, want 1", len(result.Calls))
	}
	pass = load(t, mark+`package p

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	v1 "k8s.io/client-go/kubernetes/typed/core/v1"
)

func f(c v1.PodInterface, pod *corev1.Pod) { c.Update(context.Background(), pod, metav1.UpdateOptions{}) }
`)
	if result := analyse(t, pass); len(result.Calls) > 0 {
		t.Errorf("a generated client is looked at: %v", result.Calls)
	}
}

func TestPositions(t *testing.T) {
	pass := load(t, made+`func f(c client.Client, k kubernetes.Interface, pod *corev1.Pod) {
		c.
			Update(context.Background(), pod)
	}`)
	result := analyse(t, pass)
	if len(result.Calls) != 1 {
		t.Fatalf("%d calls, want 1", len(result.Calls))
	}
	c := result.Calls[0]
	sel := c.Expr.Fun.(*ast.SelectorExpr)
	if c.Pos() != sel.Sel.Pos() || c.End() != sel.Sel.End() {
		t.Error("the call's position is not that of the method's name")
	}
	if result.CallAt(c.Instr) != c {
		t.Error("CallAt does not find the call by its instruction")
	}
}

// thousand returns a package with 1,000 writes of typed and controller-runtime clients.
// Their options are literals, variables, parameters and lists.
func thousand() string {
	var b strings.Builder
	b.WriteString(made)
	for i := range 50 {
		fmt.Fprintf(&b, "\nfunc f%d(ctx context.Context, c client.Client, k kubernetes.Interface, pod *corev1.Pod, dry bool, opts metav1.CreateOptions, more ...client.UpdateOption) {\n", i)
		b.WriteString("\tupdate := metav1.UpdateOptions{}\n\tif dry {\n\t\tupdate.DryRun = []string{metav1.DryRunAll}\n\t}\n")
		for range 4 {
			b.WriteString("\tk.CoreV1().Pods(\"\").Create(ctx, pod, metav1.CreateOptions{})\n")
			b.WriteString("\tk.CoreV1().Pods(\"\").Create(ctx, pod, opts)\n")
			b.WriteString("\tif _, err := k.CoreV1().Pods(\"\").Update(ctx, pod, update); err != nil {\n\t\treturn\n\t}\n")
			b.WriteString("\tc.Update(ctx, pod, more...)\n")
			b.WriteString("\tc.Patch(ctx, pod, client.MergeFrom(pod), client.FieldOwner(\"me\"))\n")
		}
		b.WriteString("}\n")
	}
	return b.String()
}

func BenchmarkThousandCalls(b *testing.B) {
	pass := load(b, thousand())
	for b.Loop() {
		if got := len(analyse(b, pass).Calls); got != 1000 {
			b.Fatalf("%d calls, want 1000", got)
		}
	}
}
