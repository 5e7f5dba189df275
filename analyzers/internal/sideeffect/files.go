package sideeffect

import (
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// opensToWrite reports whether the flags of os.OpenFile ask for writing. A file opened
// for appending counts as a log.
func opensToWrite(i ssa.CallInstruction) bool {
	args := i.Common().Args
	if len(args) < 2 {
		return false
	}
	c, ok := args[1].(*ssa.Const)
	if !ok || c.Value == nil {
		return false
	}
	flags, ok := constant.Int64Val(constant.ToInt(c.Value))
	// The flags differ between systems. Truncating or creating alone shows a write.
	pkg := Method(i).Pkg()
	bit := func(name string) int64 {
		k, ok := pkg.Scope().Lookup(name).(*types.Const)
		if !ok {
			return 0
		}
		v, _ := constant.Int64Val(constant.ToInt(k.Val()))
		return v
	}
	return ok && flags&bit("O_APPEND") == 0 && flags&(bit("O_CREATE")|bit("O_TRUNC")) != 0
}

// temporary reports whether a function, or one around it, makes temporary files. The
// files it writes may be among them.
func temporary(fn *ssa.Function) bool {
	for ; fn != nil; fn = fn.Parent() {
		for _, b := range fn.Blocks {
			for _, i := range b.Instrs {
				call, ok := i.(ssa.CallInstruction)
				if !ok {
					continue
				}
				if callee := Method(call); callee != nil && callee.Pkg() != nil {
					switch callee.Pkg().Path() {
					case "os", "io/ioutil":
						switch callee.Name() {
						case "CreateTemp", "MkdirTemp", "TempDir", "TempFile":
							return true
						}
					}
				}
			}
		}
	}
	return false
}
