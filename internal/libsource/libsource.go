// Package libsource reduces the source of a dependency to the functions that matter for
// writes to Kubernetes APIs. Both Go drivers use it, so both find the same facts about
// dependencies.
//
// The package chooses functions by name, before types are known. So it keeps more
// functions than necessary. It drops the imports that only other functions need, because
// these imports are most of the cost of a dependency.
package libsource

import (
	"go/ast"
	"slices"
	"strconv"
	"strings"
)

// Reduce removes function bodies and all comments from the files of a package. A function
// keeps its body if it may lead to a write. The bodies of these functions stay:
//
//   - functions that mention a name that begins with a verb of a write
//   - functions that mention a package for which library returns true
//   - functions that mention a method of an interface of this package, if this package
//     imports a package for which library returns true: that package may implement the
//     interface
//   - functions that mention a function of this list
//   - functions with results, if a function of this list mentions them
//   - functions that return a type with a method in this list
//
// Reduce reports whether any body is left. It does not change a generated package,
// because the signatures of its functions show what they write. An exception are
// generated packages that use the client of controller-runtime.
func Reduce(files []*ast.File, library func(importPath string) bool) bool {
	if !slices.ContainsFunc(files, func(f *ast.File) bool { return !ast.IsGenerated(f) || wraps(f) }) {
		return false
	}
	p := &source{kept: map[*function]bool{}, named: map[string][]*function{}, methods: map[string]bool{}}
	for _, f := range files {
		p.add(f, library)
	}
	p.choose()
	for _, fn := range p.functions {
		if !p.kept[fn] {
			drop(fn.decl)
		}
	}
	for _, f := range files {
		f.Comments = nil
	}
	return len(p.kept) > 0
}

// wrapped is the import path of a client that generated code may call. The signatures of
// such generated methods do not show that they write.
const wrapped = "sigs.k8s.io/controller-runtime/pkg/client"

// wraps reports whether a file imports the client at the path wrapped.
func wraps(f *ast.File) bool {
	return slices.ContainsFunc(f.Imports, func(s *ast.ImportSpec) bool { return s.Path.Value == strconv.Quote(wrapped) })
}

// CallsClients reports whether a generated file of the program itself may write through a
// client or a library. The reconcilers of knative are an example. Other generated files
// are clients themselves, or only read.
func CallsClients(f *ast.File, library func(importPath string) bool) bool {
	if !wraps(f) && !slices.ContainsFunc(f.Imports, func(s *ast.ImportSpec) bool {
		path, _ := strconv.Unquote(s.Path.Value)
		return path == "k8s.io/client-go/kubernetes" || strings.Contains(path, "/clientset/") && !strings.HasSuffix(path, "/scheme") || library(path)
	}) {
		return false
	}
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			found = found || isVerb(s.Sel.Name)
		}
		return !found
	})
	return found
}

// source has the functions of a package.
type source struct {
	functions []*function
	named     map[string][]*function
	kept      map[*function]bool
	// methods has the names of the methods of the package's interfaces.
	methods map[string]bool
	// imports is true if the package imports a library.
	imports bool
}

// function is a function that has a body.
type function struct {
	decl *ast.FuncDecl
	// mentions has the identifiers in the body.
	mentions map[string]bool
	// writes is true if an identifier in the body may be a write.
	writes bool
	// receiver is the name of the receiver's type. results has the identifiers in the
	// types of the results.
	receiver string
	results  map[string]bool
}

// mentionsAny reports whether a function mentions at least one of the names.
func (fn *function) mentionsAny(names map[string]bool) bool {
	for name := range names {
		if fn.mentions[name] {
			return true
		}
	}
	return false
}

// add adds the functions of a file.
func (p *source) add(f *ast.File, library func(string) bool) {
	libraries := map[string]bool{}
	for _, spec := range f.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		if !library(path) {
			continue
		}
		name := packageName(path)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		libraries[name] = true
		p.imports = true
	}
	for _, decl := range f.Decls {
		if d, ok := decl.(*ast.GenDecl); ok {
			p.addInterfaces(d)
		}
		d, ok := decl.(*ast.FuncDecl)
		if !ok || d.Body == nil {
			continue
		}
		fn := &function{decl: d, mentions: map[string]bool{}, results: map[string]bool{}}
		ast.Inspect(d.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				fn.writes = fn.writes || isVerb(n.Sel.Name)
				if x, ok := n.X.(*ast.Ident); ok && libraries[x.Name] {
					fn.writes = true
				}
			case *ast.Ident:
				fn.mentions[n.Name] = true
			}
			return true
		})
		if d.Recv != nil && len(d.Recv.List) > 0 {
			fn.receiver = baseName(d.Recv.List[0].Type)
		}
		if d.Type.Results != nil {
			ast.Inspect(d.Type.Results, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					fn.results[id.Name] = true
				}
				return true
			})
		}
		p.functions = append(p.functions, fn)
		p.named[d.Name.Name] = append(p.named[d.Name.Name], fn)
	}
}

