// Package mentioned gets its objects from other code. Only the first place that
// names the kind is reported.
package mentioned

import (
	"k8s.io/api/policy/v1beta1"
	listers "k8s.io/client-go/listers/policy/v1beta1"
)

func first(a, b *v1beta1.PodDisruptionBudget) *v1beta1.PodDisruptionBudget { // want `policy/v1beta1 PodDisruptionBudget was removed in 1.25; use policy/v1 PodDisruptionBudget \(import k8s.io/api/policy/v1\)`
	if a.Name < b.Name {
		return a
	}
	return b
}

func none() (v1beta1.PodDisruptionBudget, error) { return v1beta1.PodDisruptionBudget{}, nil }

type controller struct {
	budgets listers.PodDisruptionBudgetLister
}

func spec(a *v1beta1.PodDisruptionBudget) v1beta1.PodDisruptionBudgetSpec { return a.Spec }
