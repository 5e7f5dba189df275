// Command unreadset gives its flags to code that may read all of them.
package main

import (
	"context"
	"flag"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var (
	c   client.Client
	dry = flag.Bool("dry-run", false, "change nothing")
)

func configure(flags *flag.FlagSet) {
	flags.VisitAll(func(f *flag.Flag) {
		if f.Value.String() == "true" {
			c = client.NewDryRunClient(c)
		}
	})
}

func main() {
	flag.Parse()
	configure(flag.CommandLine)
	_ = c.Delete(context.Background(), &corev1.Pod{})
}
