package sideeffect

import (
	"go/types"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"golang.org/x/tools/go/ssa"
)

// Unasked reports whether an effect runs before all code that may detect a dry run. Code
// may detect a dry run if it reads the request, or passes the request to other code. The
// optional function asks recognizes further instructions that may detect a dry run.
func (r *Result) Unasked(e *Effect, asks func(ssa.Instruction) bool) bool {
	for _, via := range e.Via {
		if !r.unaskedAt(via, asks) {
			return false
		}
	}
	return r.unaskedAt(e.Instr, asks)
}

func (r *Result) unaskedAt(at ssa.Instruction, asks func(ssa.Instruction) bool) bool {
	b := at.Block()
	if b == nil {
		return false
	}
	fn := b.Parent()
	for _, other := range fn.Blocks {
		for n, i := range other.Instrs {
			if i == at || !r.mayAsk(i) && (asks == nil || !asks(i)) {
				continue
			}
			if other == b && n < indexOf(b, at) || leadsTo(other, b) {
				return false
			}
		}
	}
	if fn.Parent() == nil {
		return true
	}
	// A literal runs where it is created, or later.
	for _, other := range fn.Parent().Blocks {
		for _, i := range other.Instrs {
			for _, o := range i.Operands(nil) {
				if *o == ssa.Value(fn) && !r.unaskedAt(i, asks) {
					return false
				}
			}
		}
	}
	return true
}

func indexOf(b *ssa.BasicBlock, at ssa.Instruction) int {
	for n, i := range b.Instrs {
		if i == at {
			return n
		}
	}
	return -1
}

// leadsTo reports whether a path leads from one block to another. If both are the same
// block, they must be in a loop.
func leadsTo(from, to *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{}
	var visit func(b *ssa.BasicBlock) bool
	visit = func(b *ssa.BasicBlock) bool {
		for _, s := range b.Succs {
			if s == to {
				return true
			}
			if !seen[s] {
				seen[s] = true
				if visit(s) {
					return true
				}
			}
		}
		return false
	}
	return visit(from)
}

// mayAsk reports whether an instruction may find out whether there is a dry run.
func (r *Result) mayAsk(i ssa.Instruction) bool {
	switch i := i.(type) {
	case *ssa.FieldAddr:
		return tellsOfDryRun(fieldName(i.X.Type(), i.Field))
	case *ssa.Field:
		return tellsOfDryRun(fieldName(i.X.Type(), i.Field))
	case *ssa.MakeClosure:
		fn, ok := i.Fn.(*ssa.Function)
		return ok && (tellsOfDryRun(fn.Name()) || r.dry.Checks(fn))
	case ssa.CallInstruction:
		callee := Method(i)
		if callee == nil {
			switch fn := i.Common().Value.(type) {
			case *ssa.Builtin:
				return false
			case *ssa.Function:
				return r.dry.Checks(fn)
			}
			return true // any function may be behind a function value
		}
		if tellsOfDryRun(callee.Name()) {
			return true
		}
		if fn := Callee(i, i.Parent()); fn != nil {
			return r.dry.Checks(fn)
		}
		if below(apicall.ImportPath(callee.Pkg()), "sigs.k8s.io/controller-runtime/pkg/webhook/admission") {
			return false // these functions only decode requests and create responses
		}
		for _, a := range i.Common().Args {
			if isRequest(a.Type()) {
				return true
			}
		}
	}
	return false
}

func tellsOfDryRun(name string) bool {
	return strings.Contains(strings.ToLower(name), "dryrun") || name == "RequestFromContext"
}

func fieldName(t types.Type, index int) string {
	t = t.Underlying()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	if s, ok := t.(*types.Struct); ok && index < s.NumFields() {
		return s.Field(index).Name()
	}
	return ""
}

// isRequest reports whether values of a type contain the dry run of a request.
func isRequest(t types.Type) bool {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, ok := t.(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return false
	}
	path, name := apicall.ImportPath(n.Obj().Pkg()), n.Obj().Name()
	switch {
	case below(path, "k8s.io/api/admission"), path == "k8s.io/apiserver/pkg/admission":
		return true
	case path == "sigs.k8s.io/controller-runtime/pkg/webhook/admission":
		return name == "Request"
	case below(path, "github.com/slok/kubewebhook"):
		return name == "AdmissionReview"
	case path == "k8s.io/apimachinery/pkg/apis/meta/v1", path == "sigs.k8s.io/controller-runtime/pkg/client":
		return strings.HasSuffix(name, "Options")
	}
	return false
}
