package apicall

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// effectKind says how a call changes the content of a location.
type effectKind uint8

const (
	noEffect   effectKind = iota
	someEffect            // settingAfterCall computes the change
	anyEffect
)

// effect returns how a call changes the content of a location. The call may have a
// pointer to the location.
func (f *flow) effect(i ssa.CallInstruction, l location) effectKind {
	common := i.Common()
	if target, _, _, ok := applying(common); ok && l.within(target) {
		return someEffect
	}
	if f.stateful(i, l) {
		return someEffect
	}
	if !createdHere(l) {
		return noEffect
	}
	argument := -1
	for n, arg := range common.Args {
		if l.within(arg) && isReference(arg) {
			argument = n
			break
		}
	}
	fn := common.StaticCallee()
	if argument < 0 {
		if keptElsewhere(l, i) && !f.program.onlyReadsOptions(common, fn) {
			return anyEffect
		}
		return noEffect
	}
	if f.program.onlyReadsOptions(common, fn) {
		return noEffect
	}
	if fn == nil || common.IsInvoke() || !f.program.owns(fn) {
		own := fn != nil && origin(fn).Pkg == f.program.pkg
		if f.kind == agentKind && !own && isNamed(common.Args[argument].Type(), restPath, "Config") {
			return noEffect // libraries only read configurations
		}
		if f.leavesUnchanged(fn, common.Args[argument]) {
			return noEffect
		}
		return anyEffect
	}
	if argument >= len(fn.Params) {
		return anyEffect
	}
	return f.program.effectOnParam(origin(fn), argument, pathFromArgument(common.Args[argument], l), 0)
}

// leavesUnchanged guesses from the name of fn whether fn leaves the setting in v
// unchanged. fn and the type of v must be of one repository. For example, a method
// without "dryrun" in its name does not change the dry run, and SetX may change the
// client.
func (f *flow) leavesUnchanged(fn *ssa.Function, v ssa.Value) bool {
	n := namedType(v.Type())
	if n == nil || n.Obj().Pkg() == nil || fn == nil || !f.program.isHelper(n.Obj().Pkg()) {
		return false
	}
	object, _ := origin(fn).Object().(*types.Func)
	if object == nil || repository(ImportPath(object.Pkg())) != repository(ImportPath(n.Obj().Pkg())) {
		return false
	}
	if f.kind == dryRunKind {
		return !strings.Contains(strings.ToLower(object.Name()), "dryrun")
	}
	for _, word := range []string{"Set", "With", "Add", "Use", "Init", "Complete"} {
		if strings.HasPrefix(object.Name(), word) {
			return false
		}
	}
	return true
}

// createdHere reports whether the current function created the value that contains a
// location. Calls may change the fields of such a value. They are assumed not to change
// a value to which a parameter or the receiver points.
func createdHere(l location) bool {
	switch root := l.root.(type) {
	case *ssa.Call, *ssa.Extract, *ssa.Phi:
		return true
	case *ssa.Alloc:
		if len(l.path) == 0 || l.path[0] != deref {
			return true
		}
		for _, r := range *root.Referrers() {
			if s, ok := r.(*ssa.Store); ok && s.Addr == root {
				if _, isParam := s.Val.(*ssa.Parameter); !isParam {
					return true
				}
			}
		}
	}
	return false
}

// keptElsewhere reports whether the address of options may be stored in another
// structure before an instruction. If so, other code can change the options.
func keptElsewhere(l location, i ssa.Instruction) bool {
	variable, ok := l.root.(*ssa.Alloc)
	if !ok || !IsOptions(variable.Type()) {
		return false
	}
	for _, r := range *variable.Referrers() {
		s, ok := r.(*ssa.Store)
		if !ok || s.Val != variable || !follows(i, s) {
			continue
		}
		switch addr := s.Addr.(type) {
		case *ssa.Global:
			return true
		case *ssa.FieldAddr:
			if !IsOptions(addr.X.Type()) {
				return true
			}
		}
	}
	return false
}

// isReference reports whether a value is a pointer or an interface. Code that has the
// value can change its target.
func isReference(v ssa.Value) bool {
	switch v.Type().Underlying().(type) {
	case *types.Pointer, *types.Interface:
		return true
	}
	return false
}

// pathFromArgument returns the path from the value of an argument to a location. It
// returns nil if the argument points only to a part of the location.
func pathFromArgument(arg ssa.Value, l location) []step {
	n := len(locate(arg).path)
	if n > len(l.path) {
		return nil
	}
	return l.path[n:]
}

// onlyReadsOptions reports whether a function does not change its options, because it
// is a write, or prints or encodes them.
func (p *program) onlyReadsOptions(common *ssa.CallCommon, fn *ssa.Function) bool {
	var method *types.Func
	if common.IsInvoke() {
		method = common.Method
	} else if fn != nil {
		method, _ = origin(fn).Object().(*types.Func)
	}
	if method == nil {
		return false
	}
	if p.shapes.of(method) != nil {
		return true
	}
	switch path := ImportPath(method.Pkg()); path {
	case "fmt", "encoding/json", "sigs.k8s.io/yaml", "log", "k8s.io/klog/v2":
		for _, reading := range []string{"Unmarshal", "Decode", "scan", "Scan"} {
			if strings.Contains(method.Name(), reading) {
				return false
			}
		}
		return true
	case clientPath, metaPath:
		return strings.HasPrefix(method.Name(), "As") || strings.HasPrefix(method.Name(), "ApplyTo") || strings.HasPrefix(method.Name(), "DeepCopy") || strings.HasPrefix(method.Name(), "Get")
	case restPath:
		return true
	case resourcePath:
		// A method of a Helper changes only the setting in its name.
		recv := method.Type().(*types.Signature).Recv()
		return recv != nil && isNamed(recv.Type(), resourcePath, "Helper")
	}
	return false
}

