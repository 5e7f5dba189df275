package dryrun

import (
	"go/constant"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// starts holds the functions in which the program, or one of its commands, starts with
// a dry run in one variable or field. For example, the flag of one command is not set
// when another command starts.
type starts struct {
	// all is true for flags of the whole program.
	all bool
	at  map[*ssa.Function]bool
}

// include reports whether the dry run can be set when fn starts. It returns true if the
// starts are not known.
func (s *starts) include(fn *ssa.Function) bool { return s == nil || s.all || s.at[fn] }

// everywhere reports whether the dry run can be set however the program starts. It
// returns false if the starts are not known.
func (s *starts) everywhere() bool { return s != nil && s.all }

// isStart reports whether fn is itself known as a start. An example is main, if it
// parses a flag set.
func (s *starts) isStart(fn *ssa.Function) bool { return s != nil && s.at[fn] }

func (s *starts) add(more *starts) {
	s.all = s.all || more.all
	for fn := range more.at {
		s.at[fn] = true
	}
}

// startsOf returns the starts that may set a variable or a field; nil if they are not
// known.
func (s *state) startsOf(obj types.Object) *starts {
	v, ok := obj.(*types.Var)
	if !ok {
		return nil
	}
	if got, ok := s.startsOfVar[v]; ok {
		return got
	}
	s.startsOfVar[v] = nil
	got := &starts{at: map[*ssa.Function]bool{}}
	unknown := false
	for _, set := range s.setters[v] {
		if s.inTest(set.Parent()) {
			continue
		}
		more := s.startsOfSetter(set)
		if more == nil {
			unknown = true
			continue
		}
		got.add(more)
	}
	// If the dry run can be set in the whole program, unknown assignments do not matter.
	if !got.all && (unknown || len(got.at) == 0) {
		return nil
	}
	s.startsOfVar[v] = got
	return got
}

// startsOfSetter returns the starts that run an instruction which sets a variable: an
// assignment, or a call that binds a flag to the variable.
func (s *state) startsOfSetter(set ssa.Instruction) *starts {
	if call, ok := set.(ssa.CallInstruction); ok && bindsFlag(call.Common()) {
		return s.flagStarts(call.Common(), 0)
	}
	fn := set.Parent()
	got := &starts{at: map[*ssa.Function]bool{}}
	for root := range s.roots {
		if s.leadsTo(root, fn, map[*ssa.Function]bool{}) {
			got.at[root] = true
		}
	}
	for _, first := range s.funcs {
		if (s.programStart(first) || runsBeforeMain(first)) && s.leadsTo(first, fn, map[*ssa.Function]bool{}) {
			got.all = true
		}
	}
	if !got.all && len(got.at) == 0 {
		return nil
	}
	return got
}

// programStart reports whether fn is the program's main function.
func (s *state) programStart(fn *ssa.Function) bool {
	return fn.Parent() == nil && fn.Signature.Recv() == nil && fn.Name() == "main" && s.pass.Pkg.Name() == "main"
}

// runsBeforeMain reports whether fn runs before main, and so before any flag is parsed:
// it is an init function, or sets the initial values of variables.
func runsBeforeMain(fn *ssa.Function) bool {
	return fn.Parent() == nil && fn.Signature.Recv() == nil && (fn.Name() == "init" || strings.HasPrefix(fn.Name(), "init#"))
}

// noteSetter records an instruction that may set a variable or a field to a nonzero
// value.
func (s *state) noteSetter(instr ssa.Instruction) {
	switch instr := instr.(type) {
	case *ssa.Store:
		if c, ok := instr.Val.(*ssa.Const); ok && (c.Value == nil || c.Value.Kind() == constant.Bool && !constant.BoolVal(c.Value)) {
			return
		}
		set := ssa.Instruction(instr)
		if call, ok := instr.Val.(*ssa.Call); ok && bindsFlag(call.Common()) {
			set = call // x := flag.Bool("dry-run", …)
		}
		s.noteSet(instr.Addr, set)
	case ssa.CallInstruction:
		if name, _ := calleeName(instr.Common()); name == "Load" {
			return // of sync/atomic
		}
		for _, a := range instr.Common().Args {
			s.noteSet(a, instr)
		}
	}
}

// noteSet records that an instruction sets the variable or field at an address.
func (s *state) noteSet(addr ssa.Value, set ssa.Instruction) {
	var v *types.Var
	switch addr := addr.(type) {
	case *ssa.FieldAddr:
		v = fieldOf(addr.X.Type(), addr.Field)
		if name := fieldPathOf(addr.X); name != "" && v != nil && s.vars.describe(v).bound {
			s.fieldPaths[v] = name
		}
	case *ssa.Global:
		v, _ = addr.Object().(*types.Var)
	case *ssa.Alloc:
		v, _ = s.localAt(addr).(*types.Var)
	case *ssa.FreeVar:
		if a := s.captured(addr); a != nil {
			v, _ = s.localAt(a).(*types.Var)
		}
	}
	if v != nil && s.vars.describe(v).ok {
		s.setters[v] = append(s.setters[v], set)
	}
}

// fieldPathOf returns the text before the name of a field of a package variable, such
// as "options."; "" for other fields.
func fieldPathOf(addr ssa.Value) string {
	switch addr := addr.(type) {
	case *ssa.Global:
		return addr.Name() + "."
	case *ssa.UnOp:
		if g, ok := addr.X.(*ssa.Global); ok {
			return g.Name() + "." // a pointer
		}
	case *ssa.FieldAddr:
		f := fieldOf(addr.X.Type(), addr.Field)
		before := fieldPathOf(addr.X)
		if f == nil || before == "" || f.Embedded() {
			return before
		}
		return before + f.Name() + "."
	}
	return ""
}

// flagStarts returns the starts in which the flag that a call declares is parsed.
func (s *state) flagStarts(common *ssa.CallCommon, depth int) *starts {
	name, pkg := calleeName(common)
	if common.IsInvoke() {
		return nil
	}
	if common.Signature().Recv() == nil {
		switch unvendored(pkg) {
		case "flag", "github.com/spf13/pflag", "gopkg.in/alecthomas/kingpin.v2", "github.com/alecthomas/kingpin/v2":
			return &starts{all: name != ""}
		}
	}
	for _, a := range common.Args {
		if got := s.setStarts(a, depth); got != nil {
			return got
		}
	}
	return nil
}

// setStarts returns the starts in which a flag set, or the flags of a command, are
// parsed.
func (s *state) setStarts(set ssa.Value, depth int) *starts {
	if depth > maxOrigin {
		return nil
	}
	switch n := namedOf(set.Type()); {
	case n == nil || n.Obj().Pkg() == nil:
		return nil
	case isCobra(n):
		return s.commandStarts(set, false)
	case n.Obj().Name() == "Application":
		return &starts{all: true} // of kingpin
	case n.Obj().Name() != "FlagSet" && n.Obj().Name() != "FlagClause":
		return nil
	}
	switch set := set.(type) {
	case *ssa.Call:
		common := set.Common()
		name, _ := calleeName(common)
		switch {
		case name == "NewFlagSet":
			if parsed(set) && s.onlyFlagSet(set) {
				return &starts{all: true}
			}
			if parsed(set) {
				return &starts{at: map[*ssa.Function]bool{set.Parent(): true}}
			}
			return nil
		case common.IsInvoke() || common.Signature().Recv() == nil || len(common.Args) == 0:
			return s.flagStarts(common, depth+1)
		}
		if n := namedOf(common.Args[0].Type()); n != nil && isCobra(n) {
			return s.commandStarts(common.Args[0], name == "PersistentFlags")
		}
		return s.flagStarts(common, depth+1)
	case *ssa.UnOp:
		if g, ok := set.X.(*ssa.Global); ok && g.Name() == "CommandLine" {
			return &starts{all: true}
		}
	case *ssa.Parameter:
		return s.argumentStarts(set, depth)
	}
	return nil
}

// onlyFlagSet reports whether main creates a flag set, and no other code of the package
// creates one. The flags then belong to the whole program.
func (s *state) onlyFlagSet(set *ssa.Call) bool {
	return s.programStart(set.Parent()) && !s.anyInstr(func(instr ssa.Instruction) bool {
		call, ok := instr.(*ssa.Call)
		return ok && call != set && calleeNameOnly(call.Common()) == "NewFlagSet"
	})
}

// argumentStarts returns the starts of the flag sets that callers pass for a parameter.
func (s *state) argumentStarts(p *ssa.Parameter, depth int) *starts {
	got := &starts{at: map[*ssa.Function]bool{}}
	for _, arg := range s.argumentsFor(p) {
		more := s.setStarts(arg, depth+1)
		if more == nil {
			return nil
		}
		got.add(more)
	}
	if !got.all && len(got.at) == 0 {
		return nil
	}
	return got
}

// argumentsFor returns the arguments that the package passes for a parameter. It
// ignores tests.
func (s *state) argumentsFor(p *ssa.Parameter) []ssa.Value {
	var got []ssa.Value
	for _, at := range s.sites[p.Parent()] {
		if at.call == nil || at.call.Common().IsInvoke() || s.inTest(at.caller) {
			continue
		}
		args := at.call.Common().Args
		for i, q := range p.Parent().Params {
			if q == p && i < len(args) {
				got = append(got, args[i])
			}
		}
	}
	return got
}

// parsed reports whether the function that creates a flag set also parses it.
func parsed(set *ssa.Call) bool {
	for _, r := range *set.Referrers() {
		call, ok := r.(ssa.CallInstruction)
		if !ok || call.Common().IsInvoke() {
			continue
		}
		if name, _ := calleeName(call.Common()); name == "Parse" || name == "ParseAll" {
			return true
		}
	}
	return false
}

// reachableFrom returns the functions that the starts of a variable call, directly or
// indirectly.
func (s *state) reachableFrom(v *types.Var) map[*ssa.Function]bool {
	if got, ok := s.reachable[v]; ok {
		return got
	}
	got := map[*ssa.Function]bool{}
	var visit func(fn *ssa.Function)
	visit = func(fn *ssa.Function) {
		if got[fn] {
			return
		}
		got[fn] = true
		for _, c := range s.callees[fn] {
			visit(c.fn)
		}
	}
	if from := s.startsOf(v); from != nil {
		for fn := range from.at {
			visit(fn)
		}
	}
	s.reachable[v] = got
	return got
}
