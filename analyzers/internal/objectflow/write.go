package objectflow

import (
	"go/token"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"golang.org/x/tools/go/ssa"
)

// Applied returns the value with the object that a call applies: the object, or its JSON.
// It returns nil if the call is no apply, or if the value is not known. It is not known,
// for example, for the object argument of a subresource, or if other code creates the
// patch.
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
	// The value is not known for REST requests, whose body another call sets. It is not known
	// for a project's wrapper either, because the wrapper may remove fields from the object.
	return nil
}

// Object returns the argument with the object of a call, in SSA form. It is nil if there is
// no such argument.
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

// patched returns the body of controller-runtime's Patch: the object with client.Apply, the
// data of a RawPatch, and nil for other patches.
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

// Writes returns the writes of the package that return an object, in the form of reads.
// Typed and dynamic clients return the object as a result. Clients of controller-runtime
// write it into their argument.
func (r *Result) Writes() []Read {
	var all []Read
	for _, c := range r.calls.Calls {
		if w, ok := Answered(c); ok {
			all = append(all, w)
		}
	}
	return all
}

// Answered returns the object that a write returns. ok is false if the write returns no
// object.
func Answered(c *apicall.Call) (w Read, ok bool) {
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
