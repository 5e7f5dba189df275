package storagedryrun

import (
	"go/token"
	"go/types"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/sideeffect"
	"golang.org/x/tools/go/ssa"
)

// classify returns the effect of a call that changes the data of a backend. The called
// function is a method of a value that the storage holds, and its name says that it changes
// data. Package sideeffect knows other effects.
func (m *method) classify(i ssa.CallInstruction) (sideeffect.Effect, bool) {
	common := i.Common()
	callee := common.Method
	if fn := common.StaticCallee(); fn != nil {
		callee, _ = fn.Object().(*types.Func)
	}
	if callee == nil || callee.Signature().Recv() == nil {
		return sideeffect.Effect{}, false
	}
	if sideeffect.Callee(i, i.Parent()) != nil || !m.changes(common, callee) {
		return sideeffect.Effect{}, false
	}
	return sideeffect.Effect{Pos: i.Pos(), End: i.Pos(), Text: "calls " + receiver(common, callee) + "." + callee.Name()}, true
}

// changes reports whether a method changes the stored data of a backend. Its
// name begins with a verb of m.family, it returns an error, and its receiver
// belongs to the storage. In addition, it takes a context, which shows that it
// may call another process, or its name begins with one of plainVerbs.
func (m *method) changes(common *ssa.CallCommon, callee *types.Func) bool {
	verb, rest := sideeffect.FirstWord(callee.Name())
	if !m.family[verb] || verb == "Create" && sideeffect.Virtual(rest) && !registers(callee, rest) || !fails(callee) {
		return false
	}
	recv := common.Value
	if !common.IsInvoke() {
		if len(common.Args) == 0 {
			return false
		}
		recv = common.Args[0]
	}
	if !ofStorage(recv, 0) || isMemory(recv.Type(), callee) {
		return false
	}
	params := callee.Signature().Params()
	if params.Len() > 0 && isNamed(params.At(0).Type(), "context", "Context") {
		return true
	}
	// Without a context, the verb must be plain. Methods such as SetX or AddX may change
	// only memory.
	return params.Len() > 0 && plainVerbs[m.fn.Object().Name()][verb]
}

// registers reports whether a method such as CreateClient stores a record of an OAuth
// client. The record is an argument, and the method returns only an error, not a client to
// use.
func registers(callee *types.Func, noun string) bool {
	sig := callee.Signature()
	return strings.HasSuffix(noun, "Client") && sig.Params().Len() > 0 && sig.Results().Len() == 1
}

// plainVerbs has the verbs, by method of the storage, that identify a change without a
// context.
var plainVerbs = map[string]map[string]bool{
	"Create":           words("Create", "Insert", "Save", "Put", "Upsert", "Persist"),
	"Update":           words("Update", "Replace", "Save", "Put", "Upsert", "Persist"),
	"Delete":           words("Delete", "Remove", "Destroy", "Purge", "Drop"),
	"DeleteCollection": words("Delete", "Remove", "Destroy", "Purge", "Drop"),
}

// fails reports whether a function's last result is an error.
func fails(fn *types.Func) bool {
	res := fn.Signature().Results()
	return res.Len() > 0 && isNamed(res.At(res.Len()-1).Type(), "", "error")
}

// ofStorage reports whether a value is, or comes from, a field of the receiver
// or a global variable. It returns false for values that the method creates for
// the request. depth is the number of steps so far.
func ofStorage(v ssa.Value, depth int) bool {
	if depth > 8 {
		return false
	}
	switch v := v.(type) {
	case *ssa.UnOp:
		if v.Op != token.MUL {
			return false
		}
		switch addr := v.X.(type) {
		case *ssa.FieldAddr:
			return root(addr.X)
		case *ssa.Global:
			return true
		case *ssa.Alloc, *ssa.FreeVar:
			stores := stored(addr)
			for _, val := range stores {
				if !ofStorage(val, depth+1) {
					return false
				}
			}
			return len(stores) > 0
		}
	case *ssa.FieldAddr:
		return root(v.X)
	case *ssa.Field:
		return ofStorage(v.X, depth+1)
	case *ssa.ChangeInterface:
		return ofStorage(v.X, depth+1)
	case *ssa.MakeInterface:
		return ofStorage(v.X, depth+1)
	case *ssa.ChangeType:
		return ofStorage(v.X, depth+1)
	case *ssa.TypeAssert:
		return ofStorage(v.X, depth+1)
	case *ssa.Extract:
		return ofStorage(v.Tuple, depth+1)
	case *ssa.Call:
		// In s.db.Rules(namespace), the result is a part of s.db.
		common := v.Common()
		if common.IsInvoke() {
			return ofStorage(common.Value, depth+1)
		}
		if fn := common.StaticCallee(); fn != nil && fn.Signature.Recv() != nil && len(common.Args) > 0 {
			return ofStorage(common.Args[0], depth+1) || root(common.Args[0])
		}
	}
	return false
}

