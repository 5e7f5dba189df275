package podsecurity

import (
	"encoding/json"
	"fmt"
	"testing"

	"k8s.io/pod-security-admission/api"

	"github.com/kubevet/kubevet/internal/recorded"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// ungatedServer returns a server whose gates drop no field and relax no policy.
func ungatedServer(minor lifecycle.Minor) apiserver.Server {
	return apiserver.Server{Minor: minor, Gate: func(name string) bool {
		return name != "UserNamespacesPodSecurityStandards" && name != "DefaultHostNetworkHostPortsInPodTemplates"
	}}
}

// TestPolicies compares the answers about pod templates with those of each
// release of the library.
func TestPolicies(t *testing.T) {
	type answered struct {
		Meta, Spec     json.RawMessage
		Level, Version string
		Answers        []struct {
			From, To lifecycle.Minor
			Text     string
		}
	}
	compared := 0
	for i, c := range recorded.Lines[answered](t, "testdata/policies.jsonl.gz") {
		r := request(t, fmt.Sprintf(`{"apiVersion":"v1","kind":"PodTemplate","template":{"metadata":%s,"spec":%s}}`, c.Meta, c.Spec))
		labels := map[string]string{api.WarnLevelLabel: c.Level, api.WarnVersionLabel: c.Version}
		for _, a := range c.Answers {
			for m := a.From; m <= a.To; m++ {
				compared++
				want := ""
				switch {
				case a.Text != "" && m == 22:
					want = fmt.Sprintf("would violate %q version of %q PodSecurity profile: %s", c.Version, c.Level, a.Text)
				case a.Text != "":
					want = fmt.Sprintf("would violate PodSecurity %q: %s", c.Level+":"+c.Version, a.Text)
				}
				got := ""
				for _, w := range Check(ungatedServer(m), labels, r).Warnings {
					got += w.Text
				}
				if got != want {
					t.Errorf("%d, 1.%d:\nlibrary %s\nverdict %s", i, m, want, got)
				}
			}
		}
	}
	t.Logf("%d verdicts compared", compared)
}

func request(t testing.TB, text string) apiserver.Request {
	t.Helper()
	v := parse(t, []byte(text))
	return apiserver.Request{APIVersion: v.Get("apiVersion").StringOr(""), Kind: v.Get("kind").StringOr(""), New: v}
}

// TestEvaluators builds the evaluator of every release, with and without relaxed
// policies.
func TestEvaluators(t *testing.T) {
	for m := lifecycle.Minor(22); m <= lifecycle.Newest; m++ {
		for _, relaxed := range []bool{false, true} {
			if newEvaluator(m, relaxed) == nil {
				t.Errorf("1.%d: no evaluator", m)
			}
		}
	}
}

func TestPolicyOf(t *testing.T) {
	for _, c := range []struct {
		minor  lifecycle.Minor
		labels map[string]string
		want   string // levels and versions of enforce, audit and warn
		errors int
	}{
		{37, nil, "privileged:latest privileged:latest privileged:latest", 0},
		{37, map[string]string{"app": "x"}, "privileged:latest privileged:latest privileged:latest", 0},
		{37, map[string]string{api.EnforceLevelLabel: "baseline"}, "baseline:latest privileged:latest baseline:latest", 0},
		{26, map[string]string{api.EnforceLevelLabel: "baseline"}, "baseline:latest privileged:latest baseline:latest", 0},
		{25, map[string]string{api.EnforceLevelLabel: "baseline"}, "baseline:latest privileged:latest privileged:latest", 0},
		{37, map[string]string{api.EnforceLevelLabel: "restricted", api.EnforceVersionLabel: "v1.30"}, "restricted:v1.30 privileged:latest restricted:v1.30", 0},
		{37, map[string]string{api.EnforceLevelLabel: "restricted", api.WarnVersionLabel: "v1.30"}, "restricted:latest privileged:latest restricted:v1.30", 0},
		{37, map[string]string{api.EnforceLevelLabel: "restricted", api.WarnLevelLabel: "baseline"}, "restricted:latest privileged:latest baseline:latest", 0},
		{37, map[string]string{api.EnforceLevelLabel: "x", api.AuditLevelLabel: "y", api.WarnLevelLabel: "z"}, "restricted:latest privileged:latest privileged:latest", 3},
		{37, map[string]string{api.EnforceLevelLabel: "Baseline"}, "restricted:latest privileged:latest privileged:latest", 1},
		{37, map[string]string{api.WarnLevelLabel: "baseline", api.WarnVersionLabel: "1.30"}, "privileged:latest privileged:latest baseline:latest", 1},
	} {
		p, errs := policyOf(c.minor, c.labels)
		if got := fmt.Sprintf("%s %s %s", p.Enforce, p.Audit, p.Warn); got != c.want || len(errs) != c.errors {
			t.Errorf("1.%d %v: %s, %d errors; want %s, %d", c.minor, c.labels, got, len(errs), c.want, c.errors)
		}
	}
}
