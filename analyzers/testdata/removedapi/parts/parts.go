// Package parts uses the type of a part in an object of its own, and never sends
// an object of the removed kind.
package parts

import (
	policyv1beta1 "k8s.io/api/policy/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type Web struct {
	metav1.ObjectMeta
	Budget policyv1beta1.PodDisruptionBudgetSpec
}
