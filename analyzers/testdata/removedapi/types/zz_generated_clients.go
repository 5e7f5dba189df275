package types

import (
	"context"

	policyv1beta1 "k8s.io/api/policy/v1beta1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// The name of the file shows that it is generated.
func generated(ctx context.Context, c client.Client) error {
	return c.Create(ctx, &policyv1beta1.PodDisruptionBudget{})
}
