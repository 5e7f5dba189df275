package podsecurity

import (
	"sync"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// policyOf gives the policy that a namespace's labels ask for, and what is
// wrong with them. A level that is not known counts as restricted where it is
// enforced and as privileged elsewhere, a version that is not known as the
// latest: PolicyToEvaluate of pod-security-admission/api/helpers.go. To 1.25
// nothing is warned of where only a level to enforce is given.
func policyOf(minor lifecycle.Minor, labels map[string]string) (api.Policy, field.ErrorList) {
	privileged := api.LevelVersion{Level: api.LevelPrivileged, Version: api.LatestVersion()}
	p, errs := api.PolicyToEvaluate(labels, api.Policy{Enforce: privileged, Audit: privileged, Warn: privileged})
	if _, ok := labels[api.WarnLevelLabel]; !ok && minor < 26 {
		p.Warn = privileged
	}
	return p, errs
}

// evaluators are those of each minor with default gates; building one costs
// more than asking it.
var evaluators = func() (all [lifecycle.Newest + 1]func() policy.Evaluator) {
	for m := range all {
		all[m] = sync.OnceValue(func() policy.Evaluator { return newEvaluator(lifecycle.Minor(m), false) })
	}
	return all
}()

// evaluatorFor gives the evaluator of a server. UserNamespacesPodSecurityStandards
// is a gate from 1.29 to 1.34, and never on by default.
func evaluatorFor(s apiserver.Server) policy.Evaluator {
	if s.Minor >= 29 && s.Minor <= 34 && s.Enabled("UserNamespacesPodSecurityStandards") {
		return newEvaluator(s.Minor, true)
	}
	return evaluators[min(s.Minor, lifecycle.Newest)]()
}

// newEvaluator makes the evaluator of one release: no policy is newer than it.
// It panics if the library's own checks contradict each other, which its tests
// and ours exclude.
func newEvaluator(minor lifecycle.Minor, relaxed bool) policy.Evaluator {
	own := api.MajorMinorVersion(1, int(minor))
	e, err := policy.NewEvaluator(checksOf(minor, relaxed), &own)
	if err != nil {
		panic(err)
	}
	return e
}
