// Command converted converts its settings to a type of its own, and reads the dry run there.
package main

import (
	"context"
	"os"

	"example.org/clients/dryrundesigns/forgotten/config"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

type wishes struct {
	DryRun    bool   `json:"dryRun"`
	Namespace string `json:"namespace"`
}

func main() {
	cfg, err := config.Load(os.Args[1])
	if err != nil {
		panic(err)
	}
	w := wishes(*cfg)
	var cs kubernetes.Interface
	if w.DryRun {
		cs = nil
	}
	_ = cs.CoreV1().Pods(w.Namespace).Delete(context.Background(), "a", metav1.DeleteOptions{})
	_ = cs.CoreV1().Pods(cfg.Namespace).Delete(context.Background(), "a", metav1.DeleteOptions{})
}
