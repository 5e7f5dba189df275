// Package ops has a type whose method respects a field.
package ops

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

type Migrator struct {
	Client kubernetes.Interface
	Name   string
	DryRun bool
}

func (m *Migrator) Run(ctx context.Context) error {
	if m.DryRun {
		return nil
	}
	return m.Client.CoreV1().Pods("a").Delete(ctx, m.Name, metav1.DeleteOptions{})
}

func (m *Migrator) Quiet() { m.DryRun = true }
