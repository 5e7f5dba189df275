// Command eachcluster runs function literals for many clusters at the same time.
package main

import (
	"context"
	"flag"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

type tool struct {
	dryRun, verbose bool
	clients         map[string]kubernetes.Interface
}

func (t *tool) forEachCluster(run func(name string, cs kubernetes.Interface) error) {
	var group sync.WaitGroup
	for name, cs := range t.clients {
		group.Add(1)
		go func(name string, cs kubernetes.Interface) {
			defer group.Done()
			_ = run(name, cs)
		}(name, cs)
	}
	group.Wait()
}

func (t *tool) forEachUnlessDry(run func(cs kubernetes.Interface) error) {
	for name, cs := range t.clients {
		if t.dryRun {
			println(name)
			continue
		}
		_ = run(cs)
	}
}

func (t *tool) sync(ctx context.Context) {
	t.forEachCluster(func(name string, cs kubernetes.Interface) error {
		if t.dryRun {
			return nil
		}
		return cs.CoreV1().ConfigMaps("a").Delete(ctx, name, metav1.DeleteOptions{})
	})
	t.forEachUnlessDry(func(cs kubernetes.Interface) error {
		return cs.CoreV1().ConfigMaps("a").Delete(ctx, "a", metav1.DeleteOptions{})
	})
}

func (t *tool) forget(ctx context.Context) {
	t.forEachCluster(func(name string, cs kubernetes.Interface) error {
		if t.verbose {
			println(name)
		}
		return cs.CoreV1().Secrets("a").Delete(ctx, "a", metav1.DeleteOptions{}) // want "the write ignores t.dryRun .*, so a dry run deletes a Secret"
	})
}

func main() {
	t := &tool{}
	flag.BoolVar(&t.dryRun, "dry-run", false, "change nothing")
	flag.BoolVar(&t.verbose, "verbose", false, "say more")
	flag.Parse()
	t.sync(context.Background())
	t.forget(context.Background())
}
