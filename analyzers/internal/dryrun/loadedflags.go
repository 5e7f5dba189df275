package dryrun

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// loaded is a field for the dry run in a struct that a function of the package returns. The
// function looks up the flag of a command and stores its value in the field:
//
//	func getConfig(cmd *cobra.Command) Config {
//		dryRun, _ := cmd.Flags().GetBool("dry-run")
//		return Config{DryRun: dryRun}
//	}
type loaded struct {
	in    *types.Named
	field *types.Var
	// flag is the name of the flag, and at is the call that looks it up.
	flag string
	at   *ssa.Call
}

// loadedBy returns the field for the dry run in the result of a call; nil for other calls.
func (s *state) loadedBy(call *ssa.Call) *loaded {
	body := s.body(call.Common())
	if body == nil || body.Signature.Results().Len() == 0 || !slices.ContainsFunc(body.Params, func(p *ssa.Parameter) bool { return canReadFlags(p.Type()) }) {
		return nil
	}
	n := namedOf(body.Signature.Results().At(0).Type())
	if n == nil || !s.vars.isLocal(n.Obj().Pkg()) {
		return nil
	}
	f, _ := s.vars.findField(n, 0)
	if f == nil || shapeOf(f.Type()) != Bool || s.vars.describe(f).negative {
		return nil
	}
	for _, st := range s.stores[f] {
		if at, flag := flagLookup(st.Val); flag != "" && s.leadsTo(body, st.Parent(), map[*ssa.Function]bool{}) {
			return &loaded{in: n, field: f, flag: flag, at: at}
		}
	}
	return nil
}

// flagLookup returns the call that looks up the flag for a dry run with the value v, and the
// name of the flag. The name is "" for other values.
func flagLookup(v ssa.Value) (at *ssa.Call, flag string) {
	if part, ok := v.(*ssa.Extract); ok {
		v = part.Tuple
	}
	call, ok := v.(*ssa.Call)
	if !ok {
		return nil, ""
	}
	shape, flag := lookedUp(call)
	if shape != Bool {
		return nil, ""
	}
	return call, strings.TrimLeft(flag, "-")
}
