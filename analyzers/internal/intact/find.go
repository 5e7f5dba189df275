package intact

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// find separates the code of a package that compiles from the code that does not.
func find(pass *analysis.Pass) *Code {
	code := &Code{Files: pass.Files, Info: pass.TypesInfo, Whole: pass.Files}
	c := &checker{info: pass.TypesInfo, memo: map[types.Type]bool{}, types: map[ast.Expr]types.TypeAndValue{}, uses: map[*ast.Ident]types.Object{}}
	for _, e := range pass.TypeErrors {
		code.unparsed = code.unparsed || strings.HasPrefix(e.Msg, SyntaxError)
		// A message that begins with a tab belongs to the previous error.
		if !isOnlyUnused(e) && !strings.HasPrefix(e.Msg, "\t") {
			c.errors = append(c.errors, e.Pos)
		}
	}
	if len(pass.TypeErrors) == 0 && !c.usesUnknown(pass) && !slices.ContainsFunc(pass.Files, broken) {
		return code
	}
	code.unseen, code.objects, code.names = map[types.Object]unseen{}, map[types.Object]bool{}, map[string]bool{}
	info := *pass.TypesInfo
	info.FileVersions, info.Scopes = maps.Clone(info.FileVersions), maps.Clone(info.Scopes)
	code.Info = &info
	code.Files = make([]*ast.File, len(pass.Files))
	values := map[ast.Expr]bool{} // initial values that are left out
	for i, f := range pass.Files {
		code.Files[i] = f
		if r := c.reduce(code, f, values); r != nil {
			code.Files[i] = r
			// Each map may be nil, if the driver does not need it.
			if v, ok := info.FileVersions[f]; ok {
				info.FileVersions[r] = v
			}
			if s, ok := info.Scopes[f]; ok {
				info.Scopes[r] = s
			}
		}
	}
	if len(c.types) > 0 {
		info.Types = maps.Clone(info.Types)
		maps.Copy(info.Types, c.types)
	}
	if len(c.uses) > 0 {
		info.Uses = maps.Clone(info.Uses)
		maps.Copy(info.Uses, c.uses)
	}
	info.InitOrder = slices.DeleteFunc(slices.Clone(info.InitOrder), func(i *types.Initializer) bool { return values[i.Rhs] })
	return code
}

// isOnlyUnused reports whether an error is only about an unused import, variable or
// label. The types of the code are known despite such an error.
func isOnlyUnused(e types.Error) bool {
	return e.Soft && strings.HasSuffix(e.Msg, " and not used") || e.Soft && strings.HasPrefix(e.Msg, "declared and not used")
}

// usesUnknown reports whether the package uses a declaration of another package whose
// type is not known. The type checker reports no error at such a use.
func (c *checker) usesUnknown(pass *analysis.Pass) bool {
	for _, o := range pass.TypesInfo.Uses {
		if o.Pkg() != pass.Pkg && !c.typeKnown(o) {
			return true
		}
		if p, ok := o.(*types.PkgName); ok && p.Imported().Path() == "C" {
			return true
		}
	}
	return false
}

// broken reports whether a file has syntax errors. Some drivers do not report them.
func broken(f *ast.File) bool {
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BadDecl, *ast.BadExpr, *ast.BadStmt:
			found = true
		case *ast.BlockStmt:
			found = found || !n.Rbrace.IsValid()
		}
		return !found
	})
	return found
}

// reduce returns a copy of a file without the code that does not compile. It returns
// nil if the whole file compiles.
func (c *checker) reduce(code *Code, f *ast.File, values map[ast.Expr]bool) *ast.File {
	truncated := c.truncated(f)
	var decls []ast.Decl
	changed := false
	for i, decl := range f.Decls {
		kept := decl
		switch d := decl.(type) {
		case *ast.FuncDecl:
			kept = c.function(code, d, truncated[i])
		case *ast.GenDecl:
			if d.Tok != token.IMPORT {
				kept = c.declaration(code, d, truncated[i], values)
			}
		default: // one *ast.BadDecl may stand for several functions
			kept = nil
			code.skip(c.info, Skipped{Name: "code that does not parse", Pos: d.Pos(), End: d.End()}, d)
		}
		if kept != nil {
			decls = append(decls, kept)
		}
		changed = changed || kept != decl
	}
	if !changed {
		return nil
	}
	reduced := *f
	reduced.Decls = decls
	return &reduced
}

// truncated returns the indexes of the declarations that the parser may have ended too
// early, for example because of an extra brace. Such a declaration is followed by a
// syntax error outside of all declarations.
func (c *checker) truncated(f *ast.File) map[int]bool {
	found := map[int]bool{}
	for _, pos := range c.errors {
		if pos < f.FileStart || f.FileEnd < pos {
			continue
		}
		before := -1
		for i, d := range f.Decls {
			if d.Pos() <= pos && pos <= d.End() {
				before = -1
				break
			}
			if d.End() < pos {
				before = i
			}
		}
		if before >= 0 {
			found[before] = true
		}
	}
	for i, d := range f.Decls {
		if _, bad := d.(*ast.BadDecl); bad && i > 0 {
			found[i-1] = true
		}
	}
	return found
}

