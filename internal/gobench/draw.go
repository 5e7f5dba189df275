package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/types"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/packages"
)

// site is a call that was drawn at random, to be labelled.
type site struct {
	Module string `json:"module"`
	// At is the position of the name of the called method, as file:line:col. The file is
	// relative to the module.
	At string `json:"at"`
	// Func is the declared function that contains the call.
	Func string `json:"func"`
	// Callee is the called function in the notation of go/types.
	Callee string `json:"callee"`
}

// metaOptions and runtimeOptions are types. A parameter of one of these types shows that
// a function writes.
var (
	metaOptions    = []string{"CreateOptions", "UpdateOptions", "PatchOptions", "DeleteOptions", "ApplyOptions"}
	runtimeOptions = []string{"CreateOption", "UpdateOption", "PatchOption", "DeleteOption", "DeleteAllOfOption", "ApplyOption",
		"SubResourceCreateOption", "SubResourceUpdateOption", "SubResourcePatchOption", "SubResourceApplyOption"}
	// writeVerbs has the beginnings of the names of methods that write. Other functions
	// with options, such as conversions and validation, do not write.
	writeVerbs = []string{"Create", "Update", "Patch", "Delete", "Apply", "Bind", "Finalize", "Evict", "Replace"}
	// named has functions that write, although their signature has no options.
	named = []string{
		"k8s.io/cli-runtime/pkg/resource.Helper.Create",
		"k8s.io/cli-runtime/pkg/resource.Helper.CreateWithOptions",
		"k8s.io/cli-runtime/pkg/resource.Helper.Replace",
		"k8s.io/cli-runtime/pkg/resource.Helper.Patch",
		"k8s.io/cli-runtime/pkg/resource.Helper.Delete",
		"k8s.io/cli-runtime/pkg/resource.Helper.DeleteWithOptions",
		"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil.CreateOrUpdate",
		"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil.CreateOrPatch",
		"k8s.io/client-go/rest.Interface.Post",
		"k8s.io/client-go/rest.Interface.Put",
		"k8s.io/client-go/rest.Interface.Patch",
		"k8s.io/client-go/rest.Interface.Delete",
		"k8s.io/client-go/rest.RESTClient.Post",
		"k8s.io/client-go/rest.RESTClient.Put",
		"k8s.io/client-go/rest.RESTClient.Patch",
		"k8s.io/client-go/rest.RESTClient.Delete",
		"github.com/fluxcd/pkg/ssa.ResourceManager.Apply",
		"github.com/fluxcd/pkg/ssa.ResourceManager.ApplyAll",
		"github.com/fluxcd/pkg/ssa.ResourceManager.ApplyAllStaged",
		"github.com/fluxcd/pkg/ssa.ResourceManager.Delete",
		"github.com/fluxcd/pkg/ssa.ResourceManager.DeleteAll",
	}
)

// sites returns the calls that write in the production code of packages, in order of
// position. It uses only the syntax and the signatures.
func sites(m module, dir string, pkgs []*packages.Package) []site {
	var all []site
	for _, pkg := range pkgs {
		var files []*ast.File
		for _, f := range pkg.Syntax {
			name := pkg.Fset.Position(f.Package).Filename
			if within(dir, name) && !strings.HasSuffix(name, "_test.go") && !ast.IsGenerated(f) && !forTests(dir, name) {
				files = append(files, f)
			}
		}
		if len(files) == 0 {
			continue
		}
		var around string
		inspector.New(files).Preorder([]ast.Node{(*ast.FuncDecl)(nil), (*ast.GenDecl)(nil), (*ast.CallExpr)(nil)}, func(n ast.Node) {
			switch n := n.(type) {
			case *ast.GenDecl:
				// A declaration inside a function does not end the function.
				if n.Pos() == n.TokPos && pkg.Fset.Position(n.Pos()).Column == 1 {
					around = ""
				}
			case *ast.FuncDecl:
				around = n.Name.Name
				if n.Recv != nil && len(n.Recv.List) == 1 {
					around = types.ExprString(n.Recv.List[0].Type) + "." + around
				}
			case *ast.CallExpr:
				fn, id := callee(pkg.TypesInfo, n)
				if fn == nil || !writes(fn) {
					return
				}
				pos := pkg.Fset.Position(id.Pos())
				rel, _ := filepath.Rel(dir, pos.Filename)
				all = append(all, site{
					Module: m.Name,
					At:     fmt.Sprintf("%s:%d:%d", filepath.ToSlash(rel), pos.Line, pos.Column),
					Func:   around,
					Callee: qualified(fn),
				})
			}
		})
	}
	slices.SortFunc(all, func(a, b site) int { return cmp.Compare(a.At, b.At) })
	return slices.Compact(all)
}

