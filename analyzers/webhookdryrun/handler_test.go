package webhookdryrun

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

// TestKnative checks signatures of a library that has no stub.
func TestKnative(t *testing.T) {
	fset := token.NewFileSet()
	check := func(path, src string, imports types.Importer) *types.Package {
		t.Helper()
		file, err := parser.ParseFile(fset, path+".go", src, 0)
		if err != nil {
			t.Fatal(err)
		}
		conf := types.Config{Importer: imports}
		pkg, err := conf.Check(path, fset, []*ast.File{file}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return pkg
	}
	std := importer.ForCompiler(fset, "source", nil)
	apis := check("knative.dev/pkg/apis", "package apis\ntype FieldError struct{}", std)
	pkg := check("example.org/v1", `package v1
import ("context"; "knative.dev/pkg/apis")
type Service struct{}
func (*Service) DeepCopyObject() any { return nil }
func (*Service) GetObjectKind() any { return nil }
func (*Service) Validate(ctx context.Context) *apis.FieldError { return nil }
type Spec struct{}
func (*Spec) Validate(ctx context.Context) *apis.FieldError { return nil }
type Route struct{ Service }
func (*Route) Validate() *apis.FieldError { return nil }
`, importerFunc(func(path string) (*types.Package, error) {
		if path == apis.Path() {
			return apis, nil
		}
		return std.Import(path)
	}))
	for name, want := range map[string]bool{"Service": true, "Spec": false, "Route": false} {
		recv := types.NewPointer(pkg.Scope().Lookup(name).Type())
		m, _, _ := types.LookupFieldOrMethod(recv, true, pkg, "Validate")
		h := &handler{}
		if got := h.knative(m.(*types.Func).Signature(), "Validate"); got != want {
			t.Errorf("Validate of %s is a handler: %v, want %v", name, got, want)
		}
	}
}

type importerFunc func(string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }
