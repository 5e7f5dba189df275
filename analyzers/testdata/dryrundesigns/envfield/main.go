// Command envfield reads an environment variable into a field with another name.
package main

import (
	"context"
	"os"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type app struct {
	c       client.Client
	dry     bool
	verbose bool
}

func main() {
	a := &app{}
	a.dry, _ = strconv.ParseBool(os.Getenv("DRY_RUN"))
	a.verbose, _ = strconv.ParseBool(os.Getenv("VERBOSE"))
	ctx := context.Background()
	a.evict(ctx)
	a.cordon(ctx)
}

func (a *app) evict(ctx context.Context) {
	if a.dry {
		return
	}
	_ = a.c.Delete(ctx, &corev1.Pod{})
}

func (a *app) cordon(ctx context.Context) {
	_ = a.c.Update(ctx, &corev1.Node{}) // want "the write ignores a.dry .DRY_RUN., so a dry run updates a Node"
}

type quiet struct {
	c       client.Client
	verbose bool
}

func (q *quiet) cordon(ctx context.Context) {
	if q.verbose {
		return
	}
	_ = q.c.Update(ctx, &corev1.Node{})
}
