package apicall

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// interfaceWriter returns the method of another module that a call of an interface
// method runs. It finds the method if the package converts a type of that module, such
// as one of Helm's actions, to the interface. writer is nil if the methods of these
// types do not write. certain is false if the package converts types with different
// methods to the interface.
func (p *program) interfaceWriter(method *types.Func) (writer *types.Func, certain bool) {
	recv := method.Signature().Recv()
	if recv == nil || method.Pkg() == nil {
		return nil, false
	}
	iface, ok := recv.Type().Underlying().(*types.Interface)
	if !ok || p.isHelper(method.Pkg()) && !p.inModule(method.Pkg()) {
		return nil, false
	}
	certain = true
	for _, t := range p.converted() {
		if !types.Implements(t, iface) {
			continue
		}
		object, _, _ := types.LookupFieldOrMethod(t, false, p.pass.Pkg, method.Name())
		found, ok := object.(*types.Func)
		switch {
		case !ok || found == writer:
		case writer != nil || p.writerOf(found) == nil:
			certain = false
		default:
			writer = found
		}
	}
	return writer, certain
}

// Behind returns the method that a call of an interface method runs, if the method is
// in another package of the module. It returns nil for other calls.
//
// It finds the method only if the package converts exactly one type to the interface,
// or declares that exactly one type implements it. It ignores tests.
func (r *Result) Behind(call *ssa.CallCommon) *types.Func {
	if !call.IsInvoke() || len(r.SSA()) == 0 {
		return nil
	}
	iface, ok := call.Value.Type().Underlying().(*types.Interface)
	if !ok || !r.program.inModule(call.Method.Pkg()) {
		return nil
	}
	var only *types.Func
	for _, t := range slices.Concat(r.program.converted(), r.program.asserted()) {
		if !types.Implements(t, iface) {
			continue
		}
		object, _, _ := types.LookupFieldOrMethod(t, false, r.program.pass.Pkg, call.Method.Name())
		method, ok := object.(*types.Func)
		if !ok || only != nil && only != method {
			return nil
		}
		only = method
	}
	if only == nil || only.Pkg() == r.program.pass.Pkg || !r.program.inModule(only.Pkg()) {
		return nil
	}
	return only
}

// inModule reports whether a package belongs to the checked module.
func (p *program) inModule(pkg *types.Package) bool {
	return pkg == p.pass.Pkg || sameModule(p.pass, pkg)
}

// asserted returns the types that the package declares to implement an interface, as in
// var _ Interface = (*Type)(nil). It ignores tests.
func (p *program) asserted() []types.Type {
	p.assertions.Do(func() {
		for _, f := range p.pass.Files {
			if strings.HasSuffix(p.pass.Fset.File(f.FileStart).Name(), "_test.go") {
				continue
			}
			for _, decl := range f.Decls {
				d, ok := decl.(*ast.GenDecl)
				if !ok || d.Tok != token.VAR {
					continue
				}
				for _, spec := range d.Specs {
					v := spec.(*ast.ValueSpec)
					if len(v.Names) != 1 || v.Names[0].Name != "_" || v.Type == nil || len(v.Values) != 1 {
						continue
					}
					if t := p.pass.TypesInfo.TypeOf(v.Values[0]); t != nil && namedType(t) != nil {
						p.assertedTypes = append(p.assertedTypes, t)
					}
				}
			}
		}
	})
	return p.assertedTypes
}

// converted returns the types with methods that the package converts to interfaces. It
// ignores tests.
func (p *program) converted() []types.Type {
	p.conversions.Do(func() {
		seen := map[types.Type]bool{}
		for _, fn := range p.all {
			if fn.Pos().IsValid() && strings.HasSuffix(p.pass.Fset.File(fn.Pos()).Name(), "_test.go") {
				continue
			}
			for _, b := range fn.Blocks {
				for _, i := range b.Instrs {
					made, ok := i.(*ssa.MakeInterface)
					if !ok || seen[made.X.Type()] {
						continue
					}
					seen[made.X.Type()] = true
					if n := namedType(made.X.Type()); n != nil && n.TypeParams().Len() == 0 && !showsNoMethod(made) {
						p.convertedTypes = append(p.convertedTypes, made.X.Type())
					}
				}
			}
		}
	})
	return p.convertedTypes
}

// showsNoMethod reports whether a value is converted to error, or to an interface
// without methods, as for fmt.Printf. Such frequent conversions do not show which
// methods run.
func showsNoMethod(made *ssa.MakeInterface) bool {
	i, ok := made.Type().Underlying().(*types.Interface)
	return ok && (i.NumMethods() == 0 || types.Identical(made.Type(), types.Universe.Lookup("error").Type()))
}

// makesWriter reports whether a function of another module returns a value with a method
// that writes.
func (p *program) makesWriter(fn *types.Func) bool {
	if fn == nil || fn.Pkg() == nil || fn.Pkg() == p.pass.Pkg || !p.isHelper(fn.Pkg()) || fn.Signature().Results().Len() == 0 {
		return false
	}
	n := namedType(fn.Signature().Results().At(0).Type())
	if n == nil || n.Obj().Pkg() != fn.Pkg() {
		return false
	}
	for m := range n.Methods() {
		if p.writerOf(m) != nil {
			return true
		}
	}
	return false
}
