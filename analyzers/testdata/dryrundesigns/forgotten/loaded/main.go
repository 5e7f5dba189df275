// Command loaded loads settings whose dry run no package reads.
package main

import (
	"context"
	"os"

	"example.org/clients/dryrundesigns/forgotten/config"
	"example.org/clients/dryrundesigns/forgotten/sweep"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

func main() {
	cfg, err := config.Load(os.Args[1])
	if err != nil {
		panic(err)
	}
	var cs kubernetes.Interface
	_ = sweep.New(cs, cfg).Run(context.Background())                                              // want "the call of Run ignores Config.DryRun, so a dry run deletes a ConfigMap"
	_ = cs.CoreV1().Pods(cfg.Namespace).Delete(context.Background(), "a", metav1.DeleteOptions{}) // want "the write ignores Config.DryRun, so a dry run deletes a Pod"
}
