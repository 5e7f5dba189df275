// Package schemes adds versions to a scheme, which sends no request.
package schemes

import (
	"context"

	batchv1beta1 "k8s.io/api/batch/v1beta1"
	policyv1beta1 "k8s.io/api/policy/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func scheme() (*runtime.Scheme, error) {
	s := runtime.NewScheme()
	if err := batchv1beta1.AddToScheme(s); err != nil {
		return nil, err
	}
	return s, policyv1beta1.AddToScheme(s)
}

func budget(ctx context.Context, c client.Client) error {
	return c.Create(ctx, &policyv1beta1.PodDisruptionBudget{}) // want `^policy/v1beta1 PodDisruptionBudget is served by 1.20 and was removed in 1.25`
}
