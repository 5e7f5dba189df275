// Package janitor never looks at the dry run.
package janitor

import (
	"context"

	"example.org/clients/dryrundesigns/loadedconfig/config"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

type Janitor struct {
	cs  kubernetes.Interface
	cfg *config.Config
}

func New(cs kubernetes.Interface, cfg *config.Config) *Janitor { return &Janitor{cs, cfg} }

func (j *Janitor) Run(ctx context.Context) error {
	return j.cs.CoreV1().ConfigMaps(j.cfg.Namespace).Delete(ctx, "a", metav1.DeleteOptions{})
}
