// Command manager sets its user agent before it builds clients.
package main

import (
	"context"

	"example.org/clients/fieldmanager/clients"
	"example.org/clients/fieldmanager/controllers"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
)

func main() {
	cfg := ctrl.GetConfigOrDie()
	cfg.UserAgent = "shop-operator/1.2"
	mgr, err := ctrl.NewManager(cfg, ctrl.Options{})
	if err != nil {
		panic(err)
	}
	services, err := clients.New(mgr.GetConfig())
	if err != nil {
		panic(err)
	}
	if err := services.Remember(context.Background(), &corev1.Pod{}); err != nil {
		panic(err)
	}
	r := &controllers.Reconciler{Client: mgr.GetClient(), Clientset: services.Clientset}
	if _, err := r.Reconcile(context.Background(), &corev1.Pod{}); err != nil {
		panic(err)
	}
}
