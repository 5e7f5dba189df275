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

// goPackage is the syntax of the Go files in a directory, without tests.
//
// The files are not type-checked, because the releases need many Go versions and
// dependencies. The syntax is enough for the values that the generator needs.
type goPackage struct {
	dir   string
	files []*ast.File
}

// parsePackage parses the Go files of a directory in the order of their names. It
// returns an empty package if the directory does not exist.
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

// imports returns the import paths of a file by their names in the file.
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

// constants returns the string and bool constants of a package by name. A
// constant whose value is another constant, such as the alias of a moved gate, is
// included only if both are in this package.
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
					case *ast.CallExpr: // form: featuregate.Feature("Name")
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

// functions calls f for each function or method of the package that has a body.
func (p goPackage) functions(f func(*ast.File, *ast.FuncDecl)) {
	for _, file := range p.files {
		for _, decl := range file.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Body != nil {
				f(file, fn)
			}
		}
	}
}

// function returns the function with a name, and its file. It ignores methods.
// Both results are nil if there is no such function.
func (p goPackage) function(name string) (file *ast.File, fn *ast.FuncDecl) {
	p.functions(func(f *ast.File, d *ast.FuncDecl) {
		if d.Recv == nil && d.Name.Name == name {
			file, fn = f, d
		}
	})
	return file, fn
}

// variable returns the initial value of a package variable, and the file of its
// declaration.
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

// selector splits an expression x.Sel into two names. ok is false for other
// expressions.
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

// groupVersionOf returns the group and version of the API package in a directory.
// It reads GroupName and SchemeGroupVersion, which are in register.go.
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
