package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// typeReader reads the types of all kinds, and the types of their fields.
type typeReader struct {
	src      sources
	packages map[string]*typePackage // packages by import path
	types    map[string]*typeFact    // types by ID
	failed   error
}

// typePackage has the type declarations of a package.
type typePackage struct {
	path, name string
	specs      map[string]typeDecl
	// selfDecoding has the names of the types with a method UnmarshalJSON or
	// UnmarshalText.
	selfDecoding map[string]bool
}

type typeDecl struct {
	spec    *ast.TypeSpec
	imports map[string]string
}

// extractTypes returns the types of all kinds in the API packages of a release.
// buildTypes later leaves out kinds that no server serves.
func extractTypes(r release, src sources) (*typeFacts, error) {
	tr := &typeReader{src: src, packages: map[string]*typePackage{}, types: map[string]*typeFact{}}
	f := &typeFacts{Release: r.String()}
	for _, root := range methodRoots(src) {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.IsDir() {
				return err
			}
			if d.Name() == "testdata" || d.Name() == "testing" {
				return filepath.SkipDir
			}
			roots, err := tr.kinds(path)
			f.Roots = append(f.Roots, roots...)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(f.Roots, func(a, b rootType) int { return a.gvk.compare(b.gvk) })
	for _, t := range tr.types {
		f.Types = append(f.Types, *t)
	}
	slices.SortFunc(f.Types, func(a, b typeFact) int { return cmp.Compare(a.ID, b.ID) })
	return f, tr.failed
}

// kinds returns the kinds of one directory: the structs that embed TypeMeta. It
// returns none if the directory is not a version of an API group.
func (tr *typeReader) kinds(dir string) ([]rootType, error) {
	if base := filepath.Base(dir); len(base) < 2 || base[0] != 'v' || base[1] < '0' || base[1] > '9' {
		return nil, nil // not a version, or the internal version
	}
	p, err := parsePackage(dir)
	if err != nil {
		return nil, err
	}
	if _, value := p.variable("SchemeGroupVersion"); value == nil {
		return nil, nil
	}
	group, version, err := groupVersionOf(dir)
	if err != nil {
		return nil, err
	}
	path, err := tr.importPath(dir)
	if err != nil {
		return nil, err
	}
	pkg := tr.load(path)
	var roots []rootType
	for name, decl := range pkg.specs {
		st, ok := decl.spec.Type.(*ast.StructType)
		if !ok || !ast.IsExported(name) || !embedsTypeMeta(st) {
			continue
		}
		id := tr.named(path, name)
		roots = append(roots, rootType{gvk{group, version, name}, id})
	}
	return roots, tr.failed
}

func embedsTypeMeta(st *ast.StructType) bool {
	for _, f := range st.Fields.List {
		if _, sel, ok := selector(f.Type); ok && len(f.Names) == 0 && sel == "TypeMeta" {
			return true
		}
	}
	return false
}

// importPath returns the import path of a directory. It is the inverse of
// sources.packageDir.
func (tr *typeReader) importPath(dir string) (string, error) {
	for mod, root := range tr.src.dirs {
		if rest, ok := strings.CutPrefix(dir, root+string(filepath.Separator)); ok {
			return mod + "/" + filepath.ToSlash(rest), nil
		}
	}
	return "", fmt.Errorf("%s is in no module", dir)
}

// fail stores the first error. The reader goes on, but its result is not used.
func (tr *typeReader) fail(format string, args ...any) {
	if tr.failed == nil {
		tr.failed = fmt.Errorf(format, args...)
	}
}

// load returns the declarations of the package at an import path.
func (tr *typeReader) load(path string) *typePackage {
	if p := tr.packages[path]; p != nil {
		return p
	}
	p := &typePackage{path: path, specs: map[string]typeDecl{}, selfDecoding: map[string]bool{}}
	tr.packages[path] = p
	dir, ok := tr.src.packageDir(path)
	if !ok {
		tr.fail("package %s is in none of the modules that are read", path)
		return p
	}
	parsed, err := parsePackage(dir)
	if err != nil {
		tr.fail("%w", err)
		return p
	}
	for _, file := range parsed.files {
		p.name = file.Name.Name
		known := imports(file)
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.GenDecl:
				if decl.Tok != token.TYPE {
					continue
				}
				for _, spec := range decl.Specs {
					ts := spec.(*ast.TypeSpec)
					p.specs[ts.Name.Name] = typeDecl{ts, known}
				}
			case *ast.FuncDecl:
				if decl.Recv != nil && (decl.Name.Name == "UnmarshalJSON" || decl.Name.Name == "UnmarshalText") {
					p.selfDecoding[receiver(decl)] = true
				}
			}
		}
	}
	return p
}

// basic lists the predeclared types that fields can have.
var basic = []string{"bool", "byte", "float32", "float64", "int", "int16", "int32", "int64", "int8", "string", "uint", "uint16", "uint32", "uint64", "uint8"}

// named reads a named type and returns its ID, or the notation of an alias's
// target.
func (tr *typeReader) named(path, name string) string {
	pkg := tr.load(path)
	decl, ok := pkg.specs[name]
	if !ok {
		tr.fail("%s: no type %s", path, name)
		return "string"
	}
	if decl.spec.TypeParams != nil {
		tr.fail("%s.%s: a generic type", path, name)
		return "string"
	}
	if decl.spec.Assign.IsValid() {
		return tr.typeExpr(pkg, decl, decl.spec.Type)
	}
	id := path + "." + name
	if tr.types[id] != nil {
		return id
	}
	t := &typeFact{ID: id, Name: pkg.name + "." + name, Own: pkg.selfDecoding[name]}
	tr.types[id] = t
	if _, isStruct := decl.spec.Type.(*ast.StructType); isStruct {
		switch {
		case !t.Own:
			t.Fields = tr.fields(pkg, decl)
		case pkg.specs["JSONSchemaProps"].spec != nil:
			// JSONSchemaPropsOrArray and similar types contain JSONSchemaProps.
			t.Underlying = tr.named(path, "JSONSchemaProps")
		}
	} else {
		t.Underlying = tr.typeExpr(pkg, decl, decl.spec.Type)
	}
	return id
}

