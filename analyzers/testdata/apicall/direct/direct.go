// Package direct calls clients with options that are written at the call.
package direct

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func typed(ctx context.Context, c kubernetes.Interface, pod *corev1.Pod, data []byte) {
	pods := c.CoreV1().Pods("default")
	pods.Create(ctx, pod, metav1.CreateOptions{})                                                                                  // want `^typed create .*fm=unset force=unset dryrun=unset validation=unset `
	pods.Create(ctx, pod, metav1.CreateOptions{FieldManager: "me", DryRun: []string{metav1.DryRunAll}, FieldValidation: "Strict"}) // want `^typed create .*fm=set=me force=unset dryrun=set=\[All\] validation=set=Strict `
	pods.UpdateStatus(ctx, pod, metav1.UpdateOptions{FieldManager: ""})                                                            // want `^typed update sub=status .*fm=set= force=unset dryrun=unset`
	pods.Patch(ctx, "p", types.MergePatchType, data, metav1.PatchOptions{})                                                        // want `^typed patch patch=application/merge-patch\+json .*fm=unset`
	pods.Patch(ctx, "p", types.ApplyPatchType, data, metav1.PatchOptions{FieldManager: "me"}, "status")                            // want `^typed apply sub=status .*fm=set=me`
	pods.Delete(ctx, "p", metav1.DeleteOptions{DryRun: []string{"all"}})                                                           // want `^typed delete .*dryrun=set=\[all\]`
	pods.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{})                                                       // want `^typed deletecollection .*dryrun=unset`
	pods.Get(ctx, "p", metav1.GetOptions{})
}

func dynamically(ctx context.Context, c dynamic.ResourceInterface, u *unstructured.Unstructured, owner string) {
	c.Create(ctx, u, metav1.CreateOptions{}, "status")                          // want `^dynamic create sub=status fm=unset`
	c.Apply(ctx, "x", u, metav1.ApplyOptions{FieldManager: owner, Force: true}) // want `^dynamic apply fm=set:owner force=set=true dryrun=unset`
	c.ApplyStatus(ctx, "x", u, metav1.ApplyOptions{Force: true})                // want `^dynamic apply sub=status fm=unset force=set=true dryrun=unset`
}

func runtime(ctx context.Context, c client.Client, pod *corev1.Pod) {
	c.Create(ctx, pod)                                                                                                     // want `^runtime create .*fm=unknown`
	c.Update(ctx, pod, client.FieldOwner("me"), client.DryRunAll)                                                          // want `^runtime update .*fm=set=me force=unset dryrun=set=\[All\]`
	c.Patch(ctx, pod, client.Apply, client.ForceOwnership, client.FieldOwner("me"))                                        // want `^runtime apply .*fm=set=me force=set=true`
	c.Patch(ctx, pod, client.MergeFrom(pod))                                                                               // want `^runtime patch patch=application/merge-patch\+json .*`
	c.Status().Update(ctx, pod, &client.SubResourceUpdateOptions{UpdateOptions: client.UpdateOptions{FieldManager: "me"}}) // want `^runtime subresource update .*fm=set=me`
	c.DeleteAllOf(ctx, pod, client.InNamespace("x"))                                                                       // want `^runtime deletecollection `
}
