// Package heeding asks another package for the dry run.
package heeding

import (
	"context"

	"example.org/clients/dryrundesigns/forgotten/config"
	"example.org/clients/dryrundesigns/forgotten/mode"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

func Run(ctx context.Context, cs kubernetes.Interface, cfg *config.Config) error {
	if mode.Off(cfg) {
		return nil
	}
	return cs.CoreV1().ConfigMaps(cfg.Namespace).Delete(ctx, "a", metav1.DeleteOptions{})
}
