// Command program builds the clients that another package of its module is
// handed.
package main

import (
	"context"

	"example.org/clients/fieldmanager/controllers"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"
)

func main() {
	cfg := ctrl.GetConfigOrDie()
	mgr, err := ctrl.NewManager(cfg, ctrl.Options{}) // want `5 writes through the clients built here name no field manager, so the server signs with the binary's name, taken from the user agent: set FieldOwner in its client.Options`
	if err != nil {
		panic(err)
	}
	r := &controllers.Reconciler{Client: mgr.GetClient(), Clientset: kubernetes.NewForConfigOrDie(cfg)}
	if _, err := r.Reconcile(context.Background(), &corev1.Pod{}); err != nil {
		panic(err)
	}
}
