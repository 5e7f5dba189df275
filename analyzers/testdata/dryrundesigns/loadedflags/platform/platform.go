// Package platform has the client of a program, and its dry run.
package platform

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// Config is the configuration of a Platform.
type Config struct {
	Name   string
	DryRun bool
}

// Platform is a cluster.
type Platform struct {
	Config
	cs kubernetes.Interface
}

// Clientset returns the client.
func (p *Platform) Clientset() (kubernetes.Interface, error) { return p.cs, nil }

// Apply creates a Secret.
func (p *Platform) Apply(ctx context.Context) error {
	if p.DryRun {
		return nil
	}
	_, err := p.cs.CoreV1().Secrets("a").Create(ctx, &corev1.Secret{}, metav1.CreateOptions{})
	return err
}

// Quiet returns a client for dry runs, or the real one.
func (p *Platform) Quiet() kubernetes.Interface {
	if p.DryRun {
		return nil
	}
	return p.cs
}

// Prune deletes a ConfigMap.
func (p *Platform) Prune(ctx context.Context) error {
	return p.cs.CoreV1().ConfigMaps("a").Delete(ctx, "a", metav1.DeleteOptions{}) // want "unless a dry run never gets here"
}
