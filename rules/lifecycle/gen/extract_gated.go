package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// storageFunc matches the names of the functions that install the resources of
// one version, in pkg/registry/<group>/rest/storage_<group>.go. legacyStorageFunc
// is the function for the core group, which has only subresources behind feature
// gates.
var storageFunc = regexp.MustCompile(`^(v\d+(?:(?:alpha|beta)\d+)?)Storage$`)

const legacyStorageFunc = "NewLegacyRESTStorage"

// extractGatedResources returns the resources that a release installs only if
// feature gates are on. Their assignment to the version's storage map is in an if
// statement that checks the gates.
func extractGatedResources(src sources) ([]gatedResource, error) {
	files, err := filepath.Glob(src.dir(modKubernetes, "pkg", "registry", "*", "rest"))
	if err != nil {
		return nil, err
	}
	gates := gateNames{src: src, packages: map[string]map[string]string{}}
	var list []gatedResource
	for _, dir := range files {
		p, err := parsePackage(dir)
		if err != nil {
			return nil, err
		}
		registry := filepath.Base(filepath.Dir(dir))
		var failed error
		p.functions(func(file *ast.File, fn *ast.FuncDecl) {
			var in string
			if m := storageFunc.FindStringSubmatch(fn.Name.Name); m != nil {
				in = m[1]
			} else if fn.Name.Name == legacyStorageFunc {
				in = "v1"
			} else {
				return
			}
			if failed != nil {
				return
			}
			w := gatedWalker{imports: imports(file), gates: gates}
			w.walk(fn.Body.List, nil)
			if w.err != nil || len(w.found) == 0 {
				failed = w.err
				return
			}
			group, version, err := registryGroup(src, w.imports, registry, in)
			if err != nil {
				failed = err
				return
			}
			for _, g := range w.found {
				g.Group, g.Version = group, version
				list = append(list, g)
			}
		})
		if failed != nil {
			return nil, fmt.Errorf("%s: %w", dir, failed)
		}
	}
	slices.SortFunc(list, func(a, b gatedResource) int {
		return cmp.Or(a.gvr.compare(b.gvr), slices.Compare(a.Gates, b.Gates))
	})
	return slices.CompactFunc(list, func(a, b gatedResource) bool {
		return a.gvr == b.gvr && slices.Equal(a.Gates, b.Gates)
	}), nil
}

// registryGroup returns the group and version of a registry directory. It takes
// them from the package of k8s.io/api in the directory registry/version. If there
// is none, it takes them from the API package of this version that the file
// imports.
func registryGroup(src sources, imports map[string]string, registry, version string) (string, string, error) {
	dir := src.dir(modAPI, registry, version)
	if _, err := os.Stat(dir); err == nil {
		return groupVersionOf(dir)
	}
	for _, path := range imports {
		if strings.HasPrefix(path, modAPI+"/") && strings.HasSuffix(path, "/"+version) {
			dir, _ := src.packageDir(path)
			return groupVersionOf(dir)
		}
	}
	return "", "", fmt.Errorf("no API package for %s", version)
}

// gatedWalker visits the statements of a storage function and collects resources
// behind gates.
type gatedWalker struct {
	imports map[string]string
	gates   gateNames
	// resource is the value of the local variable called resource.
	resource string
	found    []gatedResource
	err      error
}

// walk visits statements that run only if all the gates in gates are on.
func (w *gatedWalker) walk(stmts []ast.Stmt, gates []string) {
	for _, stmt := range stmts {
		switch s := stmt.(type) {
		case *ast.AssignStmt:
			w.assign(s, gates)
		case *ast.BlockStmt:
			w.walk(s.List, gates)
		case *ast.IfStmt:
			if init, ok := s.Init.(*ast.AssignStmt); ok {
				w.assign(init, gates)
			}
			w.walk(s.Body.List, append(slices.Clip(gates), w.conditions(s.Cond)...))
			if s.Else != nil {
				w.walk([]ast.Stmt{s.Else}, gates)
			}
		}
	}
}

// conditions returns the gates that must be on for a condition to be true. It
// ignores parts of the condition that do not check gates.
func (w *gatedWalker) conditions(cond ast.Expr) []string {
	switch c := cond.(type) {
	case *ast.BinaryExpr:
		if c.Op == token.LAND {
			return append(w.conditions(c.X), w.conditions(c.Y)...)
		}
	case *ast.CallExpr:
		fn, ok := c.Fun.(*ast.SelectorExpr)
		if !ok || fn.Sel.Name != "Enabled" || len(c.Args) != 1 {
			return nil
		}
		if _, gate, ok := selector(fn.X); !ok || gate != "DefaultFeatureGate" {
			return nil
		}
		pkg, name, ok := selector(c.Args[0])
		if !ok {
			return nil
		}
		gate, err := w.gates.name(w.imports[pkg], name)
		if err != nil && w.err == nil {
			w.err = err
		}
		return []string{gate}
	}
	return nil
}

// assign handles an assignment. If the target is the variable resource, assign
// stores the value. If the target is an entry of a storage map and gates are
// required, assign records the resource. The key of the entry must be a literal
// or the variable resource.
func (w *gatedWalker) assign(s *ast.AssignStmt, gates []string) {
	if len(s.Lhs) != 1 || len(s.Rhs) != 1 {
		return
	}
	switch lhs := s.Lhs[0].(type) {
	case *ast.Ident:
		if lit, ok := s.Rhs[0].(*ast.BasicLit); ok && lhs.Name == "resource" {
			w.resource, _ = strconv.Unquote(lit.Value)
		}
	case *ast.IndexExpr:
		if len(gates) == 0 {
			return
		}
		var key string
		switch i := lhs.Index.(type) {
		case *ast.BasicLit:
			key, _ = strconv.Unquote(i.Value)
		case *ast.Ident:
			if i.Name == "resource" {
				key = w.resource
			}
		}
		if key != "" {
			w.found = append(w.found, gatedResource{gvr: gvr{Resource: key}, Gates: gates})
		}
	}
}

// gateNames finds the names of feature gates, which are values of Go constants.
type gateNames struct {
	src      sources
	packages map[string]map[string]string
}

// name returns the value of a constant of a package: the name of a feature gate.
func (g gateNames) name(importPath, constant string) (string, error) {
	consts, ok := g.packages[importPath]
	if !ok {
		dir, ok := g.src.packageDir(importPath)
		if !ok {
			return "", fmt.Errorf("unknown package %q", importPath)
		}
		p, err := parsePackage(dir)
		if err != nil {
			return "", err
		}
		consts = p.constants()
		g.packages[importPath] = consts
	}
	name, ok := consts[constant]
	if !ok {
		return "", fmt.Errorf("package %s has no constant %s", importPath, constant)
	}
	return name, nil
}
