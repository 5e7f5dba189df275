package types

import "k8s.io/api/policy/v1beta1"

// Other code of the package creates the objects.
func first(a, b *v1beta1.PodDisruptionBudget) *v1beta1.PodDisruptionBudget {
	if a.Name < b.Name {
		return a
	}
	return b
}

func spec(a *v1beta1.PodDisruptionBudget) v1beta1.PodDisruptionBudgetSpec { return a.Spec }
