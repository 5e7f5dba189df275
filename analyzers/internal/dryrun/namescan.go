package dryrun

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// nameScan is the result of a quick search of the names in a package, before the SSA
// code is analyzed.
type nameScan struct {
	// source is true if something in the package may be a source.
	source bool
	// writers is true if the package uses functions of other packages of the module
	// that write.
	writers bool
	// indirect is true if the package calls methods of interfaces that other packages
	// of the module declare.
	indirect bool
	// builders is true if the package uses functions with the fact buildsWriter.
	builders bool
}

func (s *state) scanNames() nameScan {
	m := nameScan{source: len(s.vars.bound) > 0 || s.settings != nil}
	look := func(obj types.Object) {
		if obj == nil {
			return
		}
		if !m.source && containsDryRun(obj.Name()) {
			m.source = true
		}
		if !s.vars.isLocal(obj.Pkg()) {
			return
		}
		if fn, ok := obj.(*types.Func); ok && fn.Signature().Recv() != nil && types.IsInterface(fn.Signature().Recv().Type()) {
			m.indirect = true
		}
		if obj.Pkg() == s.pass.Pkg {
			return
		}
		switch obj := obj.(type) {
		case *types.Func:
			m.writers = m.writers || s.pass.ImportObjectFact(obj.Origin(), &writer{}) || s.pass.ImportObjectFact(obj.Origin(), &ignoringCommand{}) ||
				s.pass.ImportObjectFact(obj.Origin(), &interfaceCalls{}) || s.pass.ImportObjectFact(obj.Origin(), &respectsParam{})
			m.builders = m.builders || s.pass.ImportObjectFact(obj.Origin(), &buildsWriter{})
			m.source = m.source || s.pass.ImportObjectFact(obj.Origin(), &predicate{}) || s.loadsDryRun(obj) != "" || s.pass.ImportObjectFact(obj.Origin(), &flagAdder{})
		case *types.Var:
			if !m.source && shapeOf(obj.Type()) != 0 && (obj.IsField() || obj.Parent() == obj.Pkg().Scope()) {
				m.source = s.pass.ImportObjectFact(obj.Origin(), &flagBound{})
			}
		}
	}
	for _, obj := range s.pass.TypesInfo.Uses {
		look(obj)
	}
	if !m.source {
		for _, obj := range s.pass.TypesInfo.Defs {
			look(obj)
		}
	}
	if !m.source {
		for _, f := range s.pass.Files {
			ast.Inspect(f, func(n ast.Node) bool {
				if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING && containsDryRun(strings.Trim(lit.Value, "`\"")) {
					m.source = true
				}
				return !m.source
			})
		}
	}
	return m
}

// containsDryRun reports whether a name contains "dry run" in any form, or is "dry".
func containsDryRun(name string) bool {
	if len(name) < len("dryrun") {
		return len(name) >= len(short) && squeeze(name) == short
	}
	for i := range len(name) - 2 {
		if c := name[i] | 0x20; c == 'd' && name[i+1]|0x20 == 'r' && name[i+2]|0x20 == 'y' {
			return strings.Contains(squeeze(name), "dryrun")
		}
	}
	return false
}

// hasOptionsParam reports whether a function of the package has a parameter for the
// options of a write, or for an admission request.
func (s *state) hasOptionsParam() bool {
	for _, fn := range s.funcs {
		for _, p := range fn.Params {
			if n := namedOf(elem(p.Type())); n != nil && (isOptions(n) || isRequest(n)) {
				return true
			}
		}
	}
	return false
}
