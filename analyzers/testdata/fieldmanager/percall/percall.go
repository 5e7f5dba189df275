// Package percall is analyzed with the flag calls.
package percall

import (
	"context"

	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const fieldManager = "operator"

func typed(ctx context.Context, cs kubernetes.Interface, pod *corev1.Pod, cm *applycorev1.ConfigMapApplyConfiguration, ev *policyv1.Eviction, sar *authorizationv1.SubjectAccessReview) {
	pods := cs.CoreV1().Pods("default")
	pods.Create(ctx, pod, metav1.CreateOptions{})                                      // want `Create names no field manager: set FieldManager in its options`
	pods.Update(ctx, pod, metav1.UpdateOptions{DryRun: []string{"All"}})               // want `Update names no field manager`
	pods.UpdateStatus(ctx, pod, metav1.UpdateOptions{})                                // want `UpdateStatus names no field manager`
	pods.Patch(ctx, "x", types.MergePatchType, nil, metav1.PatchOptions{})             // want `Patch names no field manager`
	cs.CoreV1().ConfigMaps("default").Apply(ctx, cm, metav1.ApplyOptions{Force: true}) // want `Apply names no field manager`
	pods.Create(ctx, pod, metav1.CreateOptions{FieldManager: fieldManager})
	pods.Update(ctx, pod, metav1.UpdateOptions{FieldManager: fieldManager})
	pods.Patch(ctx, "x", types.MergePatchType, nil, metav1.PatchOptions{FieldManager: fieldManager})
	cs.CoreV1().ConfigMaps("default").Apply(ctx, cm, metav1.ApplyOptions{FieldManager: fieldManager})

	// Deletes have no manager.
	pods.Delete(ctx, "x", metav1.DeleteOptions{})
	pods.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{})
	pods.EvictV1(ctx, ev)
	cs.AuthorizationV1().SubjectAccessReviews().Create(ctx, sar, metav1.CreateOptions{})
	pods.Bind(ctx, &corev1.Binding{}, metav1.CreateOptions{})
}

func dynamically(ctx context.Context, r dynamic.ResourceInterface, m metadata.ResourceInterface, u *unstructured.Unstructured) {
	r.Create(ctx, u, metav1.CreateOptions{}) // want `Create names no field manager`
	r.Create(ctx, u, metav1.CreateOptions{FieldManager: fieldManager})
	m.Patch(ctx, "x", types.MergePatchType, nil, metav1.PatchOptions{}) // want `Patch names no field manager`
	m.Patch(ctx, "x", types.MergePatchType, nil, metav1.PatchOptions{FieldManager: fieldManager})
}

func runtime(ctx context.Context, c client.Client, pod, base *corev1.Pod, more ...client.UpdateOption) {
	c.Create(ctx, pod)                                              // want `Create names no field manager: pass client.FieldOwner`
	c.Patch(ctx, pod, client.MergeFrom(base), client.DryRunAll)     // want `Patch names no field manager`
	c.Status().Update(ctx, pod)                                     // want `Update names no field manager`
	c.SubResource("resize").Patch(ctx, pod, client.MergeFrom(base)) // want `Patch names no field manager`
	controllerutil.CreateOrUpdate(ctx, c, pod, nil)                 // want `CreateOrUpdate names no field manager: it takes no options, so wrap its client with client.WithFieldOwner`
	c.Create(ctx, pod, client.FieldOwner(fieldManager))
	c.Update(ctx, pod, &client.UpdateOptions{FieldManager: fieldManager})
	c.Update(ctx, pod, more...)
	c.Status().Update(ctx, pod, client.FieldOwner(fieldManager))
	c.Delete(ctx, pod)
	c.Create(ctx, &authorizationv1.SubjectAccessReview{})
	c.SubResource("eviction").Create(ctx, pod, &policyv1.Eviction{})
	c.SubResource("kubeconfig").Create(ctx, pod, &kubeconfigRequest{})

	owned := client.WithFieldOwner(c, fieldManager)
	owned.Create(ctx, pod)
	owned.Status().Update(ctx, pod)
	controllerutil.CreateOrUpdate(ctx, owned, pod, nil)
}

// kubeconfigRequest is the body of a subresource that stores nothing.
type kubeconfigRequest struct{ corev1.Pod }
