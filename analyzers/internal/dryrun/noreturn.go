package dryrun

import (
	"strings"

	"golang.org/x/tools/go/ssa"
)

// noReturn reports whether a call ends the program or the goroutine.
func (s *state) noReturn(call ssa.CallInstruction) bool {
	common := call.Common()
	if common.IsInvoke() {
		return strings.HasPrefix(common.Method.Name(), "Fatal")
	}
	callee := common.StaticCallee()
	if callee == nil {
		return false
	}
	name := callee.Name()
	if strings.HasPrefix(name, "Fatal") {
		return true
	}
	if obj := callee.Object(); obj != nil && obj.Pkg() != nil {
		switch obj.Pkg().Path() {
		case "os", "k8s.io/klog/v2", "k8s.io/klog", "github.com/sirupsen/logrus":
			return strings.HasPrefix(name, "Exit")
		case "runtime":
			return name == "Goexit"
		}
	}
	return s.neverReturns(callee)
}

// neverReturns reports whether a function of the package has a body from which it never
// returns.
func (s *state) neverReturns(fn *ssa.Function) bool {
	if got, ok := s.noreturns[fn]; ok {
		return got
	}
	got := len(fn.Blocks) > 0
	for _, b := range fn.Blocks {
		if len(b.Instrs) > 0 {
			if _, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
				got = false
			}
		}
	}
	s.noreturns[fn] = got
	return got
}
