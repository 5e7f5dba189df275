package kustomize

import (
	"strings"
	"testing"

	"github.com/kubevet/kubevet/rules"
)

// TestInside checks that a finding about a map names the patch that sets a part
// of the map.
func TestInside(t *testing.T) {
	dir := writeFiles(t, `
-- kustomization.yaml --
resources: [a.yaml]
patches:
- patch: |-
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: a}
    data:
      x: changed
-- a.yaml --
apiVersion: v1
kind: ConfigMap
metadata:
  name: a
data:
  x: word
`)
	set := build(t, dir, Options{})
	if len(set.Units) != 1 {
		t.Fatal(report(set))
	}
	f := rules.Finding{Column: 1}
	for i, line := range strings.Split(string(set.Units[0].Text), "\n") {
		if strings.HasPrefix(line, "data:") {
			f.Line = i + 1
		}
	}
	if !set.Units[0].Trace(&f) || f.File != "a.yaml" || f.Line != 5 {
		t.Errorf("%+v", f)
	}
	if len(f.Related) != 1 || f.Related[0].File != "kustomization.yaml" || f.Related[0].Line != 8 || f.Related[0].Column != 10 {
		t.Errorf("related: %+v", f.Related)
	}
}
