package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// goPackage is the syntax of a directory's Go files, tests left out. Nothing
// is type-checked: the releases span years of Go versions and dependencies,
// and what is read is written plainly enough in the syntax.
type goPackage struct {
	dir   string
	files []*ast.File
}

// parsePackage parses the Go files of a directory, in the order of names. A
// directory that is not there is an empty package.
func parsePackage(dir string) (goPackage, error) {
	entries, err := os.ReadDir(dir)
	if os.IsNotExist(err) {
		return goPackage{dir: dir}, nil
	}
	if err != nil {
		return goPackage{}, err
	}
	p := goPackage{dir: dir}
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return goPackage{}, err
		}
		p.files = append(p.files, file)
	}
	return p, nil
}

// imports maps the names by which a file knows its imports to their paths.
func imports(file *ast.File) map[string]string {
	m := map[string]string{}
	for _, spec := range file.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		name := path.Base(p)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		m[name] = p
	}
	return m
}

// constants returns a package's string and bool constants by name. A constant
// that is another one (as aliases of moved feature gates are) is resolved if
// it is in the same package.
func (p goPackage) constants() map[string]string {
	values := map[string]string{}
	aliases := map[string]string{}
	for _, file := range p.files {
		for _, decl := range file.Decls {
			gen, ok := decl.(*ast.GenDecl)
			if !ok || gen.Tok != token.CONST && gen.Tok != token.VAR {
				continue
			}
			for _, spec := range gen.Specs {
				vs := spec.(*ast.ValueSpec)
				for i, name := range vs.Names {
					if i >= len(vs.Values) {
						break
					}
					switch v := vs.Values[i].(type) {
					case *ast.BasicLit:
						if s, err := strconv.Unquote(v.Value); err == nil {
							values[name.Name] = s
						}
					case *ast.CallExpr: // featuregate.Feature("Name")
						if len(v.Args) != 1 {
							break
						}
						if lit, ok := v.Args[0].(*ast.BasicLit); ok {
							if s, err := strconv.Unquote(lit.Value); err == nil {
								values[name.Name] = s
							}
						}
					case *ast.Ident:
						aliases[name.Name] = v.Name
					}
				}
			}
		}
	}
	for name, to := range aliases {
		if to == "true" || to == "false" {
			values[name] = to
		} else if v, ok := values[to]; ok {
			values[name] = v
		}
	}
	return values
}

// functions calls f for each function declaration with a body.
func (p goPackage) functions(f func(*ast.File, *ast.FuncDecl)) {
	for _, file := range p.files {
		for _, decl := range file.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Body != nil {
				f(file, fn)
			}
		}
	}
}

// function finds a function declaration (not a method) by name.
func (p goPackage) function(name string) (file *ast.File, fn *ast.FuncDecl) {
	p.functions(func(f *ast.File, d *ast.FuncDecl) {
		if d.Recv == nil && d.Name.Name == name {
			file, fn = f, d
		}
	})
	return file, fn
}

// variable finds the initial value of a package variable.
func (p goPackage) variable(name string) (*ast.File, ast.Expr) {
	for _, file := range p.files {
		for _, decl := range file.Decls {
			gen, ok := decl.(*ast.GenDecl)
			if !ok || gen.Tok != token.VAR {
				continue
			}
			for _, spec := range gen.Specs {
				vs := spec.(*ast.ValueSpec)
				for i, n := range vs.Names {
					if n.Name == name && i < len(vs.Values) {
						return file, vs.Values[i]
					}
				}
			}
		}
	}
	return nil, nil
}

// selector splits x.Sel; ok is false for anything else.
func selector(e ast.Expr) (x, sel string, ok bool) {
	s, ok := e.(*ast.SelectorExpr)
	if !ok {
		return "", "", false
	}
	id, ok := s.X.(*ast.Ident)
	if !ok {
		return "", "", false
	}
	return id.Name, s.Sel.Name, true
}

// groupVersionOf reads the group and version of an API package: from its
// register.go's GroupName and SchemeGroupVersion.
func groupVersionOf(dir string) (group, version string, err error) {
	p, err := parsePackage(dir)
	if err != nil {
		return "", "", err
	}
	_, value := p.variable("SchemeGroupVersion")
	lit, ok := value.(*ast.CompositeLit)
	if !ok {
		return "", "", fmt.Errorf("%s: no SchemeGroupVersion", dir)
	}
	consts := p.constants()
	for _, elt := range lit.Elts {
		kv, ok := elt.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		key, _ := kv.Key.(*ast.Ident)
		var s string
		switch v := kv.Value.(type) {
		case *ast.BasicLit:
			if s, err = strconv.Unquote(v.Value); err != nil {
				return "", "", err
			}
		case *ast.Ident:
			if s, ok = consts[v.Name]; !ok {
				return "", "", fmt.Errorf("%s: unknown constant %s", dir, v.Name)
			}
		}
		switch key.Name {
		case "Group":
			group = s
		case "Version":
			version = s
		}
	}
	if version == "" {
		return "", "", fmt.Errorf("%s: SchemeGroupVersion has no version", dir)
	}
	return group, version, nil
}
