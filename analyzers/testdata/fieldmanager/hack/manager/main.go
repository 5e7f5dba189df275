// Command manager is a tool for developers, and is not deployed.
package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

func main() {
	cs := kubernetes.NewForConfigOrDie(&rest.Config{Host: "shop"})
	if _, err := cs.CoreV1().Pods("default").Create(context.Background(), &corev1.Pod{}, metav1.CreateOptions{}); err != nil {
		panic(err)
	}
}
