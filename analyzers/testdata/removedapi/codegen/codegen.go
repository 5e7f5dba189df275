// Package codegen is a generator of clients.
package codegen

import policyv1beta1 "k8s.io/api/policy/v1beta1"

var kinds = []any{
	policyv1beta1.PodDisruptionBudget{},
	&policyv1beta1.PodDisruptionBudget{}, /* info */ // want `policy/v1beta1 PodDisruptionBudget was removed`
}
