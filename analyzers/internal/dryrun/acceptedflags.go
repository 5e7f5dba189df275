package dryrun

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// acceptedFlag is a flag for a dry run that the program accepts. The variable v
// represents the flag. It exists even if the program never stores or reads the value of
// the flag.
type acceptedFlag struct {
	flag string
	pos  token.Pos
	v    *types.Var
	from *starts
}

// acceptedFlags returns the flags for a dry run that commands of the package accept. It
// returns none if code that runs before every command checks the dry run, because that
// code may choose another client or refuse the dry run.
func (s *state) acceptedFlags() []*acceptedFlag {
	if s.acceptedKnown {
		return s.acceptedList
	}
	s.acceptedKnown = true
	var list []*acceptedFlag
	for _, fn := range s.funcs {
		if s.inTest(fn) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if o := s.flagAddedBy(instr); o != nil {
					list = append(list, o)
				}
				if call, ok := instr.(*ssa.Call); ok && isOnInitialize(call.Common()) {
					for _, hook := range elements(call.Call.Args[0]) {
						if f := s.declared(hook); f != nil {
							s.hooks = append(s.hooks, f)
						}
					}
				}
			}
		}
	}
	list = append(list, s.kongFlags()...)
	if len(list) == 0 || slices.ContainsFunc(s.hooks, func(hook *ssa.Function) bool { return s.mayCheck(hook, map[*ssa.Function]bool{}) }) {
		return nil
	}
	for _, o := range list {
		o.v = types.NewVar(o.pos, s.pass.Pkg, o.flag, types.Typ[types.Bool])
		s.startsOfVar[o.v] = o.from
	}
	s.acceptedList = list
	return list
}

// flagAddedBy returns the flag for a dry run that an instruction adds to commands, or
// nil.
func (s *state) flagAddedBy(instr ssa.Instruction) *acceptedFlag {
	var o *acceptedFlag
	switch instr := instr.(type) {
	case *ssa.Call:
		if instr.Call.IsInvoke() || s.bindsOtherName(instr) {
			return nil
		}
		if name, set := s.addsFlag(instr); name != "" {
			o = &acceptedFlag{flag: name, pos: instr.Pos(), from: s.setStarts(set, 0)}
		} else if name := globalFlag(instr.Common()); name != "" && slices.ContainsFunc(s.funcs, s.callsChecker) {
			o = &acceptedFlag{flag: name, pos: instr.Pos(), from: &starts{all: true}}
		} else if name := s.loadsDryRun(calleeObject(instr.Common())); name != "" && slices.ContainsFunc(s.funcs, s.callsChecker) {
			o = &acceptedFlag{flag: name, pos: instr.Pos(), from: &starts{all: true}}
		} else if _, f := s.loads(instr); f != nil {
			o = &acceptedFlag{flag: s.forgotten[f], pos: instr.Pos(), from: s.startsOfSetter(instr)}
		} else if name := s.unreadSetting(instr); name != "" {
			o = &acceptedFlag{flag: name, pos: instr.Pos(), from: &starts{all: true}}
		} else if name := s.unreadFlag(instr); name != "" {
			o = &acceptedFlag{flag: name, pos: instr.Pos(), from: &starts{all: true}}
		} else if name, pkg := calleeName(instr.Common()); name == "AddDryRunFlag" && unvendored(pkg) == "k8s.io/kubectl/pkg/cmd/util" && len(instr.Call.Args) == 1 {
			o = &acceptedFlag{flag: "dry-run", pos: instr.Pos(), from: s.commandStarts(instr.Call.Args[0], false)}
		}
	case *ssa.Store:
		o = s.flagInStruct(instr)
	}
	if o == nil || o.from == nil {
		return nil
	}
	return o
}

// bindsOtherName reports whether a call that adds a flag binds it to a variable or a field of
// another package whose name does not say dry run. The packages that read it are not known.
func (s *state) bindsOtherName(call *ssa.Call) bool {
	return slices.ContainsFunc(call.Call.Args, func(a ssa.Value) bool {
		var v *types.Var
		switch a := a.(type) {
		case *ssa.Global:
			v, _ = a.Object().(*types.Var)
		case *ssa.FieldAddr:
			v = fieldOf(a.X.Type(), a.Field)
		}
		return v != nil && v.Pkg() != s.pass.Pkg && s.vars.isLocal(v.Pkg()) && v.Exported() && !containsDryRun(v.Name()) && isBool(v.Type())
	})
}

// globalFlag returns the name of the flag for a dry run that a call of the package flag or
// pflag adds. Other packages may read its variable.
func globalFlag(common *ssa.CallCommon) string {
	name, pkg := calleeName(common)
	if pkg = unvendored(pkg); name != "BoolVar" || common.Signature().Recv() != nil || pkg != "flag" && pkg != "github.com/spf13/pflag" {
		return ""
	}
	if flag, ok := stringOf(common.Args[1]); ok {
		if ok, negative := dryRunName(flag); ok && !negative {
			return flag
		}
	}
	return ""
}

// acceptedFlags adds the flags for a dry run that the program accepts when it starts in
// fn. It adds none if fn, or code that fn calls, may read a dry run in a way that is
// not analyzed.
func (c *collector) acceptedFlags(fn *ssa.Function) {
	switch {
	case len(c.got) > 0 || c.s.passesFlags(fn):
		return
	case c.s.roots[fn]:
		if c.s.checks(fn) {
			return
		}
	case !c.s.programStart(fn):
		return
	}
	for _, o := range c.s.acceptedFlags() {
		if !o.from.include(fn) {
			continue
		}
		if src := c.add(Global, Bool, o.v, nil); src != nil {
			src.Flag, src.FlagPos, src.unnamed = o.flag, o.pos, true
		}
	}
}

