// Command decided stores a value that the dry run decides, and checks it in some methods.
package main

import (
	"context"
	"flag"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

type mode string

const (
	apply mode = "apply"
	plan  mode = "plan"
)

var level int

type runner struct {
	mode  mode
	words string
	cs    kubernetes.Interface
}

func main() {
	dryRun := flag.Bool("dry-run", false, "change nothing")
	flag.Parse()
	m := apply
	level = 1
	if *dryRun {
		m = plan
		level = 0
	}
	r := &runner{mode: m, words: describe(*dryRun), cs: kubernetes.NewForConfigOrDie(nil)}
	ctx := context.Background()
	r.pods(ctx)
	r.jobs(ctx)
	r.secrets(ctx)
	r.services(ctx)
}

func describe(dryRun bool) string {
	if dryRun {
		return "would delete"
	}
	return "deletes"
}

func (r *runner) pods(ctx context.Context) {
	if r.mode == plan {
		return
	}
	_ = r.cs.CoreV1().Pods("a").Delete(ctx, "a", metav1.DeleteOptions{})
}

func (r *runner) jobs(ctx context.Context) {
	if r.words != "would delete" {
		_ = r.cs.BatchV1().Jobs("a").Delete(ctx, "a", metav1.DeleteOptions{})
	}
}

func (r *runner) secrets(ctx context.Context) {
	if level > 0 {
		_ = r.cs.CoreV1().Secrets("a").Delete(ctx, "a", metav1.DeleteOptions{})
	}
}

func (r *runner) services(ctx context.Context) {
	_ = r.cs.CoreV1().Services("a").Delete(ctx, "a", metav1.DeleteOptions{}) // want "dry run deletes a Service"
}
