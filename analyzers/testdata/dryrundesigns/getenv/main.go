// Command getenv reads an environment variable in the function that needs it.
package main

import (
	"context"
	"os"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func main() {
	var c client.Client
	ctx := context.Background()
	pods(ctx, c)
	nodes(ctx, c)
}

func pods(ctx context.Context, c client.Client) {
	if os.Getenv("DRY_RUN") != "" {
		return
	}
	_ = c.Delete(ctx, &corev1.Pod{})
}

func nodes(ctx context.Context, c client.Client) {
	_ = c.Update(ctx, &corev1.Node{}) // no finding: the variable may be meant only for pods
}
