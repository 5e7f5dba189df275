// Command webhook has a configuration that is not in a variable.
package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"
)

func main() {
	if cs, err := kubernetes.NewForConfig(ctrl.GetConfigOrDie()); err != nil { // want `the API server records 1 write`
		panic(err)
	} else if _, err = cs.CoreV1().Pods("default").Update(context.Background(), &corev1.Pod{}, metav1.UpdateOptions{}); err != nil {
		panic(err)
	}
}
