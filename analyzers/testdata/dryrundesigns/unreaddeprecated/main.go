// Command unreaddeprecated accepts a flag that it no longer has.
package main

import (
	"context"
	"flag"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var c client.Client

func main() {
	_ = flag.Bool("dry-run", false, "Deprecated: has no effect")
	flag.Parse()
	_ = c.Delete(context.Background(), &corev1.Pod{})
}