// addInterfaces adds the methods of all interfaces in a declaration.
func (p *source) addInterfaces(d *ast.GenDecl) {
	for _, spec := range d.Specs {
		t, ok := spec.(*ast.TypeSpec)
		if !ok {
			continue
		}
		i, ok := t.Type.(*ast.InterfaceType)
		if !ok {
			continue
		}
		for _, m := range i.Methods.List {
			for _, name := range m.Names {
				p.methods[name.Name] = true
			}
		}
	}
}

// packageName returns the probable name of a package. This is the last element of its
// path that is not a version.
func packageName(path string) string {
	elements := strings.Split(path, "/")
	last := elements[len(elements)-1]
	if len(elements) > 1 && len(last) > 1 && last[0] == 'v' && strings.Trim(last[1:], "0123456789") == "" {
		last = elements[len(elements)-2]
	}
	return last
}

// verbs has the beginnings of the names of client methods that write.
var verbs = []string{"Create", "Update", "Patch", "Delete", "Apply", "Replace", "Evict", "Bind"}

// isVerb reports whether a method with this name may write. Do, DoRaw and Stream send
// requests that the code builds itself.
func isVerb(name string) bool {
	if name == "Do" || name == "DoRaw" || name == "Stream" {
		return true
	}
	for _, v := range verbs {
		if strings.HasPrefix(name, v) {
			return true
		}
	}
	return false
}

// baseName returns the name of a receiver's type.
func baseName(e ast.Expr) string {
	for {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// choose selects the functions that keep their bodies.
func (p *source) choose() {
	users := map[string][]*function{}
	for _, fn := range p.functions {
		for name := range fn.mentions {
			if p.named[name] != nil {
				users[name] = append(users[name], fn)
			}
		}
	}
	var leading []*function
	var lead func(fn *function)
	lead = func(fn *function) {
		if p.kept[fn] {
			return
		}
		p.kept[fn] = true
		leading = append(leading, fn)
		for _, user := range users[fn.decl.Name.Name] {
			lead(user)
		}
	}
	for _, fn := range p.functions {
		if fn.writes || p.imports && fn.mentionsAny(p.methods) {
			lead(fn)
		}
	}
	receivers := map[string]bool{}
	for _, fn := range leading {
		if fn.receiver != "" {
			receivers[fn.receiver] = true
		}
	}
	for _, fn := range p.functions {
		for name := range fn.results {
			if receivers[name] && !p.kept[fn] {
				p.kept[fn] = true
				leading = append(leading, fn)
			}
		}
	}
	for _, fn := range leading {
		for name := range fn.mentions {
			for _, other := range p.named[name] {
				if len(other.results) > 0 {
					p.kept[other] = true
				}
			}
		}
	}
}

// drop removes the body of a function. A generic function must have a body, so its body
// becomes an endless loop, which needs no result.
func drop(fn *ast.FuncDecl) {
	if fn.Recv == nil && (fn.Name.Name == "init" || fn.Name.Name == "main") || isGeneric(fn) {
		at := fn.Body.Lbrace
		loop := &ast.ForStmt{For: at, Body: &ast.BlockStmt{Lbrace: at, Rbrace: at}}
		fn.Body.List = []ast.Stmt{loop}
		return
	}
	fn.Body = nil
}

// isGeneric reports whether a function or its receiver has type parameters.
func isGeneric(fn *ast.FuncDecl) bool {
	if fn.Type.TypeParams != nil {
		return true
	}
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return false
	}
	generic := false
	ast.Inspect(fn.Recv.List[0].Type, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.IndexExpr, *ast.IndexListExpr:
			generic = true
		}
		return !generic
	})
	return generic
}

// Qualifiers returns the names before dots in a file. Among them are the local names of
// all imports that the file uses.
func Qualifiers(f *ast.File) map[string]bool {
	names := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok {
				names[x.Name] = true
			}
		}
		return true
	})
	return names
}
