package types

import "k8s.io/api/policy/v1beta1"

func isBudget(o any) bool {
	_, ok := o.(*v1beta1.PodDisruptionBudget)
	return ok
}
