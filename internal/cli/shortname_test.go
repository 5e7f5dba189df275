package cli

import (
	"testing"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

// TestShortNames checks that each short name belongs to a resource that some release has.
func TestShortNames(t *testing.T) {
	resources := map[string]bool{}
	for api := range lifecycle.All() {
		if api.Class() == lifecycle.Resource {
			resources[api.Resource()] = true
		}
	}
	for short, long := range shortNames() {
		if !resources[long] {
			t.Errorf("%s: no release has %s", short, long)
		}
		if resources[short] {
			t.Errorf("%s is a resource itself", short)
		}
	}
}
