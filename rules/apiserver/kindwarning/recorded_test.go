package kindwarning

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubevet/kubevet/internal/recorded"
	"github.com/kubevet/kubevet/rules/apiserver"
)

// TestRecordedAnswers compares the warnings with recorded warnings of servers,
// word for word and in order.
func TestRecordedAnswers(t *testing.T) {
	set := recorded.Load(t, "testdata/cases.jsonl.gz", "testdata/answers-*.jsonl.gz")
	set.AddCorpus(t)
	set.Each(t, func(t *testing.T, s apiserver.Server, c recorded.Case, a recorded.Answer) (string, bool) {
		// Skip cases about webhook calls and about subresources.
		if c.File == "webhook-2call" || strings.HasSuffix(c.Path, "/status") || strings.HasSuffix(c.Path, "/token") {
			return "", false
		}
		r, ok := c.Request()
		if !ok {
			return "", false
		}
		return cmp.Diff(expected(r.Kind, a), predictedTexts(s, r, c.Op, a.Code)), true
	})
}

// withTemplates are the kinds of package podwarning. For them, this test compares
// only warnings about owner references.
var withTemplates = []string{"Pod", "PodTemplate", "ReplicationController", "Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "Job", "CronJob"}

// expected returns the texts of an answer that this package predicts.
func expected(kind string, a recorded.Answer) []string {
	return inOrder(slices.DeleteFunc(a.WarningTexts(), func(text string) bool {
		return isForeign(text) || slices.Contains(withTemplates, kind) && !strings.HasPrefix(text, ".metadata.ownerReferences ")
	}))
}

// isForeign reports whether other packages predict a text: it is about decoding,
// admission, a deprecated version or a custom resource.
func isForeign(text string) bool {
	for _, prefix := range []string{
		"unknown field ", "duplicate field ", "metadata.finalizers: ", "would violate PodSecurity ", "existing pods in namespace ", "Validation failed for ValidatingAdmissionPolicy ",
	} {
		if strings.HasPrefix(text, prefix) {
			return true
		}
	}
	return strings.Contains(text, " is deprecated in v1.") || strings.HasPrefix(text, "oracle.example.com/") ||
		strings.Contains(text, "already set in map")
}

// predictedTexts returns the texts that this package predicts, as headers contain
// them. If the server refused the object, only the warnings before validation are
// sent.
func predictedTexts(s apiserver.Server, r apiserver.Request, op string, code int) []string {
	var all []apiserver.Warning
	if code < 400 || code == 422 || code == 409 || code == 403 {
		if op == "merge" || op == "apply" {
			all = OwnerReferencesOfPatch(s, r)
		} else {
			all = OwnerReferences(s, r)
		}
	}
	if code < 400 {
		all = append(all, Strategy(s, r)...)
	}
	var texts []string
	for _, w := range apiserver.Headers(all) {
		texts = append(texts, w.Text)
	}
	return inOrder(texts)
}

// inOrder sorts adjacent texts about the keys of a map or about formats, whose
// order on the server is random. It returns nil for an empty list.
func inOrder(texts []string) []string {
	if len(texts) == 0 {
		return nil
	}
	for _, prefix := range []string{"scheduling.nodeSelector: ", "nodeTopology.matchLabels.", "unrecognized format "} {
		for i := 0; i < len(texts); i++ {
			n := i
			for n < len(texts) && strings.HasPrefix(texts[n], prefix) {
				n++
			}
			slices.Sort(texts[i:n])
			i = max(i, n-1)
		}
	}
	return texts
}