// root reports whether v is a receiver, or is reached from a receiver through fields. It is
// false for values that come with the request.
func root(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Parameter:
		fn := v.Parent()
		return fn.Signature.Recv() != nil && len(fn.Params) > 0 && fn.Params[0] == v
	case *ssa.FieldAddr:
		return root(v.X)
	case *ssa.UnOp:
		if f, ok := v.X.(*ssa.FieldAddr); ok {
			return root(f.X)
		}
		return v.Op == token.MUL && root(v.X)
	case *ssa.Alloc, *ssa.FreeVar:
		// Function literals capture a copy of the receiver.
		stores := stored(v)
		for _, val := range stores {
			if p, ok := val.(*ssa.Parameter); !ok || !root(p) {
				return false
			}
		}
		return len(stores) > 0
	}
	return false
}

// stored returns the values that are stored in a variable. The variable may belong to the
// function around a literal.
func stored(cell ssa.Value) []ssa.Value {
	for free, ok := cell.(*ssa.FreeVar); ok; free, ok = cell.(*ssa.FreeVar) {
		if cell = captured(free); cell == nil {
			return nil
		}
	}
	refs := cell.Referrers()
	if refs == nil {
		return nil
	}
	var vals []ssa.Value
	for _, r := range *refs {
		if s, ok := r.(*ssa.Store); ok && s.Addr == cell {
			vals = append(vals, s.Val)
		}
	}
	return vals
}

// captured returns the variable that a literal's free variable stands for in the function
// around it. It is nil if it is not known.
func captured(free *ssa.FreeVar) ssa.Value {
	fn := free.Parent()
	if fn.Parent() == nil {
		return nil
	}
	for _, b := range fn.Parent().Blocks {
		for _, i := range b.Instrs {
			c, ok := i.(*ssa.MakeClosure)
			if !ok || c.Fn != ssa.Value(fn) {
				continue
			}
			for n, f := range fn.FreeVars {
				if f == free && n < len(c.Bindings) {
					return c.Bindings[n]
				}
			}
		}
	}
	return nil
}

// isMemory reports whether the receiver of a method only keeps data in memory, or belongs
// to a single request. The path of the method's package or the name of its type shows this.
func isMemory(t types.Type, callee *types.Func) bool {
	switch path := apicall.ImportPath(callee.Pkg()); {
	case path == "" || path == "sync" || path == "sync/atomic" || path == "container/list":
		return true
	case strings.HasPrefix(path, "k8s.io/client-go/tools/cache"), strings.HasPrefix(path, "k8s.io/client-go/util/"),
		strings.HasPrefix(path, "k8s.io/client-go/tools/record"), strings.HasPrefix(path, "k8s.io/client-go/tools/events"),
		strings.HasPrefix(path, "k8s.io/apimachinery/"), strings.Contains(path, "prometheus/"):
		return true
	}
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, ok := t.(*types.Named)
	if !ok {
		return false
	}
	name := strings.ToLower(n.Obj().Name())
	for _, word := range []string{"cache", "index", "queue", "metric", "logger", "recorder", "lock", "tracer", "validator", "strategy", "converter", "convertor", "informer", "watcher", "broadcaster"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// receiver returns the backend's name for the message: the field that holds it, or its
// type.
func receiver(common *ssa.CallCommon, callee *types.Func) string {
	v := common.Value
	if !common.IsInvoke() && len(common.Args) > 0 {
		v = common.Args[0]
	}
	if load, ok := v.(*ssa.UnOp); ok {
		v = load.X
	}
	if f, ok := v.(*ssa.FieldAddr); ok {
		return fieldName(f)
	}
	t := types.Unalias(callee.Signature().Recv().Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if n, ok := t.(*types.Named); ok {
		return n.Obj().Name()
	}
	return "the backend"
}

func fieldName(f *ssa.FieldAddr) string {
	t := f.X.Type().Underlying()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	if s, ok := t.(*types.Struct); ok && f.Field < s.NumFields() {
		return s.Field(f.Field).Name()
	}
	return "the backend"
}
