// Command command evicts a Pod. In a dry run, it uses a fake client.
package main

import (
	"context"
	"flag"

	"example.org/clients/dryrundesigns/sandbox"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
)

func main() {
	dryRun := flag.Bool("dry-run", false, "change nothing")
	flag.Parse()
	var c kubernetes.Interface
	if *dryRun {
		c = fake.NewClientset()
	}
	e := sandbox.NewEvictor(c, new(sandbox.Options).WithDryRun(*dryRun))
	_ = e.Evict(context.Background(), &corev1.Pod{})
}
