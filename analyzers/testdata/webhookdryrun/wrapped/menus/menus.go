// Package menus writes for handlers of another package.
package menus

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	cu "kmodules.xyz/client-go/client"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Save writes with a function of another module.
func Save(ctx context.Context, c client.Client) error {
	var cm corev1.ConfigMap
	cm.Name = "menu"
	_, err := cu.CreateOrPatch(ctx, c, &cm, func(obj client.Object, made bool) client.Object { return obj })
	return err
}
