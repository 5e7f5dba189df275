// Command runnables passes its loops to a manager.
package main

import (
	"context"
	"flag"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	ctrl "sigs.k8s.io/controller-runtime"
)

func main() {
	dryRun := flag.Bool("dry-run", false, "change nothing")
	flag.Parse()
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{})
	if err != nil {
		panic(err)
	}
	c := mgr.GetClient()
	_ = mgr.Add(manager.RunnableFunc(func(ctx context.Context) error {
		if *dryRun {
			return nil
		}
		return c.Delete(ctx, &corev1.Pod{})
	}))
	_ = mgr.Add(manager.RunnableFunc(func(ctx context.Context) error {
		return prune(ctx, c)
	}))
	_ = mgr.Start(ctrl.SetupSignalHandler())
}

func prune(ctx context.Context, c client.Client) error {
	return c.Delete(ctx, &corev1.Secret{}) // want "dry run deletes a Secret"
}
