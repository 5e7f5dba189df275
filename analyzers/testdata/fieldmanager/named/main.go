// Command named builds one of the clients, with a name.
package main

import (
	"context"

	"example.org/clients/fieldmanager/controllers"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func main() {
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{Client: client.Options{FieldOwner: "operator"}})
	if err != nil {
		panic(err)
	}
	r := &controllers.Reconciler{Client: mgr.GetClient()}
	if _, err := r.Reconcile(context.Background(), &corev1.Pod{}); err != nil {
		panic(err)
	}
}
