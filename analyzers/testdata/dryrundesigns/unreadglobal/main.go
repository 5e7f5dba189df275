// Command unreadglobal keeps a flag for a dry run in a variable, and never reads it.
package main

import (
	"context"
	"flag"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var (
	c      client.Client
	dryRun = flag.Bool("dry-run", false, "change nothing")
)

func main() {
	flag.Parse()
	_ = c.Delete(context.Background(), &corev1.Pod{}) // want "dry run deletes a Pod"
}
