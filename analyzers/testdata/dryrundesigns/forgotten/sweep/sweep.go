// Package sweep never looks at the dry run.
package sweep

import (
	"context"

	"example.org/clients/dryrundesigns/forgotten/config"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

type Sweeper struct {
	cs  kubernetes.Interface
	cfg *config.Config
}

func New(cs kubernetes.Interface, cfg *config.Config) *Sweeper { return &Sweeper{cs, cfg} }

func (s *Sweeper) Run(ctx context.Context) error {
	return s.cs.CoreV1().ConfigMaps(s.cfg.Namespace).Delete(ctx, "a", metav1.DeleteOptions{})
}
