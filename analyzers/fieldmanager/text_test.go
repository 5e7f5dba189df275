package fieldmanager

import (
	"testing"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
)

func TestCallFixText(t *testing.T) {
	for _, tt := range []struct {
		call apicall.Call
		want string
	}{
		{apicall.Call{Family: apicall.Typed, HasOptions: true}, "set FieldManager in its options"},
		{apicall.Call{Family: apicall.Wrapper, HasOptions: true}, "set FieldManager in its options"},
		{apicall.Call{Family: apicall.Wrapper}, "it takes no options, so set UserAgent in the configuration of its client"},
		{apicall.Call{Family: apicall.Helper}, "set it with WithFieldManager"},
	} {
		if got := callFixText(&tt.call); got != tt.want {
			t.Errorf("%s, options %t: %q, want %q", tt.call.Family, tt.call.HasOptions, got, tt.want)
		}
	}
}
