// Package wrappers writes with functions of other projects.
package wrappers

import (
	"context"

	fluxssa "github.com/fluxcd/pkg/ssa"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

func flux(ctx context.Context, c client.Client, u *unstructured.Unstructured) {
	m := fluxssa.NewResourceManager(c, nil, fluxssa.Owner{Field: "flux", Group: "g"})
	m.Apply(ctx, u, fluxssa.DefaultApplyOptions())                                  // want `^wrapper apply fm=set=flux\(client\) force=set=true`
	m.ApplyAll(ctx, []*unstructured.Unstructured{u}, fluxssa.DefaultApplyOptions()) // want `^wrapper apply fm=set=flux\(client\) force=set=true`
}

func createOr(ctx context.Context, c client.Client, pod *corev1.Pod) {
	controllerutil.CreateOrUpdate(ctx, c, pod, func() error { return nil })                             // want `^createor createorupdate v1/Pod fm=unknown .*own fm=unset`
	ctrl.CreateOrUpdate(ctx, c, pod, func() error { return nil })                                       // want `^createor createorupdate v1/Pod fm=unknown .*own fm=unset`
	controllerutil.CreateOrPatch(ctx, client.WithFieldOwner(c, "me"), pod, func() error { return nil }) // want `^createor createorpatch v1/Pod fm=set=me\(client\)`
}