// typeExpr returns the notation of a type: the name of a predeclared type or the
// ID of a named type, with "*", "[]" and "map[KEY]" before it as in Go.
func (tr *typeReader) typeExpr(pkg *typePackage, decl typeDecl, e ast.Expr) string {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return tr.typeExpr(pkg, decl, e.X)
	case *ast.StarExpr:
		return "*" + tr.typeExpr(pkg, decl, e.X)
	case *ast.ArrayType:
		if e.Len == nil {
			return "[]" + tr.typeExpr(pkg, decl, e.Elt)
		}
	case *ast.MapType:
		return "map[" + tr.typeExpr(pkg, decl, e.Key) + "]" + tr.typeExpr(pkg, decl, e.Value)
	case *ast.Ident:
		if _, declared := pkg.specs[e.Name]; declared {
			return tr.named(pkg.path, e.Name)
		}
		if slices.Contains(basic, e.Name) {
			if e.Name == "byte" {
				return "uint8"
			}
			return e.Name
		}
	case *ast.SelectorExpr:
		if x, sel, ok := selector(e); ok && decl.imports[x] != "" {
			return tr.named(decl.imports[x], sel)
		}
	}
	tr.fail("%s.%s: a type that decoding is not known for: %T", pkg.path, decl.spec.Name.Name, e)
	return "string"
}

// fields returns the fields of a struct that encoding/json decodes, sorted by
// JSON name, with the fields of embedded structs. If several fields have one JSON
// name, it returns only the field with the fewest embedded structs around it.
func (tr *typeReader) fields(pkg *typePackage, decl typeDecl) []fieldFact {
	found := map[string]fieldFact{}
	depth := map[string]int{}
	var walk func(pkg *typePackage, decl typeDecl, way []string)
	walk = func(pkg *typePackage, decl typeDecl, way []string) {
		where := pkg.path + "." + decl.spec.Name.Name
		for _, f := range decl.spec.Type.(*ast.StructType).Fields.List {
			var tag string
			if f.Tag != nil {
				text, err := strconv.Unquote(f.Tag.Value)
				if err != nil {
					tr.fail("%s: %w", where, err)
				}
				tag = reflect.StructTag(text).Get("json")
			}
			if tag == "-" {
				continue
			}
			name, options, _ := strings.Cut(tag, ",")
			if slices.Contains(strings.Split(options, ","), "string") {
				tr.fail("%s: a field with the option string", where)
			}
			if len(f.Names) == 0 {
				goName, inner, innerDecl := tr.embedded(pkg, decl, f.Type)
				if name == "" {
					if inner == nil {
						tr.fail("%s: an embedded field that is no struct", where)
						continue
					}
					walk(inner, innerDecl, append(slices.Clone(way), goName))
					continue
				}
				f.Names = []*ast.Ident{{Name: goName}}
			}
			typ := ""
			for _, id := range f.Names {
				if !id.IsExported() {
					continue
				}
				jsonName := name
				if jsonName == "" {
					jsonName = id.Name
				}
				if old, ok := depth[jsonName]; ok {
					if old == len(way) {
						tr.fail("%s: two fields %s", where, jsonName)
					}
					if old < len(way) {
						continue
					}
				}
				if typ == "" {
					typ = tr.typeExpr(pkg, decl, f.Type)
				}
				depth[jsonName] = len(way)
				found[jsonName] = fieldFact{JSON: jsonName, Go: id.Name, Embedded: strings.Join(way, "."), Type: typ}
			}
		}
	}
	walk(pkg, decl, nil)
	list := make([]fieldFact, 0, len(found))
	for _, f := range found {
		list = append(list, f)
	}
	slices.SortFunc(list, func(a, b fieldFact) int { return cmp.Compare(a.JSON, b.JSON) })
	return list
}

// embedded returns the struct that a field embeds, with its package and
// declaration. inner is nil if the field is not a struct, or if its type decodes
// itself.
func (tr *typeReader) embedded(pkg *typePackage, decl typeDecl, e ast.Expr) (goName string, inner *typePackage, innerDecl typeDecl) {
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	path, name := decl.target(pkg.path, e)
	goName = name
	target := tr.load(path)
	d, ok := target.specs[name]
	for ok && d.spec.Assign.IsValid() { // an alias; its target is next
		path, name = d.target(path, d.spec.Type)
		target = tr.load(path)
		d, ok = target.specs[name]
	}
	if !ok || target.selfDecoding[name] {
		return goName, nil, typeDecl{}
	}
	if _, ok := d.spec.Type.(*ast.StructType); !ok {
		return goName, nil, typeDecl{}
	}
	return goName, target, d
}

// target returns the import path and name of the type that e refers to. path is
// the import path of the package with the declaration.
func (d typeDecl) target(path string, e ast.Expr) (string, string) {
	if x, sel, ok := selector(e); ok {
		return d.imports[x], sel
	}
	if id, ok := e.(*ast.Ident); ok {
		return path, id.Name
	}
	return path, ""
}
