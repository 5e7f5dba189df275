// Command environment reads the dry run from an environment variable.
package main

import (
	"context"
	"os"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var dryRun = os.Getenv("DRY_RUN") == "true"

func main() {
	var c client.Client
	wait.UntilWithContext(context.Background(), func(ctx context.Context) {
		pods(ctx, c)
		nodes(ctx, c)
	}, time.Minute)
}

func pods(ctx context.Context, c client.Client) {
	if dryRun {
		return
	}
	_ = c.Delete(ctx, &corev1.Pod{})
}

func nodes(ctx context.Context, c client.Client) {
	_ = c.Update(ctx, &corev1.Node{}) // want "dry run updates a Node"
}
