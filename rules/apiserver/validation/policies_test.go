package validation

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubevet/kubevet/internal/recorded"
	"github.com/kubevet/kubevet/rules/apiserver"
)

// TestPolicies compares the causes for policies, bindings and webhooks with those
// of the releases' validation functions, in order.
//
// Tests with the answers of servers cover errors that these functions do not
// have: about generated and reserved names, and of declarative validation.
func TestPolicies(t *testing.T) {
	set := recorded.Load(t, "../policydefinition/testdata/cases.jsonl.gz", "../policydefinition/testdata/answers-*.jsonl.gz")
	set.Each(t, func(t *testing.T, s apiserver.Server, c recorded.Case, a recorded.Answer) (string, bool) {
		r, ok := c.Request()
		if !ok || a.Code == 400 || serverMayDiffer(s, c.ID, r) {
			return "", false
		}
		want, got := expected(a), []recorded.Cause(nil)
		for i, cause := range Causes(s, r) {
			recordedCause := recorded.Cause{Field: cause.Field, Message: cause.Text}
			if cause.Inexact && i < len(want) && want[i].Field == recordedCause.Field {
				recordedCause = want[i]
			}
			got = append(got, recordedCause)
		}
		return cmp.Diff(want, got), true
	})
}

// serverMayDiffer reports whether the errors of a server may differ from those of
// the releases' validation functions. This is the case if the server adds an
// error. It is also the case if the functions report a second error, about an
// object that no user would write.
func serverMayDiffer(s apiserver.Server, id string, r apiserver.Request) bool {
	meta, spec := r.New.Get("metadata"), r.New.Get("spec")
	switch {
	case strings.Contains(id, "validation/") && strings.HasSuffix(id, "/81") && s.Minor < 37:
		return true // a variable is used as a type; older compilers report a second error
	case strings.HasSuffix(meta.Get("name").StringOr(""), ".static.k8s.io"), meta.Get("generateName") != nil:
		return true
	case s.Minor < 37 || r.Kind != "ValidatingAdmissionPolicyBinding":
		return false
	}
	return spec.Get("policyName").StringOr("") == "" || len(spec.Get("validationActions").Elements()) == 0
}
