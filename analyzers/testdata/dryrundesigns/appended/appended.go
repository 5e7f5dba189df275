// Command appended collects its actions first, and runs them later.
package main

import (
	"context"
	"flag"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

type manager struct {
	client  kubernetes.Interface
	dryRun  bool
	actions []func(context.Context) error
}

func (m *manager) add(action func(context.Context) error) { m.actions = append(m.actions, action) }

func (m *manager) flush(ctx context.Context) {
	for _, action := range m.actions {
		_ = action(ctx)
	}
}

func (m *manager) scan(ctx context.Context, name string) {
	m.add(func(ctx context.Context) error {
		if m.dryRun {
			return nil
		}
		return m.client.CoreV1().Pods("a").Delete(ctx, name, metav1.DeleteOptions{})
	})
	m.add(func(ctx context.Context) error {
		return m.client.CoreV1().Secrets("a").Delete(ctx, name, metav1.DeleteOptions{}) // want "the write ignores m.dryRun .*, so a dry run deletes a Secret"
	})
	if !m.dryRun {
		m.add(func(ctx context.Context) error {
			return m.client.CoreV1().Services("a").Delete(ctx, name, metav1.DeleteOptions{})
		})
	}
	m.flush(ctx)
}

func main() {
	m := &manager{}
	flag.BoolVar(&m.dryRun, "dry-run", false, "change nothing")
	flag.Parse()
	m.client = kubernetes.NewForConfigOrDie(nil)
	m.scan(context.Background(), "a")
}
