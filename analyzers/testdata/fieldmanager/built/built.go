// Package built builds clients of every family, without a name and with one.
package built

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

func typed(ctx context.Context, pod *corev1.Pod) error {
	cfg, err := rest.InClusterConfig()
	if err != nil {
		return err
	}
	cs, err := kubernetes.NewForConfig(cfg) // want `2 writes through the client built here name no field manager, so the server signs with the binary's name, taken from the user agent: set UserAgent in its configuration, or FieldManager in the calls`
	if err != nil {
		return err
	}
	if _, err := cs.CoreV1().Pods(pod.Namespace).Create(ctx, pod, metav1.CreateOptions{}); err != nil {
		return err
	}
	if err := cs.CoreV1().Pods(pod.Namespace).Delete(ctx, pod.Name, metav1.DeleteOptions{}); err != nil {
		return err
	}
	_, err = cs.CoreV1().Pods(pod.Namespace).Update(ctx, pod, metav1.UpdateOptions{})
	return err
}

// All writes are signed.
func signed(ctx context.Context, pod *corev1.Pod) error {
	cfg, err := rest.InClusterConfig()
	if err != nil {
		return err
	}
	cs, err := kubernetes.NewForConfig(cfg)
	if err != nil {
		return err
	}
	_, err = cs.CoreV1().Pods(pod.Namespace).Update(ctx, pod, metav1.UpdateOptions{FieldManager: "operator"})
	return err
}

// There is nothing to sign.
func reads(ctx context.Context, name string) error {
	cfg, err := rest.InClusterConfig()
	if err != nil {
		return err
	}
	cs, err := kubernetes.NewForConfig(cfg)
	if err != nil {
		return err
	}
	if _, err := cs.CoreV1().Pods("default").Get(ctx, name, metav1.GetOptions{}); err != nil {
		return err
	}
	return cs.CoreV1().Pods("default").Delete(ctx, name, metav1.DeleteOptions{})
}

// One finding for the clients of one configuration.
func several(ctx context.Context, pod *corev1.Pod, u *unstructured.Unstructured) error {
	cfg, err := rest.InClusterConfig()
	if err != nil {
		return err
	}
	cs := kubernetes.NewForConfigOrDie(cfg) // want `3 writes through the clients built here name no field manager`
	dyn := dynamic.NewForConfigOrDie(cfg)
	meta := metadata.NewForConfigOrDie(cfg)
	gvr := schema.GroupVersionResource{Version: "v1", Resource: "pods"}
	cs.CoreV1().Pods("default").Update(ctx, pod, metav1.UpdateOptions{})
	dyn.Resource(gvr).Namespace("default").Update(ctx, u, metav1.UpdateOptions{})
	_, err = meta.Resource(gvr).Patch(ctx, pod.Name, types.MergePatchType, nil, metav1.PatchOptions{})
	return err
}

func runtime(ctx context.Context, cfg *rest.Config, pod *corev1.Pod) error {
	c, err := client.New(ctrl.GetConfigOrDie(), client.Options{}) // want `3 writes through the client built here name no field manager, so the server signs with the binary's name, taken from the user agent: set FieldOwner in its client.Options`
	if err != nil {
		return err
	}
	c.Update(ctx, pod)
	c.Status().Update(ctx, pod)
	controllerutil.CreateOrUpdate(ctx, c, pod, func() error { return nil })

	owned, err := client.New(ctrl.GetConfigOrDie(), client.Options{FieldOwner: "operator"})
	if err != nil {
		return err
	}
	owned.Update(ctx, pod)
	owned.Status().Update(ctx, pod)
	controllerutil.CreateOrUpdate(ctx, owned, pod, func() error { return nil })

	later, err := client.New(ctrl.GetConfigOrDie(), client.Options{})
	if err != nil {
		return err
	}
	return client.WithFieldOwner(later, "operator").Update(ctx, pod)
}
