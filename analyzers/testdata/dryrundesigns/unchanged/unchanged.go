// Package unchanged sends objects that a dry run leaves as they were read.
package unchanged

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func Restart(ctx context.Context, c client.Client, key client.ObjectKey, dryRun bool) error {
	deployment := &appsv1.Deployment{}
	if err := c.Get(ctx, key, deployment); err != nil {
		return err
	}
	patch := client.StrategicMergeFrom(deployment.DeepCopy())
	if !dryRun {
		if deployment.Spec.Template.Annotations == nil {
			deployment.Spec.Template.Annotations = map[string]string{}
		}
		deployment.Spec.Template.Annotations["restartedAt"] = "now"
	} else {
		println("would restart", deployment.Name)
	}
	return c.Patch(ctx, deployment, patch)
}

func RestartTwice(ctx context.Context, c client.Client, key client.ObjectKey, dryRun bool) error {
	deployment := &appsv1.Deployment{}
	if err := c.Get(ctx, key, deployment); err != nil {
		return err
	}
	patch := client.MergeFrom(deployment.DeepCopy())
	deployment.Labels["restarted"] = "true"
	if !dryRun {
		deployment.Spec.Template.Annotations["restartedAt"] = "now"
	}
	return c.Patch(ctx, deployment, patch) // want "dry run patches a Deployment"
}

func Label(ctx context.Context, cs kubernetes.Interface, dryRun bool) error {
	pod, err := cs.CoreV1().Pods("web").Get(ctx, "front", metav1.GetOptions{})
	if err != nil {
		return err
	}
	if !dryRun {
		pod.Labels["seen"] = "true"
	}
	_, err = cs.CoreV1().Pods("web").Update(ctx, pod, metav1.UpdateOptions{})
	return err
}

func LabelFor(ctx context.Context, cs kubernetes.Interface, dryRun bool) error {
	pod, err := cs.CoreV1().Pods("web").Get(ctx, "front", metav1.GetOptions{})
	if err != nil {
		return err
	}
	mark(pod)
	if !dryRun {
		pod.Labels["seen"] = "true"
	}
	_, err = cs.CoreV1().Pods("web").Update(ctx, pod, metav1.UpdateOptions{}) // want "dry run updates a Pod"
	return err
}

func mark(pod *corev1.Pod) { pod.Labels["mark"] = "true" }

func Create(ctx context.Context, cs kubernetes.Interface, dryRun bool) error {
	pod := &corev1.Pod{}
	if !dryRun {
		pod.Name = "front"
	}
	_, err := cs.CoreV1().Pods("web").Create(ctx, pod, metav1.CreateOptions{}) // want "dry run creates a Pod"
	return err
}
