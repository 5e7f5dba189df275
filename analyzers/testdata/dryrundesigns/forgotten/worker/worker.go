// Package worker ignores the dry run in its settings.
package worker

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

type Config struct {
	DryRun    bool
	Namespace string
}

type Worker struct {
	cs  kubernetes.Interface
	cfg Config
}

func New(cs kubernetes.Interface, cfg Config) *Worker { return &Worker{cs, cfg} }

func (w *Worker) Run(ctx context.Context) error {
	return w.cs.CoreV1().Pods(w.cfg.Namespace).Delete(ctx, "a", metav1.DeleteOptions{})
}
