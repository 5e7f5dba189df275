// Package action has the shape of the actions of Helm 3. The bodies are short: they write
// as the real ones do, unless DryRun is set.
package action

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

type Configuration struct{ client kubernetes.Interface }

type Release struct{}

type Install struct {
	cfg    *Configuration
	DryRun bool
}

func NewInstall(cfg *Configuration) *Install { return &Install{cfg: cfg} }

func (i *Install) Run(chart string, vals map[string]interface{}) (*Release, error) {
	if i.DryRun {
		return nil, nil
	}
	_, err := i.cfg.client.CoreV1().Secrets("a").Create(context.Background(), &corev1.Secret{}, metav1.CreateOptions{})
	return nil, err
}

type Uninstall struct {
	cfg         *Configuration
	DryRun      bool
	KeepHistory bool
}

func NewUninstall(cfg *Configuration) *Uninstall { return &Uninstall{cfg: cfg} }

func (u *Uninstall) Run(name string) (*Release, error) {
	if u.DryRun {
		return nil, nil
	}
	return nil, u.cfg.client.CoreV1().Secrets("a").Delete(context.Background(), name, metav1.DeleteOptions{})
}

type Rollback struct {
	cfg     *Configuration
	DryRun  bool
	Version int
}

func NewRollback(cfg *Configuration) *Rollback { return &Rollback{cfg: cfg} }

func (r *Rollback) Run(name string) error {
	if r.DryRun {
		return nil
	}
	_, err := r.cfg.client.CoreV1().Secrets("a").Update(context.Background(), &corev1.Secret{}, metav1.UpdateOptions{})
	return err
}
