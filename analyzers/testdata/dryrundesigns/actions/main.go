// Command actions passes types of one package to functions of another.
package main

import (
	"context"
	"flag"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.org/clients/dryrundesigns/actions/act"
	"example.org/clients/dryrundesigns/actions/label"
)

func main() {
	dryRun := flag.Bool("dry-run", false, "change nothing")
	flag.Parse()
	var c client.Client
	actions := []act.Action{label.Label{C: c}, label.Cordon{C: c}}
	ctx := context.Background()
	_ = act.Do(ctx, nil, actions)   // want "the call of Do ignores .*dry-run.*, so a dry run updates a Node"
	_ = act.Undo(ctx, nil, actions) // want "the call of Undo ignores .*dry-run.*, so a dry run updates a Node"
	if *dryRun {
		return
	}
	_ = act.Do(ctx, nil, actions)
	_ = c.Delete(ctx, &corev1.Node{})
}
