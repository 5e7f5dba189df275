package dryrun

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// commands holds the cobra commands of a package. The ssa.Alloc that creates a command
// identifies it.
type commands struct {
	runs     map[*ssa.Alloc][]*ssa.Function
	children map[*ssa.Alloc][]*ssa.Alloc
	// foreign holds the calls of other packages that create commands below one command.
	foreign   map[*ssa.Alloc][]*ssa.Call
	hasParent map[*ssa.Alloc]bool
	executed  map[*ssa.Alloc]bool
}

func isCobra(n *types.Named) bool {
	return n.Obj().Name() == "Command" && n.Obj().Pkg() != nil && unvendored(n.Obj().Pkg().Path()) == "github.com/spf13/cobra"
}

// commandTree finds the commands and caches them.
func (s *state) commandTree() *commands {
	if s.cobra != nil {
		return s.cobra
	}
	t := &commands{
		runs: map[*ssa.Alloc][]*ssa.Function{}, children: map[*ssa.Alloc][]*ssa.Alloc{},
		foreign: map[*ssa.Alloc][]*ssa.Call{}, hasParent: map[*ssa.Alloc]bool{}, executed: map[*ssa.Alloc]bool{},
	}
	s.cobra = t
	for _, fn := range s.funcs {
		for _, of := range s.runsOf[fn] {
			for _, c := range s.commandsOf(of, 0) {
				t.runs[c] = append(t.runs[c], fn)
			}
		}
		if s.inTest(fn) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if call, ok := instr.(ssa.CallInstruction); ok {
					s.adopt(t, call.Common())
				}
			}
		}
	}
	return t
}

// adopt records the effect of a call on the commands: which command gets which
// subcommand, and which command the program executes.
func (s *state) adopt(t *commands, common *ssa.CallCommon) {
	obj := calleeObject(common)
	if obj == nil || obj.Signature().Recv() == nil || len(common.Args) == 0 {
		return
	}
	if n := namedOf(obj.Signature().Recv().Type()); n == nil || !isCobra(n) {
		return
	}
	switch obj.Name() {
	case "Execute", "ExecuteC", "ExecuteContext", "ExecuteContextC":
		for _, c := range s.commandsOf(common.Args[0], 0) {
			t.executed[c] = true
		}
	case "AddCommand":
		parents := s.commandsOf(common.Args[0], 0)
		for _, v := range elements(common.Args[len(common.Args)-1]) {
			if call, ok := v.(*ssa.Call); ok && calleeObject(call.Common()) != nil && s.body(call.Common()) == nil {
				for _, p := range parents {
					t.foreign[p] = append(t.foreign[p], call)
				}
			}
			for _, child := range s.commandsOf(v, 0) {
				t.hasParent[child] = true
				for _, p := range parents {
					t.children[p] = append(t.children[p], child)
				}
			}
		}
	}
}

// elements returns the elements of a slice that lists them, such as the arguments of a
// variadic call.
func elements(v ssa.Value) []ssa.Value {
	slice, ok := v.(*ssa.Slice)
	if !ok {
		return nil
	}
	var got []ssa.Value
	for _, r := range *slice.X.Referrers() {
		at, ok := r.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, use := range *at.Referrers() {
			if st, ok := use.(*ssa.Store); ok && st.Addr == at {
				got = append(got, st.Val)
			}
		}
	}
	return got
}

// commandsOf returns the commands that may be the value v.
func (s *state) commandsOf(v ssa.Value, depth int) []*ssa.Alloc {
	if depth > 6 {
		return nil
	}
	var got []*ssa.Alloc
	more := func(vs ...ssa.Value) {
		for _, w := range vs {
			got = append(got, s.commandsOf(w, depth+1)...)
		}
	}
	switch v := v.(type) {
	case *ssa.Alloc:
		if n, ok := types.Unalias(v.Type().(*types.Pointer).Elem()).(*types.Named); ok && isCobra(n) {
			return []*ssa.Alloc{v}
		}
	case *ssa.UnOp:
		more(s.storedAt(v.X)...)
	case *ssa.Phi:
		more(v.Edges...)
	case *ssa.Parameter:
		more(s.argumentsFor(v)...)
	case *ssa.Call:
		more(s.resultsOf(v)...)
	}
	return got
}

