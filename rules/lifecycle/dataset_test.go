package lifecycle

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// readDataset decodes a file of JSON lines in the directory KUBEVET_CORPUS. It
// skips the test if the variable is not set.
func readDataset[T any](t *testing.T, name string) []T {
	t.Helper()
	dir := os.Getenv("KUBEVET_CORPUS")
	if dir == "" {
		t.Skip("KUBEVET_CORPUS is not set")
	}
	f, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []T
	for dec := json.NewDecoder(f); ; {
		var v T
		if err := dec.Decode(&v); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, v)
	}
}

// inSpans reports whether a minor is in one of the inclusive ranges.
func inSpans(t *testing.T, spans [][2]string, m Minor) bool {
	t.Helper()
	for _, s := range spans {
		var from, to Minor
		if _, err := fmt.Sscanf(s[0]+" "+s[1], "1.%d 1.%d", &from, &to); err != nil {
			t.Fatal(err)
		}
		if (Range{from, to}).Contains(m) {
			return true
		}
	}
	return false
}

// TestDatasetAPIs compares the generated table with a table that was made from
// the releases in another way. The differences below are known; the generator's
// NOTES.md says why the generated table is right.
func TestDatasetAPIs(t *testing.T) {
	type row struct {
		Group, Version, Kind, Class string
		ServedIfEnabled             [][2]string `json:"served_if_enabled"`
		ServedByDefault             [][2]string `json:"served_by_default"`
		Warnings                    []struct{ From, To, Text string }
	}
	// The gates were off when the OpenAPI documents were made.
	known := map[string]bool{
		"storage.k8s.io/v1alpha1 CSIStorageCapacity servable 1.19":     true,
		"storage.k8s.io/v1alpha1 CSIStorageCapacity servable 1.20":     true,
		"storage.k8s.io/v1alpha1 CSIStorageCapacityList servable 1.19": true,
		"storage.k8s.io/v1alpha1 CSIStorageCapacityList servable 1.20": true,
	}
	for _, r := range readDataset[row](t, "lifecycle/lifecycle.jsonl") {
		if r.Class == "other" || r.Class == "options" || strings.HasSuffix(r.Kind, "Options") || r.Group == "apidiscovery.k8s.io" {
			continue // not objects; see NOTES.md
		}
		a, ok := Lookup(r.Group, r.Version, r.Kind)
		if !ok {
			t.Errorf("%s/%s %s is not in the table", r.Group, r.Version, r.Kind)
			continue
		}
		check := func(what string, m Minor, got, want bool) {
			if got != want && !known[fmt.Sprintf("%v %s %v", a, what, m)] {
				t.Errorf("%v %s %v: got %t, want %t", a, what, m, got, want)
			}
		}
		for m := range (Range{Oldest, Newest}).All() {
			check("servable", m, a.Servable().Has(m), inSpans(t, r.ServedIfEnabled, m))
			check("served by default", m, a.State(m, Target{}) == Served, inSpans(t, r.ServedByDefault, m))
			want := ""
			for _, w := range r.Warnings {
				if inSpans(t, [][2]string{{w.From, w.To}}, m) {
					want = w.Text
				}
			}
			if got := a.Warning(m); got != want {
				t.Errorf("%v warning at %v: got %q, want %q", a, m, got, want)
			}
		}
	}
}

// TestDatasetGates compares the gates with another table. It compares only the
// gates that are in both tables. The other table has gates of all components, but
// up to 1.29 only those of one package.
func TestDatasetGates(t *testing.T) {
	type row struct {
		Name     string
		PerMinor map[string]struct {
			Stage           string
			Default, Locked bool
		}
	}
	// The code of 1.32 registers these gates as GA. The other table is from an
	// older list.
	known := map[string]bool{"CustomResourceFieldSelectors 1.32": true, "RetryGenerateName 1.32": true, "SizeMemoryBackedVolumes 1.32": true}
	compared := 0
	for _, r := range readDataset[row](t, "lifecycle/feature_gates.jsonl") {
		for m := range (Range{Oldest, Newest}).All() {
			want, isKnown := r.PerMinor[m.String()]
			got, here := GateDefault(r.Name, m)
			if !isKnown || !here {
				continue
			}
			compared++
			if (got.Stage.String() != want.Stage || got.Default != want.Default || got.Locked != want.Locked) && !known[r.Name+" "+m.String()] {
				t.Errorf("gate %s at %v: got %+v, want %+v", r.Name, m, got, want)
			}
		}
	}
	if compared < 2000 {
		t.Errorf("only %d gates compared", compared)
	}
}
