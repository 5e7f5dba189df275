// Package served uses versions that 1.24 serves and has deprecated.
package served

import (
	"context"

	batchv1beta1 "k8s.io/api/batch/v1beta1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func job(ctx context.Context, c client.Client) error {
	return c.Create(ctx, &batchv1beta1.CronJob{}) // want `^batch/v1beta1 CronJob is deprecated in v1.21\+, unavailable in v1.25\+; use batch/v1 CronJob \(import k8s.io/api/batch/v1\)$`
}

var scaler = schema.GroupVersionKind{Group: "autoscaling", Version: "v2beta2", Kind: "HorizontalPodAutoscaler"} // want `^autoscaling/v2beta2 HorizontalPodAutoscaler is deprecated in v1.23\+, unavailable in v1.26\+; use autoscaling/v2 HorizontalPodAutoscaler$`

// 1.24 does not serve this version, so the rule removedapi reports it.
var ingress = schema.GroupVersionKind{Group: "extensions", Version: "v1beta1", Kind: "Ingress"}

var current = schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}
