// Package transport refuses writes in a dry run.
package transport

import (
	"context"

	"example.org/clients/dryrundesigns/loadedconfig/config"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

type Runner struct {
	cs  kubernetes.Interface
	cfg *config.Config
}

func New(cfg *config.Config) *Runner {
	rc, _ := rest.InClusterConfig()
	if cfg.DryRun {
		rc.Impersonate = rest.ImpersonationConfig{UserName: "reader"}
	}
	return &Runner{kubernetes.NewForConfigOrDie(rc), cfg}
}

func (r *Runner) Run(ctx context.Context) error {
	return r.cs.CoreV1().Pods(r.cfg.Namespace).Delete(ctx, "a", metav1.DeleteOptions{})
}
