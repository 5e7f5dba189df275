// Package forcenonapply has patches with force, and similar patches in which force
// is allowed.
package forcenonapply

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/scale"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func typed(ctx context.Context, cs kubernetes.Interface, name string, data []byte) {
	pods := cs.CoreV1().Pods("default")
	pods.Patch(ctx, name, types.MergePatchType, data, metav1.PatchOptions{Force: ptr.To(true)})                            // want `force on a merge patch is refused by the server, which allows it on apply patches only`
	pods.Patch(ctx, name, types.JSONPatchType, data, metav1.PatchOptions{FieldManager: "me", Force: ptr.To(false)})        // want `force on a JSON patch is refused`
	pods.Patch(ctx, name, types.StrategicMergePatchType, data, metav1.PatchOptions{Force: ptr.To(true), FieldManager: ""}) // want `force on a strategic merge patch is refused`
	pods.Patch(ctx, name, types.ApplyPatchType, data, metav1.PatchOptions{FieldManager: "me", Force: ptr.To(true)})
	pods.Patch(ctx, name, types.MergePatchType, data, metav1.PatchOptions{FieldManager: "me"})
	pods.Patch(ctx, name, types.MergePatchType, data, metav1.PatchOptions{Force: nil})
}

func lines(ctx context.Context, cs kubernetes.Interface, name string, data []byte) {
	cs.CoreV1().Pods("default").Patch(ctx, name, types.MergePatchType, data, metav1.PatchOptions{
		FieldManager: "me",         // field manager
		Force:        ptr.To(true), // want `force on a merge patch`
		DryRun:       []string{metav1.DryRunAll},
	})
	cs.CoreV1().Pods("default").Patch(ctx, name, types.MergePatchType, data, metav1.PatchOptions{
		Force: ptr.To(true), // want `force on a merge patch`
	})
}

// There is no fix, because the variable would be left unused.
func local(ctx context.Context, cs kubernetes.Interface, name string, data []byte) {
	force := false
	cs.CoreV1().Pods("default").Patch(ctx, name, types.MergePatchType, data, metav1.PatchOptions{Force: &force}) // want `force on a merge patch`
}

func assigned(ctx context.Context, r dynamic.ResourceInterface, name string, data []byte) {
	var opts metav1.PatchOptions
	opts.FieldManager = "me"
	opts.Force = ptr.To(true) // want `force on a merge patch`
	r.Patch(ctx, name, types.MergePatchType, data, opts)

	var other metav1.PatchOptions
	other.FieldManager = "me"
	other.Force = ptr.To(true)
	r.Patch(ctx, name, types.ApplyYAMLPatchType, data, other)
}

// There is no fix, because an apply uses the same options and needs force.
func both(ctx context.Context, r dynamic.ResourceInterface, name string, data []byte) {
	opts := metav1.PatchOptions{FieldManager: "me", Force: ptr.To(true)} // want `force on a merge patch`
	r.Patch(ctx, name, types.ApplyYAMLPatchType, data, opts)
	r.Patch(ctx, name, types.MergePatchType, data, opts)
}

func others(ctx context.Context, m metadata.ResourceInterface, s scale.ScaleInterface, gr metav1.APIResource, name string, data []byte) {
	m.Patch(ctx, name, types.MergePatchType, data, metav1.PatchOptions{Force: ptr.To(true)}) // want `force on a merge patch`
	m.Patch(ctx, name, types.MergePatchType, data, metav1.PatchOptions{})
}

func runtime(ctx context.Context, c client.Client, pod, base *corev1.Pod, data []byte, patch client.Patch) {
	c.Patch(ctx, pod, client.MergeFrom(base), client.ForceOwnership, client.FieldOwner("me")) // want `force on a merge patch`
	c.Patch(ctx, pod, client.MergeFrom(base), client.FieldOwner("me"), client.ForceOwnership) // want `force on a merge patch`
	c.Patch(ctx, pod, client.StrategicMergeFrom(base), client.ForceOwnership)                 // want `force on a strategic merge patch`
	c.Patch(ctx, pod, client.RawPatch(types.JSONPatchType, data), client.ForceOwnership)      // want `force on a JSON patch`
	c.Status().Patch(ctx, pod, client.MergeFrom(base), client.ForceOwnership)                 // want `force on a merge patch`
	c.Patch(ctx, pod, client.Apply, client.FieldOwner("me"), client.ForceOwnership)
	c.Patch(ctx, pod, client.MergeFrom(base), client.FieldOwner("me"))
	c.Patch(ctx, pod, patch, client.ForceOwnership)
}

// The kind of patch, or force, is not known.
func unknown(ctx context.Context, cs kubernetes.Interface, kind types.PatchType, name string, data []byte, force *bool) {
	pods := cs.CoreV1().Pods("default")
	pods.Patch(ctx, name, kind, data, metav1.PatchOptions{Force: ptr.To(true)})
	pods.Patch(ctx, name, types.MergePatchType, data, metav1.PatchOptions{Force: force})
}
