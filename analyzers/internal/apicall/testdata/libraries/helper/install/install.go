// Package install has an action with a dry run, and a driver behind an
// interface.
package install

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// Driver stores secrets.
type Driver interface {
	Store(ctx context.Context, s *corev1.Secret) error
	Name() string
}

type secrets struct{ client kubernetes.Interface }

func (d *secrets) Store(ctx context.Context, s *corev1.Secret) error {
	_, err := d.client.CoreV1().Secrets("web").Create(ctx, s, metav1.CreateOptions{})
	return err
}

func (d *secrets) Name() string { return "secrets" }

// NewDriver returns a Driver.
func NewDriver(c kubernetes.Interface) Driver { return &secrets{c} }

// Install is an action.
type Install struct {
	driver Driver
	DryRun bool
	// Strategy is another way to ask for a dry run.
	DryRunStrategy string
}

// New returns an Install.
func New(d Driver) *Install { return &Install{driver: d} }

// Label has no effect in this test.
func (i *Install) Label(string) {}

// Run installs, unless in a dry run.
func (i *Install) Run(ctx context.Context, s *corev1.Secret) error {
	if i.isDryRun() {
		return nil
	}
	done := make(chan error)
	go func() { done <- i.perform(ctx, s) }()
	return <-done
}

func (i *Install) isDryRun() bool { return i.DryRun || i.DryRunStrategy == "server" }

func (i *Install) perform(ctx context.Context, s *corev1.Secret) error {
	return i.driver.Store(ctx, s)
}
