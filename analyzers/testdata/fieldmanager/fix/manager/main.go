// Command manager has a constant for the field manager of its clients.
package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client/config"
)

const controllerName = "shop-operator"

func main() {
	ctx, pod := context.Background(), &corev1.Pod{}
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{}) // want `the API server records 3 writes`
	if err != nil {
		panic(err)
	}
	if err := mgr.GetClient().Update(ctx, pod); err != nil {
		panic(err)
	}
	if err := mgr.GetClient().Create(ctx, pod); err != nil {
		panic(err)
	}
	cfg, err := config.GetConfig()
	if err != nil {
		panic(err)
	}
	cs, err := kubernetes.NewForConfig(cfg)
	if err != nil {
		panic(err)
	}
	if _, err = cs.CoreV1().Pods("default").Update(ctx, pod, metav1.UpdateOptions{}); err != nil {
		panic(err)
	}
}
