// Package owner finds the constant that a program uses as its field manager. Fixes then use
// the same name.
package owner

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"strings"
	"sync"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/edit"
	"github.com/kubevet/kubevet/analyzers/internal/writeoptions"
	"golang.org/x/tools/go/analysis"
)

// Name is a constant with the name of a field manager.
type Name struct {
	// Expr is the Go expression for the constant, as code at the fix writes it.
	Expr string
	// Value is the constant's value. It is not empty, and servers accept it.
	Value string
}

// ranks returns patterns for the names of constants. The first pattern is the best. It
// matches names of field managers, and the others match names of the program or its
// controller.
var ranks = sync.OnceValue(func() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`(?i)field_?(manager|owner)`),
		regexp.MustCompile(`(?i)(controller|operator)_?name$`),
	}
})

// packageWide returns the pattern for names of constants that serve a whole package.
// Other constants, such as cnpgFieldManager, are used only in their file.
var packageWide = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(the|default)?_?(field_?(manager|owner)(_?name)?|(controller|operator)_?name)$`)
})

// Find returns the constant to use as field manager at pos. It prefers a constant that
// other calls of the package use as field manager, and then the constant with the best
// name. It searches the package first, and then the packages of the module that the
// file imports. It returns false if there is none, or if several are equally good.
func Find(pass *analysis.Pass, pos token.Pos, calls []*apicall.Call) (Name, bool) {
	if name, ok := usedByCalls(pass, pos, calls); ok {
		return name, true
	}
	sources := []source{{"", pass.Pkg}}
	for _, f := range pass.Files {
		if f.FileStart <= pos && pos <= f.FileEnd {
			sources = append(sources, imported(pass, f, pos)...)
		}
	}
	for _, rank := range ranks() {
		// Constants of the package come before constants of imported packages.
		for _, list := range [][]source{sources[:1], sources[1:]} {
			switch found := matching(pass, pos, list, rank); len(found) {
			case 0:
			case 1:
				return found[0], true
			default:
				return Name{}, false
			}
		}
	}
	return Name{}, false
}

// matching returns the constants of the packages that code at pos can use and whose
// names match the pattern.
func matching(pass *analysis.Pass, pos token.Pos, list []source, name *regexp.Regexp) []Name {
	var found []Name
	for _, s := range list {
		for _, n := range s.pkg.Scope().Names() {
			c, ok := s.pkg.Scope().Lookup(n).(*types.Const)
			if !ok || s.prefix != "" && !c.Exported() || !name.MatchString(n) {
				continue
			}
			if name, ok := usable(pass, pos, c, s.prefix); ok && (packageWide().MatchString(n) || sameFile(pass, pos, c.Pos())) {
				found = append(found, name)
			}
		}
	}
	return found
}

// source is a package to search, and the prefix that its names have in code at the fix.
type source struct {
	prefix string
	pkg    *types.Package
}

// imported returns the packages of the module that a file imports.
func imported(pass *analysis.Pass, f *ast.File, pos token.Pos) []source {
	if pass.Module == nil || pass.Module.Path == "" {
		return nil
	}
	var list []source
	for _, spec := range f.Imports {
		p := pass.TypesInfo.PkgNameOf(spec)
		if p == nil || p.Imported() == pass.Pkg || !strings.HasPrefix(p.Imported().Path()+"/", pass.Module.Path+"/") {
			continue
		}
		if name, ok := edit.Imported(pass, pos, p.Imported().Path()); ok {
			list = append(list, source{name + ".", p.Imported()})
		}
	}
	return list
}

// usedByCalls returns the constant that other calls of the package use as field
// manager. It returns false if they use none, or several.
func usedByCalls(pass *analysis.Pass, pos token.Pos, calls []*apicall.Call) (Name, bool) {
	var only Name
	for _, call := range calls {
		c := constantOf(pass, call.FieldManager.Value)
		if c == nil || !packageWide().MatchString(c.Name()) && !sameFile(pass, pos, call.Pos()) {
			continue
		}
		prefix := ""
		if c.Pkg() != pass.Pkg {
			name, ok := edit.Imported(pass, pos, edit.Unvendored(c.Pkg().Path()))
			if !ok {
				continue
			}
			prefix = name + "."
		}
		name, ok := usable(pass, pos, c, prefix)
		switch {
		case !ok:
		case only.Expr != "" && only != name:
			return Name{}, false
		default:
			only = name
		}
	}
	return only, only.Expr != ""
}

func sameFile(pass *analysis.Pass, a, b token.Pos) bool {
	f := pass.Fset.File(a)
	return f != nil && f == pass.Fset.File(b)
}

// constantOf returns the constant that an expression names, possibly in a conversion.
// It returns nil for other expressions.
func constantOf(pass *analysis.Pass, e ast.Expr) *types.Const {
	for {
		e = ast.Unparen(e)
		call, ok := e.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 || !pass.TypesInfo.Types[call.Fun].IsType() {
			break
		}
		e = call.Args[0]
	}
	var id *ast.Ident
	switch e := e.(type) {
	case *ast.Ident:
		id = e
	case *ast.SelectorExpr:
		id = e.Sel
	default:
		return nil
	}
	c, _ := pass.TypesInfo.Uses[id].(*types.Const)
	if c == nil || c.Pkg() == nil || c.Parent() != c.Pkg().Scope() {
		return nil
	}
	return c
}

// usable returns the name of a constant if code at pos can use it as a string, and servers
// accept its value.
func usable(pass *analysis.Pass, pos token.Pos, c *types.Const, prefix string) (Name, bool) {
	if c.Val().Kind() != constant.String || !types.AssignableTo(c.Type(), types.Typ[types.String]) {
		return Name{}, false
	}
	value := constant.StringVal(c.Val())
	if value == "" || len(writeoptions.FieldManager(value)) > 0 {
		return Name{}, false
	}
	if prefix == "" {
		scope := pass.Pkg.Scope().Innermost(pos)
		if scope == nil {
			return Name{}, false
		}
		if _, obj := scope.LookupParent(c.Name(), pos); obj != c {
			return Name{}, false
		}
	}
	return Name{Expr: prefix + c.Name(), Value: value}, true
}
