// Command pointers stores pointers to the values of its flags.
package main

import (
	"context"
	"flag"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type flags struct {
	namespace *string
	simulate  *bool
}

func parse() flags {
	f := flags{
		namespace: flag.String("namespace", "", "where"),
		simulate:  flag.Bool("dry-run", false, "change nothing"),
	}
	flag.Parse()
	return f
}

func main() {
	f := parse()
	var c client.Client
	ctx := context.Background()
	prepare(ctx, c, f)
	if *f.simulate {
		return
	}
	_ = c.Delete(ctx, &corev1.Pod{})
}

func prepare(ctx context.Context, c client.Client, f flags) {
	_ = c.Create(ctx, &corev1.Namespace{}) // want "dry run creates a Namespace"
}
