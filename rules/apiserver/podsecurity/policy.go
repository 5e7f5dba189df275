package podsecurity

import (
	"sync"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// policyOf returns the policy that the labels of a namespace set, and the errors
// in the labels. For an unknown level, enforce uses restricted, and audit and
// warn use privileged. An unknown version is replaced by latest. Up to 1.25 there
// are no warnings if only the enforce level is set. Source: PolicyToEvaluate in
// pod-security-admission/api/helpers.go.
func policyOf(minor lifecycle.Minor, labels map[string]string) (api.Policy, field.ErrorList) {
	privileged := api.LevelVersion{Level: api.LevelPrivileged, Version: api.LatestVersion()}
	p, errs := api.PolicyToEvaluate(labels, api.Policy{Enforce: privileged, Audit: privileged, Warn: privileged})
	if _, ok := labels[api.WarnLevelLabel]; !ok && minor < 26 {
		p.Warn = privileged
	}
	return p, errs
}

// evaluators are the evaluators of each minor with default gates. They are kept,
// because building is more expensive than evaluating.
var evaluators = func() (all [lifecycle.Newest + 1]func() policy.Evaluator) {
	for m := range all {
		all[m] = sync.OnceValue(func() policy.Evaluator { return newEvaluator(lifecycle.Minor(m), false) })
	}
	return all
}()

// evaluatorFor returns the evaluator of a server. The evaluator depends on the
// gate UserNamespacesPodSecurityStandards of 1.29 to 1.34, which is off by
// default.
func evaluatorFor(s apiserver.Server) policy.Evaluator {
	if s.Minor >= 29 && s.Minor <= 34 && s.Enabled("UserNamespacesPodSecurityStandards") {
		return newEvaluator(s.Minor, true)
	}
	return evaluators[min(s.Minor, lifecycle.Newest)]()
}

// newEvaluator returns the evaluator of one release. The evaluator has no
// policies that are newer than the release. newEvaluator panics if the library
// refuses the checks.
func newEvaluator(minor lifecycle.Minor, relaxed bool) policy.Evaluator {
	newest := api.MajorMinorVersion(1, int(minor))
	e, err := policy.NewEvaluator(checksOf(minor, relaxed), &newest)
	if err != nil {
		panic(err)
	}
	return e
}
