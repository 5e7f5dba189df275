// Command unreadprinted passes its options to code that may read all fields.
package main

import (
	"context"
	"encoding/json"
	"flag"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type options struct{ dryRun bool }

func main() {
	var (
		c client.Client
		o options
	)
	flag.BoolVar(&o.dryRun, "dry-run", false, "change nothing")
	flag.Parse()
	if text, _ := json.Marshal(o); string(text) != "{}" {
		return
	}
	_ = c.Delete(context.Background(), &corev1.Pod{})
}
