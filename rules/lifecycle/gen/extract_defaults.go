package main

import (
	"fmt"
	"go/ast"
	"strconv"
)

// defaultsFunc is the name of functions that return which APIs are served without
// --runtime-config. kube-apiserver and the two servers that are compiled into it
// have one each.
const defaultsFunc = "DefaultAPIResourceConfigSource"

// extractDefaults returns the resource configuration of the three servers
// together.
func extractDefaults(src sources) (resourceConfig, error) {
	// The package moved from pkg/master to pkg/controlplane in 1.20.
	main, err := parsePackage(src.dir(modKubernetes, "pkg", "controlplane"))
	if err != nil {
		return resourceConfig{}, err
	}
	if _, fn := main.function(defaultsFunc); fn == nil {
		if main, err = parsePackage(src.dir(modKubernetes, "pkg", "master")); err != nil {
			return resourceConfig{}, err
		}
	}
	extensions, err := parsePackage(src.dir(modAPIExtensions, "pkg", "apiserver"))
	if err != nil {
		return resourceConfig{}, err
	}
	aggregator, err := parsePackage(src.dir(modAggregator, "pkg", "apiserver"))
	if err != nil {
		return resourceConfig{}, err
	}
	e := configEvaluator{src: src, versions: map[gvr]bool{}, resources: map[gvr]bool{}, known: map[string]gvr{}}
	for _, p := range []goPackage{main, extensions, aggregator} {
		if err := e.call(p, defaultsFunc); err != nil {
			return resourceConfig{}, err
		}
	}
	return e.config(), nil
}

// configEvaluator evaluates the functions that build a resource configuration. It
// expects code without branches and loops.
type configEvaluator struct {
	src       sources
	versions  map[gvr]bool
	resources map[gvr]bool
	known     map[string]gvr // versions by import path
}

func (e *configEvaluator) config() resourceConfig {
	var c resourceConfig
	split := func(m map[gvr]bool) (on, off []gvr) {
		for r, enabled := range m {
			if enabled {
				on = append(on, r)
			} else {
				off = append(off, r)
			}
		}
		return sortedCompact(on, gvr.compare), sortedCompact(off, gvr.compare)
	}
	c.EnabledVersions, c.DisabledVersions = split(e.versions)
	c.EnabledResources, c.DisabledResources = split(e.resources)
	return c
}

// call evaluates the calls in the body of a function of package p, in source
// order.
func (e *configEvaluator) call(p goPackage, name string) error {
	file, fn := p.function(name)
	if fn == nil {
		return fmt.Errorf("%s: no function %s", p.dir, name)
	}
	var failed error
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok || failed != nil {
			return failed == nil
		}
		if id, ok := c.Fun.(*ast.Ident); ok {
			failed = e.call(p, id.Name)
			return false
		}
		_, method, ok := selector(c.Fun)
		if !ok {
			return true
		}
		var set map[gvr]bool
		switch method {
		case "EnableVersions", "DisableVersions":
			set = e.versions
		case "EnableResources", "DisableResources":
			set = e.resources
		case "NewResourceConfig":
			return false
		default:
			failed = fmt.Errorf("unexpected call of %s", method)
			return false
		}
		args, err := e.arguments(p, file, c)
		if err != nil {
			failed = err
			return false
		}
		for _, r := range args {
			set[r] = method == "EnableVersions" || method == "EnableResources"
		}
		return false
	})
	if failed != nil {
		return fmt.Errorf("%s: %s: %w", p.dir, name, failed)
	}
	return nil
}

// arguments evaluates the arguments of a call. An argument "x..." gives the
// elements of the variable x.
func (e *configEvaluator) arguments(p goPackage, file *ast.File, c *ast.CallExpr) ([]gvr, error) {
	exprs := c.Args
	if c.Ellipsis.IsValid() {
		id, ok := c.Args[0].(*ast.Ident)
		if !ok || len(c.Args) != 1 {
			return nil, fmt.Errorf("unexpected variadic argument")
		}
		varFile, value := p.variable(id.Name)
		lit, ok := value.(*ast.CompositeLit)
		if !ok {
			return nil, fmt.Errorf("no list %s", id.Name)
		}
		file, exprs = varFile, lit.Elts
	}
	list := make([]gvr, 0, len(exprs))
	for _, expr := range exprs {
		r, err := e.resource(file, expr)
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, nil
}

// resource evaluates an expression of the form
// alias.SchemeGroupVersion[.WithResource("x")].
func (e *configEvaluator) resource(file *ast.File, expr ast.Expr) (gvr, error) {
	var resource string
	if c, ok := expr.(*ast.CallExpr); ok {
		sel, ok := c.Fun.(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "WithResource" || len(c.Args) != 1 {
			return gvr{}, fmt.Errorf("unexpected resource")
		}
		lit, ok := c.Args[0].(*ast.BasicLit)
		if !ok {
			return gvr{}, fmt.Errorf("want a literal resource")
		}
		var err error
		if resource, err = strconv.Unquote(lit.Value); err != nil {
			return gvr{}, err
		}
		expr = sel.X
	}
	pkg, name, ok := selector(expr)
	if !ok || name != "SchemeGroupVersion" {
		return gvr{}, fmt.Errorf("want a SchemeGroupVersion")
	}
	r, err := e.groupVersion(imports(file)[pkg])
	r.Resource = resource
	return r, err
}

func (e *configEvaluator) groupVersion(importPath string) (gvr, error) {
	if r, ok := e.known[importPath]; ok {
		return r, nil
	}
	dir, ok := e.src.packageDir(importPath)
	if !ok {
		return gvr{}, fmt.Errorf("unknown package %q", importPath)
	}
	group, version, err := groupVersionOf(dir)
	if err != nil {
		return gvr{}, err
	}
	e.known[importPath] = gvr{Group: group, Version: version}
	return e.known[importPath], nil
}
