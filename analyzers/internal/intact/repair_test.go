package intact

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// TestRepair checks which functions are skipped, because they use the missing packages
// absent and errs in another way than for logs, traces and errors.
func TestRepair(t *testing.T) {
	const header = `package p
import ("context"; "fmt"; "example.org/absent"; "example.org/errs"; "io")
var _, _, _, _ = context.TODO, fmt.Print, absent.X, errs.X
type server struct { log absent.Logger; c io.Closer; dryRun bool; name string }
func use(ctx context.Context, f func() error) error { return f() }
`
	for _, test := range []struct {
		body    string
		skipped bool
	}{
		{`absent.Infof("x %d", 1); return s.c.Close()`, false},
		{`l := absent.FromContext(ctx); l.V(1).Info("x", "n", s.dryRun); return nil`, false},
		{`s.log.Warn("x"); if s.dryRun { s.log.Debug("y"); return nil } else { s.log.Error(nil, "z") }; return nil`, false},
		{`for i := range 3 { absent.Print(i) }; for _, v := range "x" { absent.Print(v) }; return nil`, false},
		{`ctx, span := absent.Start(ctx, "x"); defer span.End(); return use(ctx, s.c.Close)`, false},
		{`if s.dryRun { ctx, span := absent.Start(ctx, "x"); defer span.End(); return use(ctx, s.c.Close) }; return nil`, false},
		{`return use(ctx, func() error { absent.Info("x"); return s.c.Close() })`, false},
		{`if err := s.c.Close(); err != nil { return errs.Wrap(err, "close") }; return nil`, false},
		{`return errs.New("x")`, false},
		{`s.log = absent.New("x"); return nil`, false},
		{`fmt.Println(absent.Red("x")); return nil`, false},
		{`absent.Count.Inc(); return nil`, false},

		{`if s.dryRun { absent.Fatal("x") }; return nil`, true},
		{`absent.CheckDryRun(); return nil`, true},
		{`if absent.Asks(ctx) { return nil }; return s.c.Close()`, true},
		{`if err := absent.Verify(s); err != nil { return err }; return s.c.Close()`, true},
		{`absent.Bind(&s.dryRun); return nil`, true},
		{`s.dryRun = absent.Flag(); return nil`, true},
		{`s.name = absent.Name(); return nil`, true},
		{`absent.Run(func() { _ = s.c.Close() }); return nil`, true},
		{`absent.Configure(s); return nil`, true},
		{`go absent.Run(ctx); return nil`, true},
		{`return absent.Do(ctx)`, true},
		{`switch { case absent.Is("x"): return nil }; return nil`, true},
		{`x := absent.Load(ctx); return x.Run()`, true},
		{`if s.dryRun { absent.WithError(nil).Fatal("x") }; return nil`, true},
	} {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, "p.go", header+"func (s *server) run(ctx context.Context) error { "+test.body+" }", 0)
		if err != nil {
			t.Fatalf("%s: %v", test.body, err)
		}
		info := &types.Info{
			Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
			Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{},
			Instances: map[*ast.Ident]types.Instance{}, FileVersions: map[*ast.File]string{},
		}
		var errs []types.Error
		conf := &types.Config{Importer: importer.Default(), Error: func(err error) { errs = append(errs, err.(types.Error)) }}
		pkg, _ := conf.Check("example.org/p", fset, []*ast.File{f}, info)
		code := find(&analysis.Pass{Pkg: pkg, Fset: fset, Files: []*ast.File{f}, TypesInfo: info, TypeErrors: errs})
		skipped := false
		for _, s := range code.Skipped {
			skipped = skipped || s.Name == "(*server).run"
		}
		if skipped != test.skipped {
			t.Errorf("%s: skipped is %v", test.body, skipped)
		}
		prog := ssa.NewProgram(fset, ssa.SanityCheckFunctions)
		for _, p := range pkg.Imports() {
			prog.CreatePackage(p, nil, nil, true)
		}
		prog.CreatePackage(pkg, code.Files, code.Info, false).Build() // it must not panic
	}
}
