package strategies

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubevet/kubevet/internal/oracle"
)

// recorded is the file with the answers of a server of the newest release.
var recorded = filepath.Join("..", "..", "..", "rules", "apiserver", "answer", "testdata", "oracle", "1.37.jsonl.gz")

// TestRecorded checks that the code has the same answers as a server of the
// same release.
func TestRecorded(t *testing.T) {
	cases, err := oracle.ReadCases(filepath.Join("..", "cases"))
	if err != nil {
		t.Fatal(err)
	}
	answers, err := oracle.ReadLines[oracle.Answer](recorded)
	if err != nil {
		t.Fatal(err)
	}
	byID := map[string]oracle.Answer{}
	for _, a := range answers {
		byID[a.ID] = a
	}
	o := New()
	asked := 0
	for i := range cases {
		c := &cases[i]
		want, ok := byID[c.ID]
		if !ok || strings.HasPrefix(c.File, "server/") || want.SetupError != "" || want.Code == 403 || want.Code == 404 || want.Code == 409 {
			continue
		}
		got, ok := o.Answer(c)
		if !ok {
			continue
		}
		asked++
		if diff := cmp.Diff(oracle.Comparable(&want), oracle.Comparable(&got)); diff != "" {
			t.Errorf("%s (-server +code):\n%s", c.ID, diff)
		}
	}
	t.Logf("%d of %d cases", asked, len(cases))
	if asked < len(cases)/2 {
		t.Errorf("only %d of %d cases could be asked", asked, len(cases))
	}
}

// TestKinds checks that each kind that can be stored has a strategy.
func TestKinds(t *testing.T) {
	o := New()
	for _, k := range o.schemes {
		for gvk := range k.scheme.AllKnownTypes() {
			if gvk.Version != runtime.APIVersionInternal || notStored.MatchString(gvk.Kind) || elsewhere[gvk.Group] {
				continue
			}
			if _, ok := k.strategies[gvk.GroupKind()]; !ok {
				t.Errorf("no strategy for %s", gvk.GroupKind())
			}
		}
	}
}

// notStored matches kinds of lists, options and requests, and kinds that only
// the server stores.
var notStored = regexp.MustCompile(`(List|Options|Review|Status|Proxy|TokenRequest|Scale|^Binding|WatchEvent|DeploymentRollback|RangeAllocation|SerializedReference)$|^Eviction$`)

// elsewhere has groups whose kinds are internally in another group.
var elsewhere = map[string]bool{"extensions": true, "events.k8s.io": true}
