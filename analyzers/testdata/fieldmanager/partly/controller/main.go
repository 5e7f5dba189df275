// Command controller sets a field owner only for the client of its manager.
package main

import (
	"context"

	"example.org/clients/fieldmanager/controllers"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func main() {
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{Client: client.Options{FieldOwner: "shop-operator"}})
	if err != nil {
		panic(err)
	}
	if err := controllers.Status(context.Background(), mgr.GetClient(), &corev1.Pod{}); err != nil {
		panic(err)
	}
	cs := kubernetes.NewForConfigOrDie(ctrl.GetConfigOrDie()) // want `the API server records 1 write of this program under the field manager "controller", the name of the binary, which other programs share: set UserAgent in its configuration`
	if _, err := cs.CoreV1().Pods("default").Update(context.Background(), &corev1.Pod{}, metav1.UpdateOptions{}); err != nil {
		panic(err)
	}
}
