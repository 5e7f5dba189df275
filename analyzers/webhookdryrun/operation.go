package webhookdryrun

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// operations holds the operations of admission requests, in the order of messages.
var operations = []string{"CREATE", "UPDATE", "DELETE", "CONNECT"}

// operationsAt returns the operations that a request can have when a block runs. It
// evaluates the comparisons with the request's Operation that dominate the block. It
// returns nil if all operations are possible.
func operationsAt(b *ssa.BasicBlock) []string {
	left := slices.Clone(operations)
	for d := b.Idom(); d != nil; d = d.Idom() {
		branch, ok := d.Instrs[len(d.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		op, equal, ok := comparison(branch.Cond)
		if !ok {
			continue
		}
		for i, succ := range d.Succs {
			// Only in a block with one predecessor is the condition certain.
			if len(succ.Preds) != 1 || !succ.Dominates(b) {
				continue
			}
			holds := equal == (i == 0)
			left = slices.DeleteFunc(left, func(o string) bool { return (o == op) != holds })
		}
	}
	if len(left) == 0 || len(left) == len(operations) {
		return nil
	}
	return left
}

// comparison returns the operation in request.Operation == "CREATE" or in a comparison with
// !=.
func comparison(v ssa.Value) (operation string, equal, ok bool) {
	c, ok := v.(*ssa.BinOp)
	if !ok || c.Op != token.EQL && c.Op != token.NEQ {
		return "", false, false
	}
	x, y := c.X, c.Y
	if _, first := x.(*ssa.Const); first {
		x, y = y, x
	}
	k, isConst := y.(*ssa.Const)
	if !isConst || k.Value == nil || k.Value.Kind() != constant.String || !isOperation(x) {
		return "", false, false
	}
	return constant.StringVal(k.Value), c.Op == token.EQL, true
}

// isOperation reports whether a value is the operation of a request.
func isOperation(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.UnOp:
		if f, ok := v.X.(*ssa.FieldAddr); ok && v.Op == token.MUL {
			return fieldName(f) == "Operation"
		}
	case *ssa.Call:
		c := v.Common()
		return c.IsInvoke() && c.Method.Name() == "GetOperation"
	case *ssa.ChangeType:
		return isOperation(v.X)
	case *ssa.Convert:
		return isOperation(v.X)
	}
	return false
}

// asNouns returns text such as "creates and updates" for operations.
func asNouns(ops []string) string {
	var nouns []string
	for _, op := range operations {
		if slices.Contains(ops, op) {
			nouns = append(nouns, strings.ToLower(op)+"s")
		}
	}
	if n := len(nouns); n > 1 {
		return strings.Join(nouns[:n-1], ", ") + " and " + nouns[n-1]
	}
	return strings.Join(nouns, "")
}

func fieldName(f *ssa.FieldAddr) string {
	t := f.X.Type().Underlying()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	if s, ok := t.(*types.Struct); ok && f.Field < s.NumFields() {
		return s.Field(f.Field).Name()
	}
	return ""
}
