// Command server has no constant for a manager. Its module has several programs.
package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

func main() {
	cfg, err := rest.InClusterConfig()
	if err != nil {
		panic(err)
	}
	cs, err := kubernetes.NewForConfig(cfg) // want `the API server records 1 write`
	if err != nil {
		panic(err)
	}
	if _, err := dynamic.NewForConfig(cfg); err != nil {
		panic(err)
	}
	if _, err = cs.CoreV1().Pods("default").Update(context.Background(), &corev1.Pod{}, metav1.UpdateOptions{}); err != nil {
		panic(err)
	}
}
