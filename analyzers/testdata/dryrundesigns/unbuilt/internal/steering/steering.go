// Package steering has three types with a component that has a dry run.
package steering

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

type Config struct{ DryRun bool }

type drainer struct {
	cs     kubernetes.Interface
	config Config
}

func (d *drainer) drain(ctx context.Context) error {
	if d.config.DryRun {
		return nil
	}
	return d.cs.CoreV1().Pods("web").Delete(ctx, "front", metav1.DeleteOptions{})
}

// Controller is built by the program.
type Controller struct {
	cs      kubernetes.Interface
	drainer *drainer
}

func NewController(cs kubernetes.Interface, config Config) *Controller {
	return &Controller{cs: cs, drainer: &drainer{cs, config}}
}

func (c *Controller) Run(ctx context.Context) error {
	return c.drainer.drain(ctx)
}

func (c *Controller) Steer(ctx context.Context) error {
	if err := c.cs.CoreV1().Secrets("web").Delete(ctx, "old", metav1.DeleteOptions{}); err != nil {
		return err
	}
	return c.cs.CoreV1().ConfigMaps("web").Delete(ctx, "old", metav1.DeleteOptions{})
}

// Executor is built only by tests.
type Executor struct {
	cs      kubernetes.Interface
	drainer *drainer
}

func NewExecutor(cs kubernetes.Interface, config Config) *Executor {
	return &Executor{cs: cs, drainer: &drainer{cs, config}}
}

func (e *Executor) Run(ctx context.Context) error {
	return e.drainer.drain(ctx)
}

func (e *Executor) Label(ctx context.Context) error {
	return e.cs.CoreV1().Secrets("web").Delete(ctx, "old", metav1.DeleteOptions{})
}

// Janitor is built by this package.
type Janitor struct {
	cs      kubernetes.Interface
	drainer *drainer
}

func NewJanitor(cs kubernetes.Interface, config Config) *Janitor {
	return &Janitor{cs: cs, drainer: &drainer{cs, config}}
}

func Start(ctx context.Context, cs kubernetes.Interface, config Config) error {
	return NewJanitor(cs, config).Run(ctx)
}

func (j *Janitor) Run(ctx context.Context) error {
	return j.drainer.drain(ctx)
}

func (j *Janitor) Clean(ctx context.Context) error {
	return j.cs.CoreV1().Secrets("web").Delete(ctx, "old", metav1.DeleteOptions{}) // want "the write ignores j.drainer.config.DryRun, so a dry run deletes a Secret"
}
