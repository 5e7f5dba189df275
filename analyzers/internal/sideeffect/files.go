package sideeffect

import (
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// opensToWrite reports whether the flags of os.OpenFile create or truncate a file. A file
// that is opened for appending counts as a log.
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
	// The numbers of the flags differ between systems, so take them from package os.
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

// temporary reports whether a function, or a function around it, creates temporary files.
// The files that it writes may be these files.
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
