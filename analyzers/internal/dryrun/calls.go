package dryrun

import (
	"go/constant"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// predicate is the fact about a function such as isDryRun(), which reports the dry run
// without an argument that holds it. Value is the function's result during a dry run.
type predicate struct{ Value bool }

// AFact marks predicate as a fact.
func (*predicate) AFact() {}

// String returns the text of the fact in tests.
func (p *predicate) String() string {
	if p.Value {
		return "tells of dry run"
	}
	return "tells of no dry run"
}

// call returns what is known of result number idx of a call. The result has type t.
func (f *flow) call(c *ssa.Call, idx int, t types.Type) value {
	common := c.Common()
	args := make([]value, len(common.Args))
	depends := false
	for i, a := range common.Args {
		args[i] = f.value(a)
		if args[i].kind == undefined {
			return value{}
		}
		depends = depends || args[i].depends()
	}
	if b, ok := common.Value.(*ssa.Builtin); ok {
		if b.Name() == "len" && len(args) == 1 {
			switch args[0].kind {
			case list, text:
				return value{kind: constKind, c: constant.MakeInt64(1), dependent: true}
			case null:
				return value{kind: constKind, c: constant.MakeInt64(0), dependent: args[0].dependent}
			}
		}
		if depends {
			return mixedValue
		}
		return otherValue
	}
	if obj := calleeObject(common); obj != nil && f.st.code.UnseenDryRun(obj) {
		return mixedValue // the function does not compile, and may return something else in a dry run
	}
	if types.Identical(t, types.Universe.Lookup("error").Type()) {
		return otherValue
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && isStrategy(n) {
		return dryRunValue(t, f.mode, false)
	}
	shape := shapeOf(t)
	if shape == 0 {
		// If the called function returns nil in a dry run, code that first
		// checks the result for nil is skipped in a dry run.
		// A function can also return a constant, such as a mode of the program.
		_, basic := t.Underlying().(*types.Basic)
		if callee := f.st.body(common); callee != nil && f.depth < maxDepth && (basic || nillable(t)) {
			if got := f.st.result(callee, idx, f.mode, args, f.depth+1); got.kind == null || got.kind == constKind {
				return got
			}
		}
		return otherValue
	}
	name, pkg := calleeName(common)
	for _, a := range common.Args {
		if key, ok := stringOf(a); ok && pkg != "fmt" && pkg != "errors" {
			if ok, negative := dryRunName(key); ok {
				return flagValue(common, t, f.mode, negative)
			}
		}
	}
	if got, ok := libraryResult(name, pkg, args, t, f.mode); ok {
		return got
	}
	callee := f.st.body(common)
	var got value
	if callee != nil && f.depth < maxDepth {
		got = f.st.result(callee, idx, f.mode, args, f.depth+1)
		if got.kind == constKind || got.kind == mixed || got.kind == text || got.kind == list || got.kind == ref {
			return got
		}
	}
	if got, ok := f.strategyMethod(common, name, shape); ok {
		return got
	}
	if ok, negative := predicateName(name); ok && shape == Bool && f.onlyQueries(common, args) {
		return dryRunValue(t, f.mode, negative)
	}
	if obj := calleeObject(common); obj != nil && obj.Pkg() != f.st.pass.Pkg {
		var fact predicate
		if f.st.pass.ImportObjectFact(obj.Origin(), &fact) {
			return boolean(fact.Value == (f.mode != off), true)
		}
	}
	switch {
	case depends:
		return mixedValue
	case callee == nil && shape == Bool && f.st.takesDryRunType(common):
		// The called code is not known and gets the whole configuration.
		return mixedValue
	}
	return otherValue
}

// flagValue returns the result of a call that names a flag for a dry run, such as
// GetBool("dry-run"). A call that declares the flag, such as flag.Bool, returns a
// pointer that is never nil.
func flagValue(common *ssa.CallCommon, t types.Type, m Mode, negative bool) value {
	p, pointer := types.Unalias(t).(*types.Pointer)
	if !pointer || !bindsFlag(common) {
		return dryRunValue(t, m, negative)
	}
	inner := dryRunValue(p.Elem(), m, negative)
	return value{kind: ref, dependent: true, target: &inner}
}

// strategyMethod returns the result of a method such as ServerDryRun, which a strategy
// of another package declares. It returns false for other calls.
func (f *flow) strategyMethod(common *ssa.CallCommon, name string, shape Shape) (value, bool) {
	if shape != Bool || common.IsInvoke() || common.Signature().Recv() == nil || len(common.Args) != 1 {
		return value{}, false
	}
	n := namedOf(common.Args[0].Type())
	if n == nil || !isStrategy(n) {
		return value{}, false
	}
	name = strings.ToLower(name)
	client, server := strings.Contains(name, "client"), strings.Contains(name, "server")
	if !client && !server || strings.HasPrefix(name, "not") {
		return value{}, false
	}
	return boolean(client && f.mode == Client || server && f.mode == Server, true), true
}

// onlyQueries reports whether a call of a function with a name such as isDryRun only
// reports the dry run. It returns false for a function with several arguments that do
// not depend on the dry run, because such a function may do something else in a dry
// run.
func (f *flow) onlyQueries(common *ssa.CallCommon, args []value) bool {
	n := len(args)
	if !common.IsInvoke() && common.Signature().Recv() != nil {
		n--
	}
	if n <= 1 {
		return true
	}
	for _, a := range args {
		if a.depends() {
			return true
		}
	}
	return false
}

// libraryResult returns the result of a library function that converts or checks its
// argument, such as strconv.ParseBool. It returns false for other functions.
func libraryResult(name, pkg string, args []value, t types.Type, m Mode) (value, bool) {
	if len(args) == 0 {
		return value{}, false
	}
	switch name {
	case "ParseBool":
		if pkg == "strconv" && args[0].kind == text {
			return boolean(m != off, true), true
		}
	case "ToLower", "ToUpper", "TrimSpace":
		if pkg == "strings" && (args[0].kind == text || args[0].kind == constKind && args[0].dependent) {
			return args[0], true
		}
	case "EqualFold":
		if pkg == "strings" && len(args) == 2 && (args[0].kind == text || args[1].kind == text) {
			return value{}, false
		}
	case "Deref", "BoolDeref", "DerefOrDefault", "ToBool", "BoolValue", "FromPtr", "FromPtrOr", "BoolPtrDerefOr", "StringDeref":
		if args[0].kind == ref {
			return *args[0].target, true
		}
	case "To", "Bool", "BoolPtr", "Ptr", "ToPtr", "String":
		if _, pointer := types.Unalias(t).(*types.Pointer); pointer && args[0].dependent {
			inner := args[0]
			return value{kind: ref, dependent: true, target: &inner}, true
		}
	case "Contains", "ContainsString", "Has":
		if args[0].kind == list {
			return boolean(m != off, true), true
		}
	case "Load": // of sync/atomic
		if pkg == "sync/atomic" && args[0].kind == ref {
			if truth, ok := args[0].target.truth(); ok {
				return boolean(truth, true), true
			}
			return boolean(m != off, true), true
		}
	}
	return value{}, false
}

// result returns what is known of result number idx of a function of the package,
// called in mode m with these arguments.
func (s *state) result(fn *ssa.Function, idx int, m Mode, args []value, depth int) value {
	key := resultKey{fn, idx, m, argsKey(args)}
	if got, ok := s.results[key]; ok {
		return got // otherValue while fn is evaluated, so for a recursive call
	}
	s.results[key] = otherValue
	f := &flow{st: s, fn: fn, mode: m, args: args, depth: depth}
	f.run()
	var got value
	for _, b := range fn.Blocks {
		if !f.blocks[b.Index] || len(b.Instrs) == 0 {
			continue
		}
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && idx < len(ret.Results) {
			got = join(got, f.value(ret.Results[idx]))
		}
	}
	if got.kind != constKind && len(f.unclear) > 0 {
		got = mixedValue
	}
	if got.kind == undefined {
		got = otherValue
	}
	s.results[key] = got
	return got
}

type resultKey struct {
	fn   *ssa.Function
	idx  int
	mode Mode
	args string
}

// argsKey returns a text that identifies what is known of arguments.
func argsKey(args []value) string {
	var b strings.Builder
	for _, a := range args {
		b.WriteByte(byte('0' + a.kind))
		if a.dependent {
			b.WriteByte('!')
		}
		if a.c != nil {
			b.WriteString(a.c.ExactString())
		}
		if a.target != nil && a.target.c != nil {
			b.WriteString(a.target.c.ExactString())
		}
		b.WriteByte(',')
	}
	return b.String()
}

// body returns the function of this package that a call runs. It returns nil if the
// function is not known, or is in another package.
func (s *state) body(common *ssa.CallCommon) *ssa.Function {
	fn := common.StaticCallee()
	if fn == nil {
		return nil
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if !s.analyzed[fn] {
		return nil
	}
	return fn
}

// takesDryRunType reports whether a call of a function of the module has an argument
// whose type can hold a dry run.
func (s *state) takesDryRunType(common *ssa.CallCommon) bool {
	obj := calleeObject(common)
	if obj == nil || !s.vars.isLocal(obj.Pkg()) {
		return false
	}
	for _, a := range common.Args {
		if s.vars.fieldOf(a.Type()) != nil {
			return true
		}
	}
	return common.IsInvoke() && s.vars.fieldOf(common.Value.Type()) != nil
}

func calleeObject(common *ssa.CallCommon) *types.Func {
	if common.IsInvoke() {
		return common.Method
	}
	if fn := common.StaticCallee(); fn != nil {
		obj, _ := fn.Object().(*types.Func)
		return obj
	}
	return nil
}

func calleeName(common *ssa.CallCommon) (name, pkg string) {
	if obj := calleeObject(common); obj != nil {
		if obj.Pkg() != nil {
			pkg = obj.Pkg().Path()
		}
		return obj.Name(), pkg
	}
	return "", ""
}

// stringOf returns the string of a constant argument. The constant may be converted to
// an interface.
func stringOf(v ssa.Value) (string, bool) {
	if mi, ok := v.(*ssa.MakeInterface); ok {
		v = mi.X
	}
	if c, ok := v.(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.String {
		return constant.StringVal(c.Value), true
	}
	return "", false
}
