// Command spelling has dry runs that messages must name as the code and the user
// do.
package main

import (
	"context"
	"os"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type config struct {
	Apply struct{ DryRun bool }
}

func main() {
	ctx := context.Background()
	var c client.Client
	environment(ctx, c)
	_ = nested(ctx, c, config{})
}

func environment(ctx context.Context, c client.Client) {
	dryRun, _ := strconv.ParseBool(os.Getenv("DRY_RUN"))
	if dryRun {
		println("dry run")
	}
	_ = c.Delete(ctx, &corev1.Pod{}) // want `the write ignores DRY_RUN, so a dry run deletes a Pod`
}

func nested(ctx context.Context, c client.Client, conf config) error {
	if err := c.Create(ctx, &corev1.Namespace{}); err != nil { // want `the write ignores conf.Apply.DryRun, so a dry run creates a Namespace`
		return err
	}
	if conf.Apply.DryRun {
		return nil
	}
	return c.Create(ctx, &corev1.Pod{})
}
