// Package cli is analyzed with mode=cli, the default.
package cli

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const owner = client.FieldOwner("example")

func typed(ctx context.Context, cs kubernetes.Interface, cm *applycorev1.ConfigMapApplyConfiguration) error {
	_, err := cs.CoreV1().ConfigMaps("default").Apply(ctx, cm, metav1.ApplyOptions{FieldManager: "a", Force: true}) // want `this apply forces at the first attempt`
	return err
}

func typedUnforced(ctx context.Context, cs kubernetes.Interface, cm *applycorev1.ConfigMapApplyConfiguration) error {
	_, err := cs.CoreV1().ConfigMaps("default").Apply(ctx, cm, metav1.ApplyOptions{FieldManager: "a"})
	return err
}

func dynamicPatch(ctx context.Context, d dynamic.ResourceInterface, data []byte) error {
	force := true
	_, err := d.Patch(ctx, "a", types.ApplyPatchType, data, metav1.PatchOptions{FieldManager: "a", Force: &force}) // want `this apply forces`
	return err
}

func dynamicAsked(ctx context.Context, d dynamic.ResourceInterface, data []byte, force bool) error {
	_, err := d.Patch(ctx, "a", types.ApplyPatchType, data, metav1.PatchOptions{FieldManager: "a", Force: &force})
	return err
}

func runtimePatch(ctx context.Context, c client.Client, obj client.Object) error {
	return c.Patch(ctx, obj, client.Apply, owner, client.ForceOwnership) // want `this apply forces`
}

func runtimeStatus(ctx context.Context, c client.Client, obj client.Object) error {
	return c.Status().Patch(ctx, obj, client.Apply, owner, client.ForceOwnership) // want `this apply forces`
}

func runtimeDry(ctx context.Context, c client.Client, obj client.Object) error {
	return c.Patch(ctx, obj, client.Apply, owner, client.ForceOwnership, client.DryRunAll)
}

func onConflict(ctx context.Context, c client.Client, u *unstructured.Unstructured) error {
	config := client.ApplyConfigurationFromUnstructured(u)
	err := c.Apply(ctx, config, owner)
	if !apierrors.IsConflict(err) {
		return err
	}
	return c.Apply(ctx, config, owner, client.ForceOwnership)
}

func force(ctx context.Context, c client.Client, u *unstructured.Unstructured) error {
	return c.Apply(ctx, client.ApplyConfigurationFromUnstructured(u), owner, client.ForceOwnership)
}

func inHelper(ctx context.Context, c client.Client, u *unstructured.Unstructured) error {
	err := c.Apply(ctx, client.ApplyConfigurationFromUnstructured(u), owner)
	if apierrors.IsConflict(err) {
		return force(ctx, c, u)
	}
	return err
}
