package webhookdryrun

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
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

// TestServers checks signatures of libraries that have no stubs.
func TestServers(t *testing.T) {
	fset := token.NewFileSet()
	pkgs := map[string]*types.Package{}
	std := importer.ForCompiler(fset, "source", nil)
	imports := importerFunc(func(path string) (*types.Package, error) {
		if pkg := pkgs[path]; pkg != nil {
			return pkg, nil
		}
		return std.Import(path)
	})
	for _, src := range []struct{ path, text string }{
		{"github.com/gin-gonic/gin", "package gin; type Context struct{}; type Engine struct{}"},
		{"github.com/labstack/echo/v4", "package echo; type Context interface{}"},
		{"github.com/slok/kubewebhook/v2/pkg/model", "package model; type AdmissionReview struct{ DryRun bool }"},
		{"github.com/slok/kubewebhook/v2/pkg/webhook/mutating", "package mutating; type MutatorResult struct{}"},
		{"github.com/slok/kubewebhook/pkg/webhook/validating", "package validating; type ValidatorResult struct{}"},
		{"example.org/hooks", `package hooks
import (
	"context"
	"github.com/gin-gonic/gin"
	"github.com/labstack/echo/v4"
	"github.com/slok/kubewebhook/v2/pkg/model"
	"github.com/slok/kubewebhook/v2/pkg/webhook/mutating"
	"github.com/slok/kubewebhook/pkg/webhook/validating"
)
func Gin(c *gin.Context) {}
func Echo(c echo.Context) error { return nil }
func Engine(c *gin.Engine) {}
func Mutate(ctx context.Context, review *model.AdmissionReview, obj any) (*mutating.MutatorResult, error) { return nil, nil }
func Validate(ctx context.Context, obj any) (bool, validating.ValidatorResult, error) { return false, validating.ValidatorResult{}, nil }
func Store(ctx context.Context, review *model.AdmissionReview) error { return nil }
`},
	} {
		file, err := parser.ParseFile(fset, src.path+".go", src.text, 0)
		if err != nil {
			t.Fatal(err)
		}
		conf := types.Config{Importer: imports}
		if pkgs[src.path], err = conf.Check(src.path, fset, []*ast.File{file}, nil); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{
		"Gin": "the review's Request.DryRun is true", "Echo": "the review's Request.DryRun is true", "Engine": "",
		"Mutate": "review.DryRun is true", "Validate": "IsAdmissionRequestDryRun says so", "Store": "",
	} {
		h := &handler{}
		got := h.matches(pkgs["example.org/hooks"].Scope().Lookup(name).Type().(*types.Signature), "")
		if got != (want != "") || !strings.Contains(h.fixText, want) {
			t.Errorf("%s is a handler: %v (%s)", name, got, h.fixText)
		}
	}
}

type importerFunc func(string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }
