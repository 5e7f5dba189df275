package dryrun

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// ignoringCommand is the fact about a function that creates a cobra command. The
// command, or one of its subcommands, writes and never checks the dry run. Text
// describes the write.
type ignoringCommand struct{ Text string }

// AFact marks ignoringCommand as a fact.
func (*ignoringCommand) AFact() {}

// String returns the text of the fact in tests.
func (c *ignoringCommand) String() string { return "careless: " + c.Text }

// ignoresStruct is the fact about a function that gets a struct with a field for a dry
// run and never checks the field.
type ignoresStruct struct{}

// AFact marks ignoresStruct as a fact.
func (*ignoresStruct) AFact() {}

// String returns the text of the fact in tests.
func (*ignoresStruct) String() string { return "blind" }

// flagAdder is the fact about a function that adds a flag for a dry run to a flag set,
// which the function gets as an argument.
type flagAdder struct {
	Flag string
	// Param is the number of the parameter that is the flag set. The first is 0. The
	// receiver does not count.
	Param int
}

// AFact marks flagAdder as a fact.
func (*flagAdder) AFact() {}

// String returns the text of the fact in tests.
func (d *flagAdder) String() string { return "declares --" + d.Flag }

// IgnoringCommand is a command that writes even in a dry run. It inherits the flag for
// a dry run from the root command of the program.
type IgnoringCommand struct {
	// Pos is the position of the call that creates the command. Maker is the called
	// function.
	Pos   token.Pos
	Maker *types.Func
	// Flag is the name of the flag. FlagPos is the position where the first command adds
	// it.
	Flag    string
	FlagPos token.Pos
	// Text says what the command does, such as "deletes a Pod".
	Text string
}

// IgnoringCommands returns the commands of other packages of the module that ignore the
// program's flag for a dry run.
func (r *Result) IgnoringCommands() []*IgnoringCommand {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state.ignoringCommands()
}

// exportFlagAdders exports facts about functions that add a flag for a dry run to a
// flag set of their caller.
func (b *binder) exportFlagAdders() {
	for _, file := range b.pass.Files {
		for _, decl := range file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Body == nil || !fn.Name.IsExported() {
				continue
			}
			obj, ok := b.pass.TypesInfo.Defs[fn.Name].(*types.Func)
			if !ok {
				continue
			}
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
				if !ok {
					return true
				}
				set := b.object(sel.X)
				if i := paramIndex(obj.Signature(), set); i >= 0 && isFlagSet(set.Type()) {
					if name, _, ok := b.flagOf(call); ok {
						b.pass.ExportObjectFact(obj, &flagAdder{Flag: name, Param: i})
					}
				}
				return true
			})
		}
	}
}

func paramIndex(sig *types.Signature, v types.Object) int {
	i := 0
	for p := range sig.Params().Variables() {
		if v != nil && p == v {
			return i
		}
		i++
	}
	return -1
}

func isFlagSet(t types.Type) bool {
	n := namedOf(t)
	return n != nil && n.Obj().Name() == "FlagSet" && n.Obj().Pkg() != nil && unvendored(n.Obj().Pkg().Path()) == "github.com/spf13/pflag"
}

// exportIgnoring exports the facts ignoresStruct and ignoringCommand.
func (s *state) exportIgnoring() {
	for _, fn := range s.funcs {
		obj, ok := fn.Object().(*types.Func)
		if !ok || fn.Parent() != nil || obj.Pkg() != s.pass.Pkg || !obj.Exported() || s.inTest(fn) {
			continue
		}
		if s.ignoresStruct(fn) {
			s.pass.ExportObjectFact(obj, &ignoresStruct{})
		}
		if results := obj.Signature().Results(); results.Len() == 0 || namedOf(results.At(0).Type()) == nil || !isCobra(namedOf(results.At(0).Type())) {
			continue
		}
		if text := s.ignoringWrite(fn); text != "" {
			s.pass.ExportObjectFact(obj, &ignoringCommand{Text: text})
		}
	}
}

// ignoresStruct reports whether fn gets a struct with a field for a dry run and never
// checks the field.
func (s *state) ignoresStruct(fn *ssa.Function) bool {
	return slices.ContainsFunc(fn.Params, func(p *ssa.Parameter) bool { return s.vars.fieldOf(p.Type()) != nil }) && !s.mayCheck(fn, map[*ssa.Function]bool{})
}

// exportsStructParam reports whether an exported function of the package has a
// parameter whose type is a struct with a field for a dry run.
func (s *state) exportsStructParam() bool {
	scope := s.pass.Pkg.Scope()
	return slices.ContainsFunc(scope.Names(), func(name string) bool {
		fn, ok := scope.Lookup(name).(*types.Func)
		if !ok || !fn.Exported() {
			return false
		}
		for p := range fn.Signature().Params().Variables() {
			if s.vars.fieldOf(p.Type()) != nil {
				return true
			}
		}
		return false
	})
}

// mayCheck reports whether a function may check the dry run: itself, in a function that
// it calls, or in a function of another package that gets the dry run.
func (s *state) mayCheck(fn *ssa.Function, seen map[*ssa.Function]bool) bool {
	if seen[fn] {
		return false
	}
	seen[fn] = true
	if s.code.Mentions(fn.Object()) || s.checksDirectly(fn) || s.callsChecker(fn) {
		return true
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok || !s.takesDryRunType(call.Common()) || s.body(call.Common()) != nil {
				continue
			}
			if obj := calleeObject(call.Common()); obj == nil || !s.pass.ImportObjectFact(obj.Origin(), &ignoresStruct{}) {
				return true
			}
		}
	}
	for _, c := range s.callees[fn] {
		if s.mayCheck(c.fn, seen) {
			return true
		}
	}
	return slices.ContainsFunc(fn.AnonFuncs, func(literal *ssa.Function) bool { return s.mayCheck(literal, seen) })
}

