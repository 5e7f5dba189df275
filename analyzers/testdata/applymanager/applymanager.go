// Package applymanager has applies without a manager, and similar applies with a
// manager.
package applymanager

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const fieldManager = "operator"

func typed(ctx context.Context, cs kubernetes.Interface, cm *applycorev1.ConfigMapApplyConfiguration, pod *applycorev1.PodApplyConfiguration, data []byte) {
	cs.CoreV1().ConfigMaps("default").Apply(ctx, cm, metav1.ApplyOptions{Force: true})                   // want `apply without a field manager is refused by the server: set FieldManager in its options`
	cs.CoreV1().ConfigMaps("default").Apply(ctx, cm, metav1.ApplyOptions{})                              // want `apply without a field manager`
	cs.CoreV1().ConfigMaps("default").Apply(ctx, cm, metav1.ApplyOptions{FieldManager: "", Force: true}) // want `apply without a field manager`
	cs.CoreV1().ConfigMaps("default").Apply(ctx, cm, metav1.ApplyOptions{FieldManager: fieldManager})
	cs.CoreV1().Pods("default").ApplyStatus(ctx, pod, metav1.ApplyOptions{ // want `apply without a field manager`
		Force: true,
	})
	cs.CoreV1().Pods("default").ApplyStatus(ctx, pod, metav1.ApplyOptions{
		FieldManager: fieldManager,
		Force:        true,
	})
	cs.CoreV1().Pods("default").Patch(ctx, "x", types.ApplyPatchType, data, metav1.PatchOptions{}) // want `apply without a field manager`
	cs.CoreV1().Pods("default").Patch(ctx, "x", types.ApplyPatchType, data, metav1.PatchOptions{FieldManager: fieldManager})
	cs.CoreV1().Pods("default").Patch(ctx, "x", types.MergePatchType, data, metav1.PatchOptions{})
}

func dynamically(ctx context.Context, r dynamic.ResourceInterface, u *unstructured.Unstructured) {
	opts := metav1.ApplyOptions{Force: true}
	r.Apply(ctx, u.GetName(), u, opts)                        // want `apply without a field manager`
	r.ApplyStatus(ctx, u.GetName(), u, metav1.ApplyOptions{}) // want `apply without a field manager`
	opts.FieldManager = fieldManager
	r.Apply(ctx, u.GetName(), u, opts)
}

func runtime(ctx context.Context, cfg *rest.Config, pod *corev1.Pod) error {
	plain, err := client.New(cfg, client.Options{})
	if err != nil {
		return err
	}
	plain.Patch(ctx, pod, client.Apply, client.ForceOwnership) // want `apply without a field manager is refused by the server: pass client.FieldOwner`
	plain.Status().Patch(ctx, pod, client.Apply)               // want `apply without a field manager`
	plain.Patch(ctx, pod, client.Apply, client.FieldOwner(fieldManager))
	plain.Patch(ctx, pod, client.Apply, &client.PatchOptions{FieldManager: fieldManager})

	owned, err := client.New(cfg, client.Options{FieldOwner: fieldManager})
	if err != nil {
		return err
	}
	owned.Patch(ctx, pod, client.Apply)
	wrapped := client.WithFieldOwner(plain, fieldManager)
	return wrapped.Patch(ctx, pod, client.Apply)
}

// If the client or the options come from outside, the manager is not known.
func outside(ctx context.Context, c client.Client, cs kubernetes.Interface, pod *corev1.Pod, cm *applycorev1.ConfigMapApplyConfiguration, opts metav1.ApplyOptions, more ...client.PatchOption) {
	c.Patch(ctx, pod, client.Apply, client.ForceOwnership)
	c.Patch(ctx, pod, client.Apply, more...)
	cs.CoreV1().ConfigMaps("default").Apply(ctx, cm, opts)
}

// A parameter of the function can be any manager.
func given(ctx context.Context, cs kubernetes.Interface, cm *applycorev1.ConfigMapApplyConfiguration, manager string) {
	cs.CoreV1().ConfigMaps("default").Apply(ctx, cm, metav1.ApplyOptions{FieldManager: manager})
}
