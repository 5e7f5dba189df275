// Command unreadlookup finds its flag by name.
package main

import (
	"context"
	"flag"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var c client.Client

func init() { flag.Bool("dry-run", false, "change nothing") }

func main() {
	flag.Parse()
	if flag.Lookup("dry-run").Value.String() == "true" {
		return
	}
	_ = c.Delete(context.Background(), &corev1.Pod{})
}
