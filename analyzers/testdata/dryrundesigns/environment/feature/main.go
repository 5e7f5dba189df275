// Package main asks whether the server has a feature with the name of a dry run. This is
// not the user's wish for a dry run.
package main

import (
	"context"
	"log"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

type reaper struct {
	clients *kubernetes.Clientset
	preview bool
}

func has(features []string, name string) bool {
	return strings.Contains(strings.Join(features, ","), name)
}

func (r *reaper) reap(ctx context.Context, name string) error {
	if r.preview {
		log.Print("the server has dry runs")
	}
	return r.clients.CoreV1().Pods("shop").Delete(ctx, name, metav1.DeleteOptions{})
}

func main() {
	cfg, err := rest.InClusterConfig()
	if err != nil {
		log.Fatal(err)
	}
	r := &reaper{clients: kubernetes.NewForConfigOrDie(cfg), preview: has([]string{"APPLY", "DRY_RUN"}, "DRY_RUN")}
	if err := r.reap(context.Background(), "web"); err != nil {
		log.Print(err)
	}
}
