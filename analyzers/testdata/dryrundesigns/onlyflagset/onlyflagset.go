// Command onlyflagset has one flag set, and its steps are in a table.
package main

import (
	"context"
	"flag"
	"os"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

var flags struct {
	dryRun bool
	name   string
}

func main() {
	set := flag.NewFlagSet("prune", flag.ExitOnError)
	set.BoolVar(&flags.dryRun, "dry-run", false, "change nothing")
	set.StringVar(&flags.name, "name", "", "the name")
	_ = set.Parse(os.Args[1:])
	steps := []struct {
		name string
		run  func(context.Context, kubernetes.Interface) error
	}{
		{"maps", pruneMaps},
		{"secrets", pruneSecrets},
	}
	for _, s := range steps {
		println(s.name)
		_ = s.run(context.Background(), kubernetes.NewForConfigOrDie(nil))
	}
}

func pruneMaps(ctx context.Context, cs kubernetes.Interface) error {
	opts := metav1.DeleteOptions{}
	if flags.dryRun {
		opts.DryRun = []string{metav1.DryRunAll}
	}
	return cs.CoreV1().ConfigMaps("a").Delete(ctx, flags.name, opts)
}

func pruneSecrets(ctx context.Context, cs kubernetes.Interface) error {
	return cs.CoreV1().Secrets("a").Delete(ctx, flags.name, metav1.DeleteOptions{}) // want "dry run deletes a Secret"
}