// ignoringWrite describes a write that ignores the dry run. The write is in the command
// that maker creates, or in a subcommand. ignoringWrite returns "" if there is no such
// write.
func (s *state) ignoringWrite(maker *ssa.Function) string {
	t := s.commandTree()
	for _, c := range s.commandsOfBody(maker) {
		if text := s.ignoringWriteBelow(t, c, map[*ssa.Alloc]bool{}); text != "" {
			return text
		}
	}
	return ""
}

func (s *state) ignoringWriteBelow(t *commands, c *ssa.Alloc, seen map[*ssa.Alloc]bool) string {
	if seen[c] {
		return ""
	}
	seen[c] = true
	for _, run := range t.runs[c] {
		if s.mayCheck(run, map[*ssa.Function]bool{}) {
			continue
		}
		if writes := s.writes(run, Client); len(writes) > 0 {
			return writes[0].Text
		}
	}
	for _, call := range t.foreign[c] {
		var fact ignoringCommand
		if s.pass.ImportObjectFact(calleeObject(call.Common()).Origin(), &fact) {
			return fact.Text
		}
	}
	for _, child := range t.children[c] {
		if text := s.ignoringWriteBelow(t, child, seen); text != "" {
			return text
		}
	}
	return ""
}

// ignoringCommands returns the commands of other packages that the package adds and
// that ignore the dry run. It returns none unless the package adds a persistent flag
// for a dry run to the root command. It skips functions that check the dry run, because
// they may not add the commands in a dry run.
func (s *state) ignoringCommands() []*IgnoringCommand {
	if s.analyzed == nil {
		return nil
	}
	flag, at := s.persistentFlag()
	if flag == "" {
		return nil
	}
	var got []*IgnoringCommand
	for _, fn := range s.funcs {
		if s.inTest(fn) || s.checksDirectly(fn) && !s.declaresFlag(fn) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				call, ok := instr.(ssa.CallInstruction)
				if !ok {
					continue
				}
				obj := calleeObject(call.Common())
				var fact ignoringCommand
				if obj != nil && obj.Pkg() != s.pass.Pkg && s.pass.ImportObjectFact(obj.Origin(), &fact) {
					got = append(got, &IgnoringCommand{Pos: call.Pos(), Maker: obj, Flag: flag, FlagPos: at, Text: fact.Text})
				}
			}
		}
	}
	slices.SortFunc(got, func(a, b *IgnoringCommand) int { return int(a.Pos) - int(b.Pos) })
	return got
}

// declaresFlag reports whether a function declares a flag for a dry run. checksDirectly
// is true for such a function, because it contains the flag's name, but the function
// need not check the flag.
func (s *state) declaresFlag(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(*ssa.Call); ok && bindsFlag(call.Common()) {
				return true
			}
		}
	}
	return false
}

// persistentFlag returns the persistent flag for a dry run that the package adds to the
// root command; "" if there is none. at is the position of the call that adds the flag.
func (s *state) persistentFlag() (flag string, at token.Pos) {
	for _, fn := range s.funcs {
		if s.inTest(fn) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				call, ok := instr.(*ssa.Call)
				if !ok || call.Call.IsInvoke() {
					continue
				}
				if name, set := s.addsFlag(call); name != "" && s.isPersistentOfRoot(set, 0) {
					return name, call.Pos()
				}
			}
		}
	}
	return "", token.NoPos
}

// addsFlag returns the name of the flag for a dry run that a call adds, and the flag
// set to which the call adds it. name is "" for other calls.
func (s *state) addsFlag(call *ssa.Call) (name string, set ssa.Value) {
	obj := calleeObject(call.Common())
	if obj == nil {
		return "", nil
	}
	args := call.Call.Args
	var fact flagAdder
	if obj.Pkg() != s.pass.Pkg && s.pass.ImportObjectFact(obj.Origin(), &fact) {
		i := fact.Param
		if obj.Signature().Recv() != nil {
			i++
		}
		if i < len(args) {
			return fact.Flag, args[i]
		}
		return "", nil
	}
	if len(args) == 0 || !isFlagSet(args[0].Type()) {
		return "", nil
	}
	for _, a := range args[1:] {
		if name, ok := stringOf(a); ok {
			if ok, negative := dryRunName(name); ok && !negative {
				return name, args[0]
			}
		}
	}
	return "", nil
}

// isPersistentOfRoot reports whether a flag set holds the persistent flags of the root
// command.
func (s *state) isPersistentOfRoot(set ssa.Value, depth int) bool {
	if depth > maxOrigin {
		return false
	}
	switch set := set.(type) {
	case *ssa.Call:
		if name, _ := calleeName(set.Common()); name != "PersistentFlags" || len(set.Call.Args) == 0 {
			return false
		}
		return slices.ContainsFunc(s.commandsOf(set.Call.Args[0], 0), s.commandTree().isRoot)
	case *ssa.Parameter:
		return slices.ContainsFunc(s.argumentsFor(set), func(v ssa.Value) bool { return s.isPersistentOfRoot(v, depth+1) })
	}
	return false
}
