package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
)

// methodRoots returns the directories of the types that can have APILifecycle
// methods. Some of these methods are written by hand and have no tag in a comment
// (k8s.io/api/core/v1/lifecycle.go), so tags are not enough.
func methodRoots(src sources) []string {
	return []string{
		src.dir(modAPI),
		src.dir(modAPIExtensions, "pkg", "apis"),
		src.dir(modAggregator, "pkg", "apis"),
	}
}

// extractMethods returns the values of all APILifecycle methods of the API types.
func extractMethods(src sources) ([]lifecycleMethods, error) {
	var list []lifecycleMethods
	for _, root := range methodRoots(src) {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.IsDir() {
				return err
			}
			if d.Name() == "testdata" || d.Name() == "testing" {
				return filepath.SkipDir
			}
			found, err := packageMethods(path)
			list = append(list, found...)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return sortedCompact(list, func(a, b lifecycleMethods) int { return a.gvk.compare(b.gvk) }), nil
}

// packageMethods returns the values of the APILifecycle methods of one package.
func packageMethods(dir string) ([]lifecycleMethods, error) {
	p, err := parsePackage(dir)
	if err != nil {
		return nil, err
	}
	byKind := map[string]*lifecycleMethods{}
	var order []string
	var failed error
	p.functions(func(_ *ast.File, fn *ast.FuncDecl) {
		if fn.Recv == nil || !strings.HasPrefix(fn.Name.Name, "APILifecycle") || failed != nil {
			return
		}
		kind := receiver(fn)
		m := byKind[kind]
		if m == nil {
			m = &lifecycleMethods{gvk: gvk{Kind: kind}, Introduced: -1, Deprecated: -1, Removed: -1}
			byKind[kind] = m
			order = append(order, kind)
		}
		result, err := returned(fn)
		if err == nil {
			err = m.set(fn.Name.Name, result)
		}
		if err != nil {
			failed = fmt.Errorf("%s: %s.%s: %w", dir, kind, fn.Name.Name, err)
		}
	})
	if failed != nil || len(order) == 0 {
		return nil, failed
	}
	group, version, err := groupVersionOf(dir)
	if err != nil {
		return nil, err
	}
	list := make([]lifecycleMethods, 0, len(order))
	for _, kind := range order {
		m := byKind[kind]
		m.Group, m.Version = group, version
		list = append(list, *m)
	}
	return list, nil
}

// set stores the return values of one APILifecycle method.
func (m *lifecycleMethods) set(method string, result []ast.Expr) error {
	if method == "APILifecycleReplacement" {
		lit, ok := result[0].(*ast.CompositeLit)
		if !ok || len(result) != 1 {
			return fmt.Errorf("want one composite literal")
		}
		for _, elt := range lit.Elts {
			kv, ok := elt.(*ast.KeyValueExpr)
			if !ok {
				return fmt.Errorf("want named fields")
			}
			value, ok := kv.Value.(*ast.BasicLit)
			if !ok {
				return fmt.Errorf("want string literals")
			}
			s, err := strconv.Unquote(value.Value)
			if err != nil {
				return err
			}
			switch kv.Key.(*ast.Ident).Name {
			case "Group":
				m.Replacement.Group = s
			case "Version":
				m.Replacement.Version = s
			case "Kind":
				m.Replacement.Kind = s
			}
		}
		return nil
	}
	if len(result) != 2 {
		return fmt.Errorf("want two numbers")
	}
	var n [2]int
	for i, e := range result {
		lit, ok := e.(*ast.BasicLit)
		if !ok || lit.Kind != token.INT {
			return fmt.Errorf("want number literals")
		}
		var err error
		if n[i], err = strconv.Atoi(lit.Value); err != nil {
			return err
		}
	}
	if n == [2]int{} {
		return nil // the server treats version 0.0 as no version
	}
	if n[0] != 1 {
		return fmt.Errorf("major %d", n[0])
	}
	switch method {
	case "APILifecycleIntroduced":
		m.Introduced = n[1]
	case "APILifecycleDeprecated":
		m.Deprecated = n[1]
	case "APILifecycleRemoved":
		m.Removed = n[1]
	}
	return nil
}

// receiver returns the name of a method's receiver type, without "*".
func receiver(fn *ast.FuncDecl) string {
	t := fn.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// returned returns the results of a function whose body is one return statement.
func returned(fn *ast.FuncDecl) ([]ast.Expr, error) {
	if len(fn.Body.List) == 1 {
		if ret, ok := fn.Body.List[0].(*ast.ReturnStmt); ok && len(ret.Results) > 0 {
			return ret.Results, nil
		}
	}
	return nil, fmt.Errorf("want a single return statement")
}
