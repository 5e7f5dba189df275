package dryrun

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// reconcileWrites is the fact about a method Reconcile that writes more than statuses,
// even in a dry run. A status only reports the method's work.
type reconcileWrites struct{ Text string }

// AFact marks reconcileWrites as a fact.
func (*reconcileWrites) AFact() {}

// String returns the text of the fact in tests.
func (c *reconcileWrites) String() string { return "reconciles: " + c.Text }

// exportReconcileWrites exports the fact reconcileWrites about a method Reconcile.
func (s *state) exportReconcileWrites(obj *types.Func, writes []*Write) {
	if obj.Name() != "Reconcile" || obj.Signature().Recv() == nil {
		return
	}
	for _, w := range writes {
		if w.Call != nil && w.Call.Subresource != "status" || w.Call == nil && !strings.Contains(w.Text, "the status of") {
			s.pass.ExportObjectFact(obj, &reconcileWrites{w.Text})
			return
		}
	}
}

// UnconfiguredReconciler is a reconciler to which a program passes no dry run, although
// the program passes the dry run to a reconciler of another type.
type UnconfiguredReconciler struct {
	// Pos is the position of the code that creates the reconciler. Name is the name of
	// its type.
	Pos  token.Pos
	Name string
	// Other is the type of the reconciler that gets the dry run, and Field is its
	// field. At is the position where the program sets the field.
	Other, Field string
	At           token.Pos
	// Text says what the reconciler does, such as "deletes a Pod".
	Text string
	// LeftOut is true if the reconciler has a field for the dry run and respects it, so the
	// program has forgotten to set it.
	LeftOut bool
}

// UnconfiguredReconcilers returns the reconcilers that get no dry run, although the
// function that creates them passes the dry run to another reconciler. The author may
// have meant the dry run only for that other reconciler.
func (r *Result) UnconfiguredReconcilers() []*UnconfiguredReconciler {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.state.names.source {
		r.state.need() // the program itself may write nothing
	}
	return r.state.unconfiguredReconcilers()
}

func (s *state) unconfiguredReconcilers() []*UnconfiguredReconciler {
	if s.analyzed == nil || !s.hasSources {
		return nil
	}
	var got []*UnconfiguredReconciler
	for _, fn := range s.funcs {
		if s.inTest(fn) {
			continue
		}
		var other *ssa.Store
		var without []*ssa.Alloc
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				switch instr := instr.(type) {
				case *ssa.Store:
					if other == nil && s.setsDryRun(instr) {
						other = instr
					}
				case *ssa.Alloc:
					if n := namedOf(instr.Type()); n != nil && reconcileMethod(n) != nil && s.vars.isLocal(n.Obj().Pkg()) && (s.vars.fieldOf(n) == nil || s.lacksDryRun(instr, n)) {
						without = append(without, instr)
					}
				}
			}
		}
		if other == nil {
			continue
		}
		addr := other.Addr.(*ssa.FieldAddr)
		for _, a := range without {
			n := namedOf(a.Type())
			text, ok := s.reconcileText(n)
			if !a.Pos().IsValid() || !ok || s.reach(a, Client) != Reached {
				continue
			}
			got = append(got, &UnconfiguredReconciler{
				Pos: a.Pos(), Name: n.Obj().Name(), Other: namedOf(addr.X.Type()).Obj().Name(),
				Field: fieldOf(addr.X.Type(), addr.Field).Name(), At: other.Pos(), Text: text, LeftOut: s.vars.fieldOf(n) != nil,
			})
		}
	}
	slices.SortFunc(got, func(a, b *UnconfiguredReconciler) int { return int(a.Pos) - int(b.Pos) })
	return got
}

// lacksDryRun reports whether a reconciler has a field for the dry run of its own, and the
// function that creates the reconciler sets other fields, but not this one.
func (s *state) lacksDryRun(a *ssa.Alloc, n *types.Named) bool {
	f := s.receiverField(reconcileMethod(n).Signature())
	set := false
	for _, r := range *a.Referrers() {
		switch r := r.(type) {
		case *ssa.FieldAddr:
			if set = true; fieldOf(r.X.Type(), r.Field) == f {
				return false
			}
		case *ssa.Store:
			return false // a copy
		}
	}
	return f != nil && set
}

// reconcileText says what the method Reconcile of a type does, unless its receiver asks for
// a dry run. ok is false if no write is known.
func (s *state) reconcileText(n *types.Named) (text string, ok bool) {
	method := reconcileMethod(n)
	if s.vars.fieldOf(n) == nil {
		var fact reconcileWrites
		ok = s.pass.ImportObjectFact(method, &fact)
		return fact.Text, ok
	}
	if body := s.byObject[method]; body != nil {
		text = s.writePreventedBy(body, -1, 0)
		return text, text != ""
	}
	var fact respectsParam
	ok = s.pass.ImportObjectFact(method, &fact) && fact.Param == -1
	return fact.Text, ok
}

// setsDryRun reports whether a store sets a field of a reconciler to the dry run of the
// program, in a struct literal or a new variable.
func (s *state) setsDryRun(store *ssa.Store) bool {
	addr, ok := store.Addr.(*ssa.FieldAddr)
	if !ok {
		return false
	}
	if _, made := addr.X.(*ssa.Alloc); !made {
		return false
	}
	if !isProgramWide(store.Val) {
		return false
	}
	n, field := namedOf(addr.X.Type()), fieldOf(addr.X.Type(), addr.Field)
	if n == nil || field == nil || reconcileMethod(n) == nil && !isRunnable(n) {
		return false
	}
	named, negative := dryRunName(field.Name())
	return named && !negative && shapeOf(field.Type()) == Bool
}

// isProgramWide guesses whether a value is the dry run of the whole program: its name
// is only "dry run", and it is not in a struct inside another struct.
func isProgramWide(v ssa.Value) bool {
	is := func(name string) bool { return squeeze(name) == "dryrun" }
	switch v := v.(type) {
	case *ssa.Parameter:
		return is(v.Name())
	case *ssa.Call:
		return slices.ContainsFunc(v.Call.Args, func(a ssa.Value) bool {
			text, ok := stringOf(a)
			return ok && is(text)
		})
	case *ssa.UnOp:
		switch x := v.X.(type) {
		case *ssa.UnOp, *ssa.Call: // flag.Bool and similar functions return a pointer
			return isProgramWide(x)
		case *ssa.Global:
			return is(x.Name())
		case *ssa.Alloc:
			return is(x.Comment)
		case *ssa.FreeVar:
			return is(x.Name())
		case *ssa.FieldAddr:
			_, part := x.X.(*ssa.FieldAddr)
			return !part && is(fieldOf(x.X.Type(), x.Field).Name())
		}
	}
	return false
}

// reconcileMethod returns the method Reconcile of a type, which controller-runtime calls for
// each object. It returns nil if the type has none.
func reconcileMethod(n *types.Named) *types.Func {
	obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(n), true, n.Obj().Pkg(), "Reconcile")
	fn, ok := obj.(*types.Func)
	if !ok || fn.Signature().Params().Len() != 2 || fn.Signature().Results().Len() != 2 {
		return nil
	}
	return fn.Origin()
}

// isRunnable reports whether a type has the method Start with which a manager runs it.
func isRunnable(n *types.Named) bool {
	obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(n), true, n.Obj().Pkg(), "Start")
	fn, ok := obj.(*types.Func)
	return ok && fn.Signature().Params().Len() == 1 && fn.Signature().Results().Len() == 1
}
