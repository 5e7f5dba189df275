package apiuse_test

import (
	"testing"

	"github.com/kubevet/kubevet/analyzers/removedapi"
	"golang.org/x/tools/go/analysis/analysistest"
)

// TestInformers has stubs of its own: the informers of the newest release have
// types that those of the older ones lack.
func TestInformers(t *testing.T) {
	dir, cleanup, err := analysistest.WriteFiles(map[string]string{
		"k8s.io/client-go/informers/policy/v1beta1/stub.go": `package v1beta1
type Interface interface {
	PodDisruptionBudgets() TypedPodDisruptionBudgetInformer
	PodSecurityPolicies() PodSecurityPolicyInformer
}
type TypedPodDisruptionBudgetInformer interface{ Informer() any }
type PodSecurityPolicyInformer interface{ Informer() any }
`,
		"k8s.io/client-go/informers/policy/v1/stub.go": `package v1
type Interface interface{ PodDisruptionBudgets() PodDisruptionBudgetInformer }
type PodDisruptionBudgetInformer interface{ Informer() any }
`,
		"k8s.io/client-go/informers/policy/stub.go": `package policy
import (
	"k8s.io/client-go/informers/policy/v1"
	"k8s.io/client-go/informers/policy/v1beta1"
)
type Interface interface {
	V1() v1.Interface
	V1beta1() v1beta1.Interface
}
`,
		"example.org/old/old.go": `package old
import "k8s.io/client-go/informers/policy"
func watch(f policy.Interface) []any {
	return []any{
		f.V1beta1().PodDisruptionBudgets().Informer(), // want "policy/v1beta1 PodDisruptionBudget was removed in 1.25; use policy/v1 PodDisruptionBudget .call Policy...V1..."
		f.V1beta1().PodSecurityPolicies().Informer(), // want "policy/v1beta1 PodSecurityPolicy was removed in 1.25$"
	}
}
`,
		"example.org/current/current.go": `package current
import "k8s.io/client-go/informers/policy"
func watch(f policy.Interface) any { return f.V1().PodDisruptionBudgets().Informer() }
`,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer cleanup()
	analysistest.Run(t, dir, removedapi.Analyzer, "example.org/old", "example.org/current")
}
