// Package analyzers lists kubevet's rules for Go code. Drivers run the rules: the kubevet
// command, go vet, golangci-lint, or a multichecker of another project.
//
// Each rule is a package below this directory. The rule's page in package rules says what
// the rule reports. The packages below internal hold analyzers that several rules share.
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

// each returns the analyzers of all rules except unusedsuppression. That analyzer depends
// on which rules run.
func each() []*analysis.Analyzer {
	return []*analysis.Analyzer{
		// Dry runs: writes that ignore a dry run, and policies that require one.
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

		// Field managers of writes.
		fieldmanager.Analyzer,
		mixedmanager.Analyzer,

		// Server-side apply, and writes that should use it.
		applymanager.Analyzer,
		applylive.Analyzer,
		applytyped.Analyzer,
		applyforce.Analyzer,
		forcenonapply.Analyzer,
		getbeforeapply.Analyzer,
		getupdate.Analyzer,

		// Deprecated and removed API versions.
		removedapi.Analyzer,
		deprecatedapi.Analyzer,

		// Warnings: texts that webhooks return, and clients that hide warnings.
		warningtext.Analyzer,
		swallowedwarnings.Analyzer,

		// Rules about objects instead of code are not listed: disabledapi and
		// similar rules, prestopsleep, execsleep, syntax. Problems that the
		// compiler, vet or staticcheck report have no rules.
	}
}

// All returns the analyzers of all rules for Go code, including the rules that are off by
// default.
func All() []*analysis.Analyzer { return Select(func(string) bool { return true }) }

// Default returns the analyzers of the rules that are on by default.
func Default() []*analysis.Analyzer { return Select(OnByDefault) }

// OnByDefault reports whether a rule runs if neither a flag nor a configuration chooses it.
// It is false for an unknown ID.
func OnByDefault(id string) bool {
	r, ok := rules.Lookup(id)
	return ok && r.Default
}

// SafeFixes reports whether the fixes of a rule can be applied without a review. It is
// false for an unknown ID.
func SafeFixes(id string) bool {
	r, ok := rules.Lookup(id)
	return ok && r.Fix == rules.FixSafe
}

// Select returns the analyzers of the rules for which on is true. The analyzer of
// unusedsuppression comes last, and checks suppressions of the other chosen rules.
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
