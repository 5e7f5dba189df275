package dryrun

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// argument adds the dry run that code looks up in a map of arguments, such as
// args["dry_run"].
func (c *collector) argument(l *ssa.Lookup) {
	name := dryRunKey(l)
	if name == "" || !holdsArguments(l.X, 0) || len(*l.Referrers()) == 0 {
		return
	}
	v := types.NewVar(l.Pos(), c.s.pass.Pkg, name, types.Typ[types.Bool])
	if src := c.add(Local, Bool, v, nil); src != nil {
		src.Flag, src.FlagPos, src.unnamed, src.lookup = name, l.Pos(), true, l
	}
}

// dryRunKey returns the key of a lookup if it is a constant and the name of a dry run.
// Otherwise it returns "".
func dryRunKey(l *ssa.Lookup) string {
	name, _ := stringOf(l.Index)
	if ok, negative := dryRunName(name); !ok || negative {
		return ""
	}
	return name
}

// holdsArguments guesses from the name of a map whether the map holds the arguments of
// a request. The map must not be a part of an API object.
func holdsArguments(v ssa.Value, depth int) bool {
	if m, ok := v.Type().Underlying().(*types.Map); depth == 0 && (!ok || !types.IsInterface(m.Elem())) || depth > maxOrigin {
		return false
	}
	name := ""
	switch v := v.(type) {
	case *ssa.Parameter:
		name = v.Name()
	case *ssa.Call:
		name = calleeNameOnly(v.Common())
	case *ssa.UnOp:
		if f := loadedVar(v); f != nil && v.Op == token.MUL {
			name = f.Name()
		}
	case *ssa.Field:
		name = fieldOf(v.X.Type(), v.Field).Name()
	case *ssa.TypeAssert:
		return holdsArguments(v.X, depth+1)
	case *ssa.Extract:
		return holdsArguments(v.Tuple, depth+1)
	case *ssa.ChangeType:
		return holdsArguments(v.X, depth+1)
	}
	name = strings.ToLower(name)
	return strings.Contains(name, "arg") || strings.HasPrefix(name, "param") || strings.HasSuffix(name, "params") || name == "input"
}

// lookedUpIn returns the lookup from which v comes, or nil.
func lookedUpIn(v ssa.Value) *ssa.Lookup {
	if e, ok := v.(*ssa.Extract); ok && e.Index == 0 {
		v = e.Tuple
	}
	l, _ := v.(*ssa.Lookup)
	return l
}
