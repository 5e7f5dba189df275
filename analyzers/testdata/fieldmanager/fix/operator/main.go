// Command operator writes with the configuration of its manager. A fix must not change
// this configuration in the reconciler, because other code reads it at the same time.
package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
)

type reconciler struct {
	mgr ctrl.Manager
	cfg *rest.Config
}

func main() {
	cfg := ctrl.GetConfigOrDie()
	mgr, err := ctrl.NewManager(cfg, ctrl.Options{})
	if err != nil {
		panic(err)
	}
	r := &reconciler{mgr, cfg}
	if err := r.Reconcile(context.Background(), &corev1.Pod{}); err != nil {
		panic(err)
	}
}

// Reconcile updates a pod in several ways.
func (r *reconciler) Reconcile(ctx context.Context, pod *corev1.Pod) error {
	config := r.mgr.GetConfig()
	if _, err := kubernetes.NewForConfigOrDie(config).CoreV1().Pods("default").Update(ctx, pod, metav1.UpdateOptions{}); err != nil {
		return err
	}
	if _, err := kubernetes.NewForConfigOrDie(r.cfg).CoreV1().Pods("default").Update(ctx, pod, metav1.UpdateOptions{}); err != nil {
		return err
	}
	func() {
		if _, err := dynamic.NewForConfig(config); err != nil {
			panic(err)
		}
	}()
	return update(ctx, r.cfg, pod)
}

func update(ctx context.Context, config *rest.Config, pod *corev1.Pod) error {
	if config == nil {
		config = ctrl.GetConfigOrDie()
	}
	pods := kubernetes.NewForConfigOrDie(config).CoreV1().Pods("default") // want `the API server records 4 writes`
	if _, err := pods.Create(ctx, pod, metav1.CreateOptions{}); err != nil {
		return err
	}
	_, err := pods.Update(ctx, pod, metav1.UpdateOptions{})
	return err
}