// owns reports whether a function is declared in the package and has a body.
func (p *program) owns(fn *ssa.Function) bool {
	fn = origin(fn)
	return fn.Pkg == p.pkg && len(fn.Blocks) > 0
}

// effectOnParam returns how a function of the package changes the target of a
// parameter, at a path. A nil path means any part of the target.
func (p *program) effectOnParam(fn *ssa.Function, param int, path []step, depth int) effectKind {
	if depth > 2 || param >= len(fn.Params) {
		return anyEffect
	}
	l := location{root: fn.Params[param], path: path}
	effect := noEffect
	for _, r := range *l.root.Referrers() {
		// The parameter is stored elsewhere. Changes through that copy are not followed.
		if s, ok := r.(*ssa.Store); ok && s.Val == l.root {
			return anyEffect
		}
		if _, ok := r.(*ssa.MakeClosure); ok {
			return anyEffect
		}
	}
	for _, b := range fn.Blocks {
		for _, i := range b.Instrs {
			switch i := i.(type) {
			case *ssa.Store:
				if l.within(i.Addr) {
					effect = someEffect
				}
			case ssa.CallInstruction:
				common := i.Common()
				if target, _, _, ok := applying(common); ok && l.within(target) {
					effect = someEffect
					continue
				}
				for n, arg := range common.Args {
					if !l.within(arg) || !isReference(arg) {
						continue
					}
					callee := common.StaticCallee()
					if p.onlyReadsOptions(common, callee) {
						continue
					}
					if callee == nil || !p.owns(callee) || p.effectOnParam(origin(callee), n, pathFromArgument(arg, l), depth+1) != noEffect {
						return anyEffect
					}
				}
			}
		}
	}
	return effect
}

// applying recognizes the methods of controller-runtime that change options through a
// pointer: option.ApplyToUpdate(target) and target.ApplyOptions(list).
func applying(common *ssa.CallCommon) (target, option ssa.Value, list, ok bool) {
	var name string
	args := common.Args
	if common.IsInvoke() {
		name = common.Method.Name()
		args = append([]ssa.Value{common.Value}, args...)
	} else if fn := common.StaticCallee(); fn != nil && fn.Signature.Recv() != nil {
		name = fn.Name()
	}
	if len(args) != 2 {
		return nil, nil, false, false
	}
	kindName, isApply := strings.CutPrefix(name, "ApplyTo")
	if _, isKind := optionKinds[kindName]; isApply && isKind {
		o, isOption := optionOf(args[1].Type())
		return args[1], args[0], false, isOption && o.vocabulary == runtimeOptions && o.pointer
	}
	if name == "ApplyOptions" {
		o, isOption := optionOf(args[0].Type())
		return args[0], args[1], true, isOption && o.vocabulary == runtimeOptions && o.pointer
	}
	return nil, nil, false, false
}

// settingAfterCall returns the setting in a location after a call that changes the
// location.
func (f *flow) settingAfterCall(d definition, fr *frame) outcome {
	before := f.join(d.before, fr)
	call := d.at.(ssa.CallInstruction)
	common := call.Common()
	if target, option, list, ok := applying(common); ok && d.location.within(target) {
		if !f.isFollowedField(target, d.location) {
			return before
		}
		if list {
			return f.options(option, before, d.at, fr)
		}
		return f.option(option, before, d.at, fr)
	}
	if f.stateful(call, d.location) {
		return f.settingAfterStateful(call, before, fr)
	}
	fn := common.StaticCallee()
	if fn == nil || tooDeep(fr) {
		return unknown
	}
	fn = origin(fn)
	for n, arg := range common.Args {
		if !d.location.within(arg) || !isReference(arg) {
			continue
		}
		inside := &frame{fn: fn, call: call, up: fr, depth: depthOf(fr) + 1}
		out := none
		for _, ret := range returnsOf(fn) {
			for _, def := range f.definitions(location{fn.Params[n], pathFromArgument(arg, d.location)}, ret) {
				if def.origin == entered {
					out = join(out, before)
				} else {
					out = join(out, f.definition(def, inside))
				}
			}
		}
		return out
	}
	return unknown
}

// isFollowedField reports whether a location is the field of the followed setting, in
// the options to which target points.
func (f *flow) isFollowedField(target ssa.Value, l location) bool {
	rest := pathFromArgument(target, l)
	t := target.Type()
	for n, s := range rest {
		if s == deref {
			return false
		}
		v := fieldOf(t, int(s))
		if v == nil {
			return false
		}
		if n == len(rest)-1 {
			return v.Name() == string(f.kind)
		}
		t = v.Type()
	}
	return false
}
