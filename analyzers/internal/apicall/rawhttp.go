package apicall

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// rawVerbs maps the functions of kubectl's package rawhttp that write to their verbs. They
// send a file to a path. They cannot be followed, because one function makes all requests,
// and the HTTP method is an argument.
var rawVerbs = map[string]Verb{"RawPost": VerbCreate, "RawPut": VerbUpdate, "RawDelete": VerbDelete}

// rawWriter returns the fact about a function of package rawhttp that writes, or nil.
func rawWriter(fn *types.Func) *writerFact {
	verb := rawVerbs[fn.Name()]
	if verb == 0 || ImportPath(fn.Pkg()) != "k8s.io/kubectl/pkg/rawhttp" {
		return nil
	}
	// The path may have options as query parameters, so these are not known.
	fact := &writerFact{Verb: verb, Verbs: setOf(verb), Client: place{Param: 1}, Force: valueFact{State: Unset}}
	if fact.deletes() {
		fact.Manager, fact.Validation = valueFact{State: Unset}, valueFact{State: Unset}
	}
	return fact
}

// rawDryRun returns the dry-run setting in the path of a raw request. It is unset if the
// program does not make the path itself. Such a path comes from the user, and a flag for
// dry runs does not change it. ok is false for other calls.
func (p *program) rawDryRun(fn *types.Func, args []ssa.Value, at ssa.Instruction) (out outcome, ok bool) {
	const path = 2 // after the client and the streams
	if len(args) <= path || args[path] == nil || rawWriter(fn) == nil {
		return outcome{}, false
	}
	for _, s := range p.flow(managerKind).sources(args[path], nil, at, nil) {
		switch v := s.value.(type) {
		case *ssa.Const:
			if v.Value != nil && strings.Contains(constantString(v.Value), "dryRun") {
				return unknown, true
			}
		case *ssa.Call, *ssa.Extract, *ssa.BinOp:
			return unknown, true
		}
	}
	return unset, true
}
