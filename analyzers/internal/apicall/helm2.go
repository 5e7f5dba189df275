package apicall

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

const helm2Path = "k8s.io/helm/pkg/helm"

// helm2Verbs maps the methods of Helm 2's client to their verbs. The server of Helm 2 makes
// the writes.
var helm2Verbs = map[string]Verb{
	"InstallRelease": VerbCreate, "InstallReleaseWithContext": VerbCreate,
	"InstallReleaseFromChart": VerbCreate, "InstallReleaseFromChartWithContext": VerbCreate,
	"UpdateRelease": VerbUpdate, "UpdateReleaseWithContext": VerbUpdate,
	"UpdateReleaseFromChart": VerbUpdate, "UpdateReleaseFromChartWithContext": VerbUpdate,
	"RollbackRelease": VerbUpdate, "DeleteRelease": VerbDelete, "RunReleaseTest": VerbCreate,
}

// helm2DryRuns has the options of Helm 2's client that ask for a dry run.
var helm2DryRuns = map[string]bool{"InstallDryRun": true, "UpgradeDryRun": true, "RollbackDryRun": true, "DeleteDryRun": true}

// helm2Writer returns the fact about a method of Helm 2's client that writes, or nil.
func helm2Writer(fn *types.Func) *writerFact {
	if fn.Signature().Recv() == nil || ImportPath(fn.Pkg()) != helm2Path || helm2Verbs[fn.Name()] == 0 {
		return nil
	}
	verb := helm2Verbs[fn.Name()]
	return &writerFact{Verb: verb, Verbs: setOf(verb), Kind: "Release"}
}

// helm2DryRun returns the dry-run setting in the options of a call of Helm 2's client. ok is
// false for other calls.
func (p *program) helm2DryRun(fn *types.Func, args []ssa.Value, at ssa.Instruction) (out outcome, ok bool) {
	if len(args) == 0 || args[len(args)-1] == nil || helm2Writer(fn) == nil {
		return outcome{}, false
	}
	return p.flow(dryRunKind).options(args[len(args)-1], unset, at, nil), true
}

// helm2Option returns the setting after an option of Helm 2's client. ok is false for other
// options.
func (f *flow) helm2Option(call *ssa.Call, before outcome, fr *frame) (out outcome, ok bool) {
	fn := call.Call.StaticCallee()
	if fn == nil || fn.Pkg == nil || ImportPath(fn.Pkg.Pkg) != helm2Path || fn.Signature.Recv() != nil {
		return outcome{}, false
	}
	if f.kind != dryRunKind || !helm2DryRuns[fn.Name()] {
		return before, true
	}
	return f.dryRunFromBool(call.Call.Args[0], call, fr), true
}
