// Package mixedmanager has kinds that are applied and updated, and similar kinds
// that have no finding.
package mixedmanager

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	applyappsv1 "k8s.io/client-go/applyconfigurations/apps/v1"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const manager = "operator"

func typed(ctx context.Context, cs kubernetes.Interface, d *applyappsv1.DeploymentApplyConfiguration, live *appsv1.Deployment) {
	deployments := cs.AppsV1().Deployments("default")
	deployments.Apply(ctx, d, metav1.ApplyOptions{FieldManager: manager, Force: true})
	deployments.Update(ctx, live, metav1.UpdateOptions{FieldManager: manager})
	deployments.Update(ctx, live, metav1.UpdateOptions{}) // want `Deployment is written here with no field manager, and applied with "operator" elsewhere in the package`
	deployments.Patch(ctx, live.Name, types.MergePatchType, nil, metav1.PatchOptions{FieldManager: "other"})
	deployments.UpdateStatus(ctx, live, metav1.UpdateOptions{})
	deployments.Create(ctx, live, metav1.CreateOptions{})
	deployments.Delete(ctx, live.Name, metav1.DeleteOptions{})
}

// All writes have the same manager.
func same(ctx context.Context, cs kubernetes.Interface, cm *applycorev1.ConfigMapApplyConfiguration, live *corev1.ConfigMap) {
	cs.CoreV1().ConfigMaps("default").Apply(ctx, cm, metav1.ApplyOptions{FieldManager: manager})
	cs.CoreV1().ConfigMaps("default").Update(ctx, live, metav1.UpdateOptions{FieldManager: manager})
}

func runtime(ctx context.Context, c client.Client, pod, base *corev1.Pod, secret *corev1.Secret) {
	c.Patch(ctx, pod, client.Apply, client.FieldOwner(manager), client.ForceOwnership)
	c.Patch(ctx, pod, client.MergeFrom(base), client.FieldOwner("other")) // want `Pod is written here with field manager "other", and applied with "operator"`
	c.Status().Patch(ctx, pod, client.MergeFrom(base))

	// No code applies secrets.
	c.Update(ctx, secret)
}

// The manager is not known.
func given(ctx context.Context, c client.Client, node *corev1.Node, name string) {
	c.Patch(ctx, node, client.Apply, client.FieldOwner(name))
	c.Update(ctx, node)
}