// function returns d if the function compiles, and otherwise a copy without the body.
// It returns nil if the name is declared twice, or if the signature has unknown types.
func (c *checker) function(code *Code, d *ast.FuncDecl, truncated bool) ast.Decl {
	fn, _ := c.info.Defs[d.Name].(*types.Func)
	declared := fn != nil && c.known(fn.Type()) && (fn.Signature().Recv() == nil || c.known(fn.Signature().Recv().Type()))
	if declared && !truncated && !c.hasError(d) && (d.Body == nil || c.compiles(d.Body)) {
		return d
	}
	if declared && !truncated && d.Body != nil && !code.unparsed {
		if body, ok := c.repair(code, d.Body); ok {
			code.Skipped = append(code.Skipped, Skipped{Name: functionName(d) + ", in part", Pos: d.Pos(), End: d.Pos()})
			repaired := *d
			repaired.Body = body
			return &repaired
		}
	}
	if d.Body != nil {
		fact := code.skip(c.info, Skipped{Name: functionName(d), Pos: d.Pos(), End: d.End()}, d.Body)
		if fn != nil {
			code.unseen[fn] = fact
		}
	}
	if !declared {
		return nil
	}
	hollow := *d
	hollow.Body = nil
	return &hollow
}

// skip records code that is left out, and the names in it. It returns the fact about the
// code.
func (c *Code) skip(info *types.Info, s Skipped, nodes ...ast.Node) unseen {
	c.Skipped = append(c.Skipped, s)
	said := c.words.Len()
	for _, n := range nodes {
		c.noteNames(info, n)
	}
	return unseen{DryRun: strings.Contains(c.words.String()[said:], "dryrun")}
}

// declaration returns the declaration d of types, constants or variables if it
// compiles. Otherwise it returns a copy without the code that does not compile, or nil
// if nothing remains.
func (c *checker) declaration(code *Code, d *ast.GenDecl, truncated bool, values map[ast.Expr]bool) ast.Decl {
	var specs []ast.Spec
	changed := false
	for i, spec := range d.Specs {
		kept := spec
		switch s := spec.(type) {
		case *ast.ValueSpec:
			kept = c.value(code, s, d.Tok, truncated && i == len(d.Specs)-1, values)
		case *ast.TypeSpec:
			kept = c.typeSpec(s)
		}
		if kept != nil {
			specs = append(specs, kept)
		}
		changed = changed || kept != spec
	}
	switch {
	case !changed:
		return d
	case len(specs) == 0:
		return nil
	}
	reduced := *d
	reduced.Specs = specs
	return &reduced
}

func (c *checker) value(code *Code, s *ast.ValueSpec, tok token.Token, truncated bool, values map[ast.Expr]bool) ast.Spec {
	declared, failed := true, truncated || c.hasError(s)
	for _, name := range s.Names {
		o := c.info.Defs[name]
		declared = declared && o != nil && c.typeKnown(o)
	}
	if s.Type != nil {
		declared = declared && c.compiles(s.Type)
	}
	for _, v := range s.Values {
		failed = failed || !c.compiles(v)
	}
	if declared && !failed {
		return s
	}
	if tok == token.VAR && len(s.Values) > 0 {
		var names []string
		nodes := make([]ast.Node, len(s.Values))
		for _, name := range s.Names {
			names = append(names, name.Name)
			if o := c.info.Defs[name]; o != nil {
				code.objects[o] = true
			}
		}
		for i, v := range s.Values {
			nodes[i] = v
			values[v] = true
		}
		fact := code.skip(c.info, Skipped{Name: "var " + strings.Join(names, ", "), Pos: s.Pos(), End: s.End()}, nodes...)
		for _, name := range s.Names {
			if o := c.info.Defs[name]; o != nil {
				code.unseen[o] = fact
			}
		}
	}
	if !declared || tok == token.CONST {
		return nil
	}
	reduced := *s
	reduced.Values = nil
	return &reduced
}

// typeSpec returns s if all its types are known, and otherwise a copy without the
// fields and methods that have unknown types. It returns nil if the type itself is not
// known.
func (c *checker) typeSpec(s *ast.TypeSpec) ast.Spec {
	o := c.info.Defs[s.Name]
	if o == nil || !c.known(o.Type()) {
		return nil
	}
	if !c.hasError(s) && c.compiles(s.Type) {
		return s
	}
	reduced := *s
	switch t := s.Type.(type) {
	case *ast.StructType:
		copied := *t
		copied.Fields = c.soundFields(t.Fields)
		reduced.Type = &copied
		c.copyType(s.Type, &copied)
	case *ast.InterfaceType:
		copied := *t
		copied.Methods = c.soundFields(t.Methods)
		reduced.Type = &copied
		c.copyType(s.Type, &copied)
	default:
		return nil
	}
	return &reduced
}

// copyType records that the copy of a type expression has the type of the original.
func (c *checker) copyType(from, to ast.Expr) {
	if tv, ok := c.info.Types[from]; ok {
		c.types[to] = tv
	}
}

func (c *checker) soundFields(list *ast.FieldList) *ast.FieldList {
	if list == nil {
		return nil
	}
	reduced := *list
	reduced.List = nil
	for _, f := range list.List {
		if c.compiles(f) {
			reduced.List = append(reduced.List, f)
		}
	}
	return &reduced
}

// functionName returns the name of a function as Go code writes it, such as
// (*Reconciler).Reconcile.
func functionName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	t := ast.Unparen(d.Recv.List[0].Type)
	star, pointer := t.(*ast.StarExpr)
	if pointer {
		t = ast.Unparen(star.X)
	}
	switch x := t.(type) {
	case *ast.IndexExpr:
		t = x.X
	case *ast.IndexListExpr:
		t = x.X
	}
	id, ok := t.(*ast.Ident)
	switch {
	case !ok:
		return d.Name.Name
	case pointer:
		return "(*" + id.Name + ")." + d.Name.Name
	}
	return id.Name + "." + d.Name.Name
}
