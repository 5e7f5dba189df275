package checks

import (
	"fmt"
	"strings"
	"testing"
)

// A group with an index answers as one without.
func TestGroupIndex(t *testing.T) {
	text := func(kind, version string) string {
		return fmt.Sprintf("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: %ss.example.com}\nspec:\n  group: example.com\n  names: {plural: %[1]ss, kind: %s}\n  scope: Cluster\n  versions:\n  - {name: %s, served: true, storage: true}\n---\n", strings.ToLower(kind), kind, version)
	}
	var few, many strings.Builder
	for i := range maxScans {
		few.WriteString(text(fmt.Sprint("Kind", i), fmt.Sprint("v", i)))
	}
	few.WriteString(text("Kind1", "v7") + text("Kind1", "v1"))
	many.WriteString(few.String())
	for i := range maxOutlines {
		many.WriteString(text(fmt.Sprint("Other", i), "v1"))
	}
	for name, set := range map[string]*Set{"searched": setOf(t, few.String()), "indexed": setOf(t, many.String())} {
		if got := set.outline("example.com", "Kind1"); got == nil || got.Version("v1") == nil {
			t.Errorf("%s: the last definition is %+v", name, got)
		}
		found := set.definitions.outlined("example.com", "Kind1")
		if found.copies != 3 || len(found.different) != 2 {
			t.Errorf("%s: %d definitions, of which %d differ, want 3 and 2", name, found.copies, len(found.different))
		}
		if got := set.definitions.of("example.com", "Kind1"); len(got) != 2 || got[1].Version("v1") == nil {
			t.Errorf("%s: %d definitions", name, len(got))
		}
		if indexed := set.definitions["example.com"].index != nil; indexed != (name == "indexed") {
			t.Errorf("%s: an index: %v", name, indexed)
		}
		if set.defines("example.com", "Kind") || !set.defines("example.com", "Kind3") {
			t.Errorf("%s: defines the wrong kinds", name)
		}
		if !set.servesVersion("example.com", "v7") || set.servesVersion("example.com", "v8") {
			t.Errorf("%s: serves the wrong versions", name)
		}
	}
}
