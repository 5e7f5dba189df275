// Package analyzers lists kubevet's rules for Go code. Drivers run them: the kubevet
// command, go vet, golangci-lint, and the multichecker of any other project.
//
// Each rule is a package below this one. Its page in package rules says what it
// reports. The helper analyzers below internal hold the code that rules share.
package analyzers

import (
	"github.com/kubevet/kubevet/analyzers/applyforce"
	"github.com/kubevet/kubevet/analyzers/applylive"
	"github.com/kubevet/kubevet/analyzers/applymanager"
	"github.com/kubevet/kubevet/analyzers/applytyped"
	"github.com/kubevet/kubevet/analyzers/deprecatedapi"
	"github.com/kubevet/kubevet/analyzers/dryrun"
	"github.com/kubevet/kubevet/analyzers/dryrunforward"
	"github.com/kubevet/kubevet/analyzers/dryrunresult"
	"github.com/kubevet/kubevet/analyzers/dryrunstrategy"
	"github.com/kubevet/kubevet/analyzers/dryrunvalue"
	"github.com/kubevet/kubevet/analyzers/fieldmanager"
	"github.com/kubevet/kubevet/analyzers/forcenonapply"
	"github.com/kubevet/kubevet/analyzers/getbeforeapply"
	"github.com/kubevet/kubevet/analyzers/getupdate"
	"github.com/kubevet/kubevet/analyzers/kubectldryrun"
	"github.com/kubevet/kubevet/analyzers/mixedmanager"
	"github.com/kubevet/kubevet/analyzers/optionsdropped"
	"github.com/kubevet/kubevet/analyzers/rawoptions"
	"github.com/kubevet/kubevet/analyzers/removedapi"
	"github.com/kubevet/kubevet/analyzers/storagedryrun"
	"github.com/kubevet/kubevet/analyzers/swallowedwarnings"
	"github.com/kubevet/kubevet/analyzers/unusedsuppression"
	"github.com/kubevet/kubevet/analyzers/warningtext"
	"github.com/kubevet/kubevet/analyzers/webhookdryrun"
	"github.com/kubevet/kubevet/rules"
	"golang.org/x/tools/go/analysis"
)

// each lists the rules, but for unusedsuppression, which depends on the choice
// among them. The pages say which are on by default.
func each() []*analysis.Analyzer {
	return []*analysis.Analyzer{
		// A promised dry-run that writes, and policies about dry-runs.
		optionsdropped.Analyzer,
		dryrunforward.Analyzer,
		dryrunstrategy.Analyzer,
		dryrunvalue.Analyzer,
		kubectldryrun.Analyzer,
		dryrunresult.Analyzer,
		webhookdryrun.Analyzer,
		storagedryrun.Analyzer,
		rawoptions.Analyzer,
		dryrun.Analyzer,

		// The field manager of a write.
		fieldmanager.Analyzer,
		mixedmanager.Analyzer,

		// Server-side apply, and where it is meant.
		applymanager.Analyzer,
		applylive.Analyzer,
		applytyped.Analyzer,
		applyforce.Analyzer,
		forcenonapply.Analyzer,
		getbeforeapply.Analyzer,
		getupdate.Analyzer,

		// Versions of APIs that go, or are gone.
		removedapi.Analyzer,
		deprecatedapi.Analyzer,

		// What servers warn of, and who gets to read it.
		warningtext.Analyzer,
		swallowedwarnings.Analyzer,

		// Left out: the rules of the catalogue about objects, not code (disabledapi and
		// its like, prestopsleep, execsleep, syntax), and everything that the compiler,
		// vet or staticcheck already reports.
	}
}

// All returns the analyzers of all rules for Go code, those that are off by
// default included.
func All() []*analysis.Analyzer { return Select(func(string) bool { return true }) }

// Default returns the analyzers of the rules that are on by default.
func Default() []*analysis.Analyzer { return Select(OnByDefault) }

// OnByDefault reports whether a rule is on unless somebody says otherwise.
func OnByDefault(id string) bool {
	r, ok := rules.Lookup(id)
	return ok && r.Default
}

// SafeFixes reports whether the fixes of a rule can be applied unseen.
func SafeFixes(id string) bool {
	r, ok := rules.Lookup(id)
	return ok && r.Fix == rules.FixSafe
}

// Select returns the analyzers of the rules for which on is true. The one for
// unused suppressions, if it is chosen, is made for the others that are.
func Select(on func(id string) bool) []*analysis.Analyzer {
	var chosen []*analysis.Analyzer
	for _, a := range each() {
		if on(a.Name) {
			chosen = append(chosen, a)
		}
	}
	if last := unusedsuppression.New(chosen); on(last.Name) {
		chosen = append(chosen, last)
	}
	return chosen
}
