// Package main passes false to a helper although it knows the dry run.
package main

import (
	"context"
	"flag"

	"example.org/clients/dryrundesigns/literalfalse/cleaner"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

func main() {
	dryRun := flag.Bool("dry-run", false, "change nothing")
	validate := flag.Bool("validate", false, "check the names")
	flag.Parse()
	ctx := context.Background()
	config, _ := rest.InClusterConfig()
	cs := kubernetes.NewForConfigOrDie(config)
	_ = remove(ctx, cs, "one", *dryRun)
	_ = remove(ctx, cs, "two", false)          // want "the call of remove passes false instead of --dry-run for the parameter dryRun, so a dry run deletes a Secret"
	_ = cleaner.Secrets(ctx, cs, "two", false) // want "passes false instead of .* for the parameter dryRun, so a dry run deletes a Secret"
	_ = cleaner.Secrets(ctx, cs, "two", *dryRun)
	_ = cleaner.Pass(ctx, cs, false) // want "passes false instead of .* for the parameter dryRun, so a dry run deletes a Secret"
	_ = list(ctx, cs, false)
	if *validate {
		_ = remove(ctx, cs, "three", true)
	}
	if *dryRun {
		_ = remove(ctx, cs, "four", true)
		return
	}
	_ = remove(ctx, cs, "four", false)
	_ = cleaner.Secrets(ctx, cs, "four", false)
}

func remove(ctx context.Context, cs kubernetes.Interface, name string, dryRun bool) error {
	options := metav1.DeleteOptions{}
	if dryRun {
		options.DryRun = []string{metav1.DryRunAll}
	}
	return cs.CoreV1().Secrets("web").Delete(ctx, name, options)
}

func list(ctx context.Context, cs kubernetes.Interface, dryRun bool) error {
	_, err := cs.CoreV1().Secrets("web").List(ctx, metav1.ListOptions{})
	if dryRun {
		println("dry run")
	}
	return err
}
