// Command manager builds the clients for writes in other packages of its module.
// It has one finding, at the client with most of the writes.
package main

import (
	"context"

	"example.org/clients/fieldmanager/clients"
	"example.org/clients/fieldmanager/controllers"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"
)

func main() {
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{}) // want `the API server records 6 writes in 3 packages of this program under the field manager "manager", the name of the binary, which other programs share: set FieldOwner in its client.Options`
	if err != nil {
		panic(err)
	}
	r := &controllers.Reconciler{Client: mgr.GetClient(), Clientset: kubernetes.NewForConfigOrDie(mgr.GetConfig())}
	if _, err := r.Reconcile(context.Background(), &corev1.Pod{}); err != nil {
		panic(err)
	}
	services, err := clients.New(mgr.GetConfig())
	if err != nil {
		panic(err)
	}
	if err := services.Remember(context.Background(), &corev1.Pod{}); err != nil {
		panic(err)
	}
	if _, err := services.Clientset.CoreV1().Pods("default").Update(context.Background(), &corev1.Pod{}, metav1.UpdateOptions{}); err != nil {
		panic(err)
	}
}
