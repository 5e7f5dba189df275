package objectflow

import (
	"go/token"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"golang.org/x/tools/go/ssa"
)

// Applied returns the object that a call applies, or the object's JSON. It returns nil
// if the call does not apply, or if the value is not known. Examples of unknown values
// are the object argument of a subresource, and a patch that other code creates.
func Applied(c *apicall.Call) ssa.Value {
	if c.Verb != apicall.VerbApply || c.Instr == nil || c.Fake {
		return nil
	}
	switch c.Family {
	case apicall.Typed, apicall.Dynamic, apicall.Metadata, apicall.Helper:
		return Object(c)
	case apicall.Runtime, apicall.RuntimeSubresource:
		if c.Method == nil {
			return nil
		}
		if c.Method.Name() == "Apply" {
			return Object(c)
		}
		return patched(c)
	}
	// The value is not known for REST requests, because another call sets the body. It is not
	// known for a project's wrapper, because the wrapper may remove fields from the object.
	return nil
}

// Object returns the value of a call's argument with the object, or nil if there is no
// such argument.
func Object(c *apicall.Call) ssa.Value {
	if c.Object == nil || c.Expr == nil {
		return nil
	}
	for i, arg := range c.Expr.Args {
		if arg == c.Object && i < len(c.Args) {
			return c.Args[i]
		}
	}
	return nil
}

// patched returns the body of controller-runtime's Patch: the object if the patch is
// client.Apply, or the data of a RawPatch. It returns nil for other patches.
func patched(c *apicall.Call) ssa.Value {
	for _, arg := range c.Args {
		switch v := arg.(type) {
		case *ssa.UnOp:
			if g, ok := v.X.(*ssa.Global); ok && v.Op == token.MUL && g.Name() == "Apply" &&
				g.Pkg != nil && apicall.ImportPath(g.Pkg.Pkg) == clientPath {
				return Object(c)
			}
		case *ssa.Call:
			if fn := Callee(v); fn != nil && fn.Name() == "RawPatch" && apicall.ImportPath(fn.Pkg()) == clientPath && len(v.Call.Args) == 2 {
				return v.Call.Args[1]
			}
		}
	}
	return nil
}

// Reads returns the reads of the package, in the order of the functions.
func (r *Result) Reads() []Read {
	var all []Read
	for _, fn := range r.functions() {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if call, ok := instr.(ssa.CallInstruction); ok {
					if read, ok := ReadOf(call); ok && (read.Into != nil || call.Value() != nil) {
						all = append(all, read)
					}
				}
			}
		}
	}
	return all
}

// Writes returns the writes of the package that return an object. Each write has the
// form of a Read: a typed or dynamic client returns the object as a result, and a
// client of controller-runtime stores it in its argument.
func (r *Result) Writes() []Read {
	var all []Read
	for _, c := range r.calls.Calls {
		if w, ok := Response(c); ok {
			all = append(all, w)
		}
	}
	return all
}

// Response returns the object that a write returns, in the form of a Read. ok is false
// if the write returns no object.
func Response(c *apicall.Call) (w Read, ok bool) {
	if c.Instr == nil || c.Fake {
		return Read{}, false
	}
	switch c.Verb {
	case apicall.VerbCreate, apicall.VerbUpdate, apicall.VerbPatch, apicall.VerbApply,
		apicall.VerbCreateOrUpdate, apicall.VerbCreateOrPatch:
	default:
		return Read{}, false
	}
	switch c.Family {
	case apicall.Typed, apicall.Dynamic, apicall.Helper:
		results := c.Instr.Common().Signature().Results()
		if c.Instr.Value() == nil || results.Len() != 2 || !IsObject(results.At(0).Type()) {
			return Read{}, false
		}
		return Read{Call: c.Instr}, true
	case apicall.Runtime, apicall.RuntimeSubresource, apicall.CreateOr:
		object := Object(c)
		return Read{Call: c.Instr, Into: object}, object != nil
	}
	return Read{}, false
}
