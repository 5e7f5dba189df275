package apiplace

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
)

// apiFact says which API an exported package variable names. The variable has a type of
// package schema.
type apiFact struct{ API API }

// AFact marks the type as a fact.
func (*apiFact) AFact() {}

func (f *apiFact) String() string {
	return f.API.Group + "/" + f.API.Version + " " + f.API.Kind + f.API.Resource
}

// groupFact is the API group and version of the Go types in a package. The version is empty
// if only the marker +groupName shows the group.
type groupFact struct{ Group, Version string }

// AFact marks the type as a fact.
func (*groupFact) AFact() {}

func (f *groupFact) String() string { return f.Group }

// variables records the initial value of each variable. If a variable is set again,
// variables records nil.
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

// export exports the facts of the package: the group and version of its types, and the APIs
// that its exported variables name.
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
	if s.registeredGroup = (groupFact{group, version}); group != "" {
		s.pass.ExportPackageFact(&groupFact{group, version})
	}
}

// groupOf returns the API group of the types in a package.
func (s *search) groupOf(pkg *types.Package) (group string, known bool) {
	if group, known = apicall.GroupOf(pkg); known {
		return group, known
	}
	fact := s.registered(pkg)
	return fact.Group, fact.Group != ""
}

// registered returns the group and version of the types in a package of the module.
// Both are "" if they are not known.
func (s *search) registered(pkg *types.Package) groupFact {
	if pkg == s.pass.Pkg {
		return s.registeredGroup
	}
	fact := new(groupFact)
	if pkg == nil || !s.pass.ImportPackageFact(pkg, fact) {
		return groupFact{}
	}
	return *fact
}