// forTests reports whether the folder of a file shows that it belongs to tests.
func forTests(dir, name string) bool {
	rel, _ := filepath.Rel(dir, name)
	for _, part := range strings.Split(filepath.ToSlash(filepath.Dir(rel)), "/") {
		switch part {
		case "test", "tests", "e2e", "testing", "testutil", "testutils", "examples", "hack", "fake", "fakes":
			return true
		}
	}
	return false
}

func callee(info *types.Info, call *ast.CallExpr) (*types.Func, *ast.Ident) {
	var id *ast.Ident
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	case *ast.IndexExpr:
		if sel, ok := fun.X.(*ast.SelectorExpr); ok {
			id = sel.Sel
		}
	}
	if id == nil {
		return nil, nil
	}
	fn, _ := info.Uses[id].(*types.Func)
	return fn, id
}

func writes(fn *types.Func) bool {
	if slices.Contains(named, qualified(fn)) {
		return true
	}
	if !slices.ContainsFunc(writeVerbs, func(verb string) bool { return strings.HasPrefix(fn.Name(), verb) }) {
		return false
	}
	params := fn.Signature().Params()
	for p := range params.Variables() {
		if optionsType(p.Type()) {
			return true
		}
	}
	return false
}

func optionsType(t types.Type) bool {
	switch u := t.(type) {
	case *types.Pointer:
		t = u.Elem()
	case *types.Slice:
		t = u.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return false
	}
	path, name := strip(n.Obj().Pkg().Path()), n.Obj().Name()
	switch path {
	case "k8s.io/apimachinery/pkg/apis/meta/v1":
		return slices.Contains(metaOptions, name)
	case "sigs.k8s.io/controller-runtime/pkg/client":
		return slices.Contains(runtimeOptions, name)
	}
	return false
}

// qualified returns the name of a function or method in the form path.Type.Name.
func qualified(fn *types.Func) string {
	path := ""
	if fn.Pkg() != nil {
		path = strip(fn.Pkg().Path()) + "."
	}
	if recv := fn.Signature().Recv(); recv != nil {
		t := recv.Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		if n, ok := types.Unalias(t).(*types.Named); ok {
			path += n.Obj().Name() + "."
		}
	}
	return path + fn.Name()
}

func strip(path string) string {
	if _, after, ok := strings.Cut(path, "/vendor/"); ok {
		return after
	}
	return path
}

// drawn returns m.Draw random sites. The choice depends only on the seed and the name of
// the module. So a further module does not change the choice for others.
func drawn(m module, all []site, seed uint64) []site {
	if len(all) <= m.Draw {
		return all
	}
	h := fnv.New64a()
	io.WriteString(h, m.Name)
	r := rand.New(rand.NewPCG(seed, h.Sum64()))
	picked := make([]site, 0, m.Draw)
	for _, i := range r.Perm(len(all))[:m.Draw] {
		picked = append(picked, all[i])
	}
	slices.SortFunc(picked, func(a, b site) int { return cmp.Compare(a.At, b.At) })
	return picked
}

// draw prints the sample with one JSON line for each call. It prints the number of all
// calls to log.
func draw(cache string, seed uint64, list []module, out, log io.Writer) error {
	enc := json.NewEncoder(out)
	for _, m := range list {
		if m.Draw == 0 {
			continue
		}
		dir, err := checkout(cache, m)
		if err != nil {
			return err
		}
		pkgs, err := load(dir)
		if err != nil {
			return err
		}
		broken := 0
		for _, p := range pkgs {
			if len(p.Errors) > 0 {
				if broken == 0 {
					fmt.Fprintf(log, "%s: %s: %v\n", m.Name, p.PkgPath, p.Errors[0])
				}
				broken++
			}
		}
		all := sites(m, dir, pkgs)
		picked := drawn(m, all, seed)
		fmt.Fprintf(log, "%s: %d packages, %d with errors; %d writes, %d drawn\n", m.Name, len(pkgs), broken, len(all), len(picked))
		for _, s := range picked {
			if err := enc.Encode(s); err != nil {
				return err
			}
		}
	}
	return nil
}
