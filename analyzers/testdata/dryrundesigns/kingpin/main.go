// Command kingpin compares the name of the command, and has flags for all commands.
package main

import (
	"context"
	"os"

	"github.com/alecthomas/kingpin/v2"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var (
	app    = kingpin.New("tool", "Does things.")
	dryRun = app.Flag("dry-run", "Change nothing.").Short('n').Bool()
	apply  = app.Command("apply", "Create.")
	remove = app.Command("remove", "Delete.")
)

func main() {
	var c client.Client
	ctx := context.Background()
	switch kingpin.MustParse(app.Parse(os.Args[1:])) {
	case apply.FullCommand():
		create(ctx, c)
	case remove.FullCommand():
		_ = c.Delete(ctx, &corev1.Pod{}) // want "dry run deletes a Pod"
	}
}

func create(ctx context.Context, c client.Client) {
	if *dryRun {
		return
	}
	_ = c.Create(ctx, &corev1.Pod{})
}
