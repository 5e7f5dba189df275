package dryrun

import (
	"go/constant"
	"go/token"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"golang.org/x/tools/go/ssa"
)

// serverOnly returns the writes of fn that are dry runs only if the user asked for a
// server-side dry run. In a client-side dry run, they are real writes.
func (s *state) serverOnly(fn *ssa.Function) []*Write {
	var got []*Write
	for _, c := range s.byCall[fn] {
		if c.Instr != nil && !c.Fake && !storesNothing(c) && s.isRealForClient(c) && s.reach(c.Instr, Client) == Reached && !s.bookkeeping(c) {
			got = append(got, &Write{Call: c, Func: fn, Text: Describe(c), Pos: c.Pos(), ServerOnly: true, instr: c.Instr})
		}
	}
	for _, c := range s.callees[fn] {
		if w := s.serverOnlyCall(c.call); w != nil {
			got = append(got, w)
		}
	}
	return got
}

// serverOnlyCall returns the write of a call that passes true for the dry run only if the
// user asked for a server-side dry run. It returns nil for other calls.
func (s *state) serverOnlyCall(call ssa.CallInstruction) *Write {
	if call == nil || call.Common().IsInvoke() || s.calls.CallAt(call) != nil {
		return nil
	}
	obj, args := calleeObject(call.Common()), arguments(call.Common())
	forClient, forServer := s.flow(call.Parent(), Client), s.flow(call.Parent(), Server)
	if obj == nil || forClient == nil || forServer == nil {
		return nil
	}
	i, field := s.dryRunArgument(obj.Signature())
	if i < 0 || i >= len(args) || field != nil || !is(forClient.value(args[i]), false) || !is(forServer.value(args[i]), true) ||
		s.reach(call, Client) != Reached || s.clientChosen(call, Client) {
		return nil
	}
	text := s.calleeWrite(call, i, 0)
	if text == "" {
		return nil
	}
	return &Write{Func: call.Parent(), Text: text, Callee: obj, Pos: call.Pos(), ServerOnly: true, instr: call}
}

// isRealForClient reports whether a write is a dry run if the strategy is that of the
// server, and not if it is that of the client.
func (s *state) isRealForClient(c *apicall.Call) bool {
	forClient, forServer := s.flow(c.Func, Client), s.flow(c.Func, Server)
	if forClient == nil || forServer == nil || c.DryRun.State != apicall.Set {
		return false
	}
	if c.Family == apicall.Helper {
		helper := c.Instr.Common().Args[0]
		client, known := forClient.helperDryRun(helper).truth()
		server, alsoKnown := forServer.helperDryRun(helper).truth()
		return known && alsoKnown && !client && server
	}
	if !c.Own.DryRun.Sometimes || c.Own.DryRun.Value == nil || s.clientChosen(c.Instr, Client) {
		return false
	}
	at := blockAt(c.Func, c.Own.DryRun.Value.Pos(), c.Own.DryRun.Value.End())
	return at != nil && !forClient.blocks[at.Index] && forServer.blocks[at.Index]
}

// helperDryRun returns the argument of the last call of DryRun in a chain of calls that
// returns a Helper. Without such a call, the value is false.
func (f *flow) helperDryRun(helper ssa.Value) value {
	switch v := helper.(type) {
	case *ssa.Phi:
		var got value
		for i, pred := range v.Block().Preds {
			if f.edges[[2]int{pred.Index, v.Block().Index}] && v.Edges[i] != helper {
				got = join(got, f.helperDryRun(v.Edges[i]))
			}
		}
		return got
	case *ssa.Call:
		fn := v.Call.StaticCallee()
		switch {
		case fn == nil:
		case fn.Name() == "NewHelper":
			return boolean(false, false)
		case fn.Name() == "DryRun" && len(v.Call.Args) == 2:
			return f.value(v.Call.Args[1])
		case fn.Signature.Recv() != nil:
			return f.helperDryRun(v.Call.Args[0])
		}
	}
	return otherValue
}

// is reports whether the dry run decides that a boolean is want.
func is(v value, want bool) bool {
	return v.depends() && v.kind == constKind && v.c.Kind() == constant.Bool && constant.BoolVal(v.c) == want
}

// blockAt returns the block with the first instruction in a range of the source.
func blockAt(fn *ssa.Function, pos, end token.Pos) *ssa.BasicBlock {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if p := instr.Pos(); pos <= p && p < end {
				return b
			}
		}
	}
	return nil
}
