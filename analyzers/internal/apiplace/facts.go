package apiplace

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
)

// apiFact is the API that a package variable of a type of package schema names.
type apiFact struct{ API API }

// AFact makes it a fact.
func (*apiFact) AFact() {}

func (f *apiFact) String() string {
	return f.API.Group + "/" + f.API.Version + " " + f.API.Kind + f.API.Resource
}

// groupFact is the group of the types of a package, and their version. The version is
// empty if only a marker shows the group.
type groupFact struct{ Group, Version string }

// AFact makes it a fact.
func (*groupFact) AFact() {}

func (f *groupFact) String() string { return f.Group }

// variables records the values in declarations of variables, and which variables are
// set again.
func (s *search) variables(f *ast.File) {
	set := func(e ast.Expr, value ast.Expr) {
		id, ok := ast.Unparen(e).(*ast.Ident)
		if !ok {
			return
		}
		if obj := s.pass.TypesInfo.Defs[id]; obj != nil {
			s.values[obj] = value
		} else if obj := s.pass.TypesInfo.Uses[id]; obj != nil {
			s.values[obj] = nil
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if len(n.Values) == len(n.Names) {
					set(id, n.Values[i])
				}
			}
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				switch {
				case len(n.Lhs) == len(n.Rhs) && (n.Tok == token.DEFINE || n.Tok == token.ASSIGN):
					set(left, n.Rhs[i])
				default:
					set(left, nil)
				}
			}
		}
		return true
	})
}

// export exports facts that importers cannot see: the group of the package's types if
// no constant shows it, and the APIs that its variables name.
func (s *search) export() {
	group, version := "", ""
	for _, f := range s.pass.Files {
		for _, c := range f.Comments {
			for line := range strings.Lines(c.Text()) {
				if name, ok := strings.CutPrefix(strings.TrimSpace(line), "+groupName="); ok {
					group = strings.TrimSpace(name)
				}
			}
		}
	}
	for obj, value := range s.values {
		v, ok := obj.(*types.Var)
		if !ok || v.Parent() != s.pass.Pkg.Scope() || value == nil {
			continue
		}
		api, ok := s.value(value, maxDepth)
		if !ok {
			continue
		}
		if api.Kind == "" && api.Resource == "" && (v.Name() == "GroupVersion" || v.Name() == "SchemeGroupVersion") && !api.AnyGroup {
			group, version = api.Group, api.Version
		}
		if v.Exported() {
			s.pass.ExportObjectFact(v, &apiFact{api})
		}
	}
	if s.own = (groupFact{group, version}); group != "" {
		s.pass.ExportPackageFact(&groupFact{group, version})
	}
}

// groupOf is the group of the API types of a package.
func (s *search) groupOf(pkg *types.Package) (group string, known bool) {
	if group, known = apicall.GroupOf(pkg); known {
		return group, known
	}
	fact := s.registered(pkg)
	return fact.Group, fact.Group != ""
}

// registered is the group and version under which a package of the module registers its
// types.
func (s *search) registered(pkg *types.Package) groupFact {
	if pkg == s.pass.Pkg {
		return s.own
	}
	fact := new(groupFact)
	if pkg == nil || !s.pass.ImportPackageFact(pkg, fact) {
		return groupFact{}
	}
	return *fact
}