// isHook reports whether a field of a command holds a function that runs before
// commands.
func isHook(addr *ssa.FieldAddr) bool {
	v := fieldOf(addr.X.Type(), addr.Field)
	if v == nil || v.Pkg() == nil {
		return false
	}
	switch path := unvendored(v.Pkg().Path()); {
	case path == "github.com/spf13/cobra":
		return strings.Contains(v.Name(), "PreRun")
	case strings.HasPrefix(path, urfave):
		return v.Name() == "Before"
	}
	return false
}

// urfave is the beginning of the import paths of a library for commands, in all its
// versions. Its flags and commands are fields of structs.
const urfave = "github.com/urfave/cli"

// flagInStruct returns the flag for a dry run in a list of flags that code stores in an
// application or a command; nil if there is none.
func (s *state) flagInStruct(store *ssa.Store) *acceptedFlag {
	addr, ok := store.Addr.(*ssa.FieldAddr)
	if !ok || !isUrfave(addr, "Flags") {
		return nil
	}
	for _, flag := range elements(store.Val) {
		if name, pos := flagIn(flag); name != "" {
			from := &starts{at: map[*ssa.Function]bool{}}
			s.addActions(addr.X, from, 0)
			if len(from.at) == 0 {
				return nil
			}
			return &acceptedFlag{flag: name, pos: pos, from: from}
		}
	}
	return nil
}

func isUrfave(addr *ssa.FieldAddr, names ...string) bool {
	v := fieldOf(addr.X.Type(), addr.Field)
	return v != nil && v.Pkg() != nil && strings.HasPrefix(unvendored(v.Pkg().Path()), urfave) && slices.Contains(names, v.Name())
}

// flagIn returns the name and the position of the flag for a dry run that a struct
// literal declares. name is "" for other values.
func flagIn(v ssa.Value) (name string, pos token.Pos) {
	if made, ok := v.(*ssa.MakeInterface); ok {
		v = made.X
	}
	if load, ok := v.(*ssa.UnOp); ok {
		v = load.X
	}
	a, ok := v.(*ssa.Alloc)
	if !ok {
		return "", token.NoPos
	}
	for _, r := range *a.Referrers() {
		addr, ok := r.(*ssa.FieldAddr)
		if !ok || !isUrfave(addr, "Name") {
			continue
		}
		for _, use := range *addr.Referrers() {
			if store, ok := use.(*ssa.Store); ok {
				name, _ = stringOf(store.Val)
			}
		}
	}
	if ok, negative := dryRunName(name); !ok || negative {
		return "", token.NoPos
	}
	return name, a.Pos()
}

// addActions adds to from the functions that an application or a command runs, and
// those of its subcommands.
func (s *state) addActions(owner ssa.Value, from *starts, depth int) {
	if depth > maxOrigin {
		return
	}
	for root := range s.roots {
		if slices.Contains(s.runsOf[root], owner) {
			from.at[root] = true
		}
	}
	if owner.Referrers() == nil {
		return
	}
	for _, r := range *owner.Referrers() {
		addr, ok := r.(*ssa.FieldAddr)
		if !ok || !isUrfave(addr, "Commands", "Subcommands") {
			continue
		}
		for _, use := range *addr.Referrers() {
			store, ok := use.(*ssa.Store)
			if !ok {
				continue
			}
			for _, v := range elements(store.Val) {
				for _, command := range s.structs(v, 0) {
					s.addActions(command, from, depth+1)
				}
			}
		}
	}
}

// structs returns the struct literals that a value can be, or to which it can point.
func (s *state) structs(v ssa.Value, depth int) []ssa.Value {
	if depth > maxOrigin {
		return nil
	}
	var from []ssa.Value
	switch v := v.(type) {
	case *ssa.Alloc:
		if _, pointer := v.Type().(*types.Pointer).Elem().Underlying().(*types.Pointer); !pointer {
			return []ssa.Value{v}
		}
		from = s.storedAt(v)
	case *ssa.UnOp:
		if a, ok := v.X.(*ssa.Alloc); ok {
			return s.structs(a, depth+1)
		}
		from = s.storedAt(v.X)
	case *ssa.Phi:
		from = v.Edges
	case *ssa.Call:
		from = s.resultsOf(v)
	}
	var got []ssa.Value
	for _, w := range from {
		got = append(got, s.structs(w, depth+1)...)
	}
	return got
}

// isOnInitialize reports whether a call registers functions that run before every command.
func isOnInitialize(common *ssa.CallCommon) bool {
	name, pkg := calleeName(common)
	return name == "OnInitialize" && unvendored(pkg) == "github.com/spf13/cobra"
}

// passesFlags reports whether fn, or a function literal in it, passes a command or a
// flag set to another package of the module. That package may read the flag for a dry
// run. Functions that add the flag do not count.
func (s *state) passesFlags(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			obj := calleeObject(call.Common())
			if obj == nil || obj.Pkg() == s.pass.Pkg || !s.vars.isLocal(obj.Pkg()) || s.pass.ImportObjectFact(obj.Origin(), &flagAdder{}) {
				continue
			}
			if slices.ContainsFunc(call.Common().Args, func(a ssa.Value) bool { return canReadFlags(a.Type()) }) {
				return true
			}
		}
	}
	return slices.ContainsFunc(fn.AnonFuncs, s.passesFlags)
}

func canReadFlags(t types.Type) bool {
	n := namedOf(t)
	if n == nil || n.Obj().Pkg() == nil {
		return false
	}
	return isCobra(n) || isFlagSet(t) || n.Obj().Name() == "Context" && strings.HasPrefix(unvendored(n.Obj().Pkg().Path()), urfave)
}
