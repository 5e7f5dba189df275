// Command driver gets a configuration that the program does not make here, or that is not
// in a variable, so there is no fix.
package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

var shared rest.Config

func main() {
	if _, err := dynamic.NewForConfig(&rest.Config{Host: "shop"}); err != nil {
		panic(err)
	}
	if err := update(context.Background(), &shared, &corev1.Pod{}); err != nil {
		panic(err)
	}
}

func update(ctx context.Context, config *rest.Config, pod *corev1.Pod) error {
	cs := kubernetes.NewForConfigOrDie(rest.CopyConfig(config)) // want `the API server records 1 write`
	_, err := cs.CoreV1().Pods("default").Update(ctx, pod, metav1.UpdateOptions{})
	return err
}
