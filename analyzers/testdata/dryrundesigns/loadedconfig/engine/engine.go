// Package engine obeys the dry run.
package engine

import (
	"context"

	"example.org/clients/dryrundesigns/loadedconfig/config"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

type Engine struct {
	cs  kubernetes.Interface
	cfg *config.Config
}

func New(cs kubernetes.Interface, cfg *config.Config) *Engine { return &Engine{cs, cfg} }

func (e *Engine) Run(ctx context.Context) error {
	if e.cfg.DryRun {
		return nil
	}
	return e.cs.CoreV1().Pods(e.cfg.Namespace).Delete(ctx, "a", metav1.DeleteOptions{})
}
