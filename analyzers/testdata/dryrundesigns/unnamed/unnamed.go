// Command unnamed has its options in a struct without a name.
package main

import (
	"context"
	"flag"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

type tool struct {
	kube    kubernetes.Interface
	options struct {
		DryRun bool
		Force  bool
	}
}

func (t *tool) deleteOptions() metav1.DeleteOptions {
	o := metav1.DeleteOptions{}
	if t.options.DryRun {
		o.DryRun = []string{metav1.DryRunAll}
	}
	return o
}

func (t *tool) run(ctx context.Context, name string) error {
	if err := t.kube.CoreV1().ConfigMaps("b").Delete(ctx, name, t.deleteOptions()); err != nil {
		return err
	}
	if !t.options.Force {
		return nil
	}
	return t.kube.CoreV1().ConfigMaps("c").Delete(ctx, name, metav1.DeleteOptions{}) // want "the write ignores t.options.DryRun .*, so a dry run deletes a ConfigMap"
}

func main() {
	t := &tool{}
	flag.BoolVar(&t.options.DryRun, "dry-run", false, "change nothing")
	flag.BoolVar(&t.options.Force, "force", false, "all")
	flag.Parse()
	_ = t.run(context.Background(), flag.Arg(0))
}
