// Command unreadread reads its flags in several ways.
package main

import (
	"context"
	"flag"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type options struct{ dryRun *bool }

var (
	c        client.Client
	pointer  *bool
	pretend  = flag.Bool("pretend-dry-run", false, "change nothing")
	captured bool
)

func main() {
	o := options{dryRun: flag.Bool("dry-run", false, "change nothing")}
	local := flag.Bool("local-dry-run", false, "change nothing")
	flag.BoolVar(&captured, "captured-dry-run", false, "change nothing")
	pointer = pretend
	flag.Parse()
	if *local || *o.dryRun || *pointer || func() bool { return captured }() {
		return
	}
	_ = c.Delete(context.Background(), &corev1.Pod{})
}