// commandsOfBody returns the commands that a function returns.
func (s *state) commandsOfBody(fn *ssa.Function) []*ssa.Alloc {
	var got []*ssa.Alloc
	for _, v := range returned(fn) {
		got = append(got, s.commandsOf(v, 0)...)
	}
	return got
}

// returned returns the values that a function can return as its first result.
func returned(fn *ssa.Function) []ssa.Value {
	var got []ssa.Value
	for _, b := range fn.Blocks {
		if len(b.Instrs) == 0 {
			continue
		}
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && len(ret.Results) > 0 {
			got = append(got, ret.Results[0])
		}
	}
	return got
}

// resultsOf returns the values that a call of a function of the package can return as its
// first result. If the function returns a parameter, resultsOf returns the argument.
func (s *state) resultsOf(call *ssa.Call) []ssa.Value {
	body := s.body(call.Common())
	if body == nil {
		return nil
	}
	got := returned(body)
	for i, v := range got {
		p, ok := v.(*ssa.Parameter)
		if n := slices.Index(body.Params, p); ok && n >= 0 && n < len(call.Call.Args) {
			got[i] = call.Call.Args[n]
		}
	}
	return got
}

// storedAt returns the values that the package stores in a variable or a field.
func (s *state) storedAt(addr ssa.Value) []ssa.Value {
	var got []ssa.Value
	for _, st := range s.storesAt(addr) {
		got = append(got, st.Val)
	}
	return got
}

// storesAt returns the instructions of the package that store a value in a variable or
// a field.
func (s *state) storesAt(addr ssa.Value) []*ssa.Store {
	var got []*ssa.Store
	from := func(a ssa.Value) {
		for _, r := range *a.Referrers() {
			if st, ok := r.(*ssa.Store); ok && st.Addr == a {
				got = append(got, st)
			}
		}
	}
	switch addr := addr.(type) {
	case *ssa.Alloc:
		from(addr)
	case *ssa.FreeVar:
		if a := s.captured(addr); a != nil {
			from(a)
			for _, fv := range s.captures[a] {
				from(fv)
			}
		}
	case *ssa.Global:
		return s.globalStores[addr]
	case *ssa.FieldAddr:
		return s.stores[fieldOf(addr.X.Type(), addr.Field)]
	}
	return got
}

// commandStarts returns the functions that run with the flags of a command. It includes
// the functions of subcommands if the flags are persistent. It returns nil if the
// package does not show the command.
func (s *state) commandStarts(of ssa.Value, persistent bool) *starts {
	t := s.commandTree()
	got := &starts{at: map[*ssa.Function]bool{}}
	seen := map[*ssa.Alloc]bool{}
	var visit func(c *ssa.Alloc)
	visit = func(c *ssa.Alloc) {
		if seen[c] {
			return
		}
		seen[c] = true
		for _, fn := range t.runs[c] {
			got.at[fn] = true
		}
		if persistent {
			for _, child := range t.children[c] {
				visit(child)
			}
		}
	}
	for _, c := range s.commandsOf(of, 0) {
		if persistent && t.isRoot(c) {
			return &starts{all: true}
		}
		if t.executed[c] && len(t.children[c]) == 0 {
			return &starts{all: true} // the only command
		}
		visit(c)
	}
	if len(got.at) == 0 {
		return nil
	}
	return got
}

// isRoot reports whether a command is the root command of the program.
func (t *commands) isRoot(c *ssa.Alloc) bool {
	if t.executed[c] {
		return true
	}
	if t.hasParent[c] || len(t.children[c]) == 0 && len(t.foreign[c]) == 0 {
		return false
	}
	for other, children := range t.children {
		if other != c && !t.hasParent[other] && len(children) > 0 {
			return false
		}
	}
	return true
}
