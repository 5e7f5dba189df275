package gocode

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

func TestRequired(t *testing.T) {
	const mod = `module example.com/shop // k8s.io/api v0.1.0

go 1.24

require k8s.io/api v0.31.2 // indirect

require (
	k8s.io/client-go v12.0.0+incompatible
	"k8s.io/apimachinery" v0.31.2
	k8s.io/kubernetes v1.31.2
	// k8s.io/kubectl v0.31.2
)

replace k8s.io/client-go => k8s.io/client-go v0.30.1

replace (
	k8s.io/apimachinery v0.31.2 => ../apimachinery
	k8s.io/kubernetes v1.30.0 => k8s.io/kubernetes v1.29.0
	k8s.io/broken =>
)
`
	want := []lifecycle.Module{
		{Path: "k8s.io/api", Version: "v0.31.2"},
		{Path: "k8s.io/client-go", Version: "v12.0.0+incompatible", Replacement: "k8s.io/client-go", ReplacementVersion: "v0.30.1"},
		{Path: "k8s.io/apimachinery", Version: "v0.31.2", Replacement: "../apimachinery"},
		{Path: "k8s.io/kubernetes", Version: "v1.31.2"},
	}
	if diff := cmp.Diff(want, requiredByText(mod)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := Required(t.TempDir()); got != nil {
		t.Errorf("without a go.mod: %v", got)
	}
}
