// Package parts borrows a type for an object of its own, which no server is
// ever sent as the other kind.
package parts

import (
	policyv1beta1 "k8s.io/api/policy/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type Web struct {
	metav1.ObjectMeta
	Budget policyv1beta1.PodDisruptionBudgetSpec
}
