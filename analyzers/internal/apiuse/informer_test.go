package apiuse_test

import (
	"testing"

	"github.com/kubevet/kubevet/analyzers/removedapi"
	"golang.org/x/tools/go/analysis/analysistest"
)

// TestInformers has its own stubs, because it needs informers of old and of new
// releases of client-go.
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

// TestWhole has its own stubs, because it needs a version with fewer kinds than the
// newest release has.
func TestWhole(t *testing.T) {
	dir, cleanup, err := analysistest.WriteFiles(map[string]string{
		"k8s.io/api/networking/v1beta1/stub.go": `package v1beta1
type Ingress struct{}
type IngressList struct{}
type IngressClass struct{}
type Object interface{}
var AddToScheme func(any) error
`,
		"example.org/whole/whole.go": `package whole
import "k8s.io/api/networking/v1beta1"
func scheme(s any) error { return v1beta1.AddToScheme(s) } // want "^networking.k8s.io/v1beta1 was removed in 1.22; use networking.k8s.io/v1 .import"
`,
		"example.org/extnv1beta1/client/client.go": `package client
import "k8s.io/api/networking/v1beta1"
func object() any { return &v1beta1.Ingress{} }
`,
		"example.org/v1beta1/client/client.go": `package client
import "k8s.io/api/networking/v1beta1"
func object() any { return &v1beta1.Ingress{} } // want "networking.k8s.io/v1beta1 Ingress was removed"
`,
		"example.org/v1beta1/client/fake_client.go": `package client
import "k8s.io/api/networking/v1beta1"
func fake() any { return &v1beta1.Ingress{} }
`,
		// The file has a finding about the kind, and so none about the version.
		"example.org/kinds/kinds.go": `package kinds
import "k8s.io/api/networking/v1beta1"
func scheme(s any) error { return v1beta1.AddToScheme(s) }
func object() *v1beta1.Ingress { return &v1beta1.Ingress{} } // want "^networking.k8s.io/v1beta1 Ingress was removed in 1.22"
// A conversion keeps what it gets.
type cell v1beta1.Ingress
func cells(all []cell) (out []v1beta1.Ingress) {
	for _, c := range all { out = append(out, v1beta1.Ingress(c)) }
	return out
}
`,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer cleanup()
	analysistest.Run(t, dir, removedapi.Analyzer, "example.org/whole", "example.org/kinds", "example.org/extnv1beta1/client", "example.org/v1beta1/client")
}
