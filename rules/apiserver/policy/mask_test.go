package policy

import "testing"

func TestMask(t *testing.T) {
	m := newMask([]string{"metadata.uid", "spec.volumes[2].name", `metadata.labels["a.b/c"]`, "spec.ports[*].nodePort"})
	for _, tt := range []struct {
		steps []string
		want  bool
	}{
		{[]string{"metadata", "uid"}, true},
		{[]string{"metadata", "name"}, false},
		{[]string{"metadata", "labels", "a.b/c"}, true},
		{[]string{"metadata", "labels", "a"}, false},
		{[]string{"spec", "volumes", "2", "name"}, true},
		{[]string{"spec", "volumes", "1", "name"}, false},
		{[]string{"spec", "ports", "7", "nodePort"}, true},
	} {
		at := m
		for _, step := range tt.steps {
			at = at.child(step)
		}
		if got := at != nil && at.unknown; got != tt.want {
			t.Errorf("%v is unknown: %v", tt.steps, got)
		}
	}
}
