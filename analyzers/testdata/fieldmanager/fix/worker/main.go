// Command worker builds several clients from one configuration. The fix sets the user agent
// before the first of them, also if this is not the client that writes.
package main

import (
	"context"
	"flag"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

func main() {
	elect := flag.Bool("elect", false, "elect a leader")
	path := flag.String("kubeconfig", "", "a kubeconfig")
	flag.Parse()
	cfg, err := rest.InClusterConfig()
	if err != nil {
		cfg, err = clientcmd.BuildConfigFromFlags("", *path)
	}
	if err != nil {
		panic(err)
	}
	if *elect {
		if _, err := kubernetes.NewForConfig(cfg); err != nil {
			panic(err)
		}
	}
	if _, err := dynamic.NewForConfig(cfg); err != nil {
		panic(err)
	}
	cs := kubernetes.NewForConfigOrDie(cfg) // want `the API server records 1 write`
	if _, err = cs.CoreV1().Pods("default").Update(context.Background(), &corev1.Pod{}, metav1.UpdateOptions{}); err != nil {
		panic(err)
	}
}
