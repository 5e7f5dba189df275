package dryrun

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// mention is the result of a quick search of a package's names, before the SSA code is
// analyzed.
type mention struct {
	// wish is true if something may hold or report a dry run.
	wish bool
	// writers is true if the package uses functions with writes from other packages of the
	// module.
	writers bool
	// indirect is true if the package calls methods of interfaces from other packages of
	// the module.
	indirect bool
	// builders is true if the package uses functions with the fact buildsWriter.
	builders bool
}

func (s *state) glance() mention {
	m := mention{wish: len(s.wishes.bound) > 0}
	look := func(obj types.Object) {
		if obj == nil {
			return
		}
		if !m.wish && namesDryRun(obj.Name()) {
			m.wish = true
		}
		if obj.Pkg() == s.pass.Pkg || !s.wishes.ours(obj.Pkg()) {
			return
		}
		switch obj := obj.(type) {
		case *types.Func:
			m.writers = m.writers || s.pass.ImportObjectFact(obj.Origin(), &writer{}) || s.pass.ImportObjectFact(obj.Origin(), &careless{}) ||
				s.pass.ImportObjectFact(obj.Origin(), &through{}) || s.pass.ImportObjectFact(obj.Origin(), &obeys{})
			m.builders = m.builders || s.pass.ImportObjectFact(obj.Origin(), &buildsWriter{})
			if recv := obj.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
				m.indirect = true
			}
			m.wish = m.wish || s.pass.ImportObjectFact(obj.Origin(), &predicate{}) || s.loadsDryRun(obj) != ""
		case *types.Var:
			if !m.wish && shapeOf(obj.Type()) != 0 && (obj.IsField() || obj.Parent() == obj.Pkg().Scope()) {
				m.wish = s.pass.ImportObjectFact(obj.Origin(), &flagBound{})
			}
		}
	}
	for _, obj := range s.pass.TypesInfo.Uses {
		look(obj)
	}
	if !m.wish {
		for _, obj := range s.pass.TypesInfo.Defs {
			look(obj)
		}
	}
	if !m.wish {
		for _, f := range s.pass.Files {
			ast.Inspect(f, func(n ast.Node) bool {
				if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING && namesDryRun(strings.Trim(lit.Value, "`\"")) {
					m.wish = true
				}
				return !m.wish
			})
		}
	}
	return m
}

// namesDryRun reports whether a name contains "dry run" in any form.
func namesDryRun(name string) bool {
	if len(name) < len("dryrun") {
		return false
	}
	for i := range len(name) - 2 {
		if c := name[i] | 0x20; c == 'd' && name[i+1]|0x20 == 'r' && name[i+2]|0x20 == 'y' {
			return strings.Contains(squeeze(name), "dryrun")
		}
	}
	return false
}

// carriesOptions reports whether a function of the package has a parameter for options of a
// write, or for an admission request.
func (s *state) carriesOptions() bool {
	for _, fn := range s.funcs {
		for _, p := range fn.Params {
			if n := namedOf(elem(p.Type())); n != nil && (isOptions(n) || isRequest(n)) {
				return true
			}
		}
	}
	return false
}
