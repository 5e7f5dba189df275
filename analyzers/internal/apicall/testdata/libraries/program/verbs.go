package program

import (
	"context"

	"example.org/helper/edit"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func edited(ctx context.Context, c client.Client, pod, other *corev1.Pod) {
	e := &edit.Editor{Client: c}
	_ = e.Run(ctx, pod)               // want `^wrapper createorpatch v1/Pod fm=unknown force=unknown`
	_ = e.Again(ctx, pod)             // want `^wrapper createorpatch v1/Pod fm=unknown force=unknown`
	_ = e.Patch(ctx, pod)             // want `^wrapper patch v1/Pod`
	_ = edit.Store(ctx, c, pod)       // want `^wrapper createorupdate v1/Pod`
	_ = edit.Start(ctx, c, pod)       // want `^wrapper create v1/Pod`
	_ = edit.Move(ctx, c, pod, other) // want `^wrapper create `
}
