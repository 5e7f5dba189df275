// Command parsed reads its settings in a function and stores them in a struct.
package main

import (
	"context"
	"flag"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type settings struct {
	dryRun bool
	every  time.Duration
}

func readFlags() *settings {
	s := &settings{}
	flag.BoolVar(&s.dryRun, "dry-run", false, "change nothing")
	flag.DurationVar(&s.every, "every", time.Minute, "how often")
	flag.Parse()
	return s
}

type loop struct {
	*settings
	c client.Client
}

func main() {
	l := &loop{settings: readFlags()}
	for {
		if err := l.once(context.Background()); err != nil {
			println(err.Error())
		}
		time.Sleep(l.every)
	}
}

func (l *loop) once(ctx context.Context) error {
	var pods corev1.PodList
	if err := l.c.List(ctx, &pods); err != nil {
		return err
	}
	for i := range pods.Items {
		pod := &pods.Items[i]
		switch pod.Status.Phase {
		case corev1.PodFailed:
			if l.dryRun {
				println("would delete", pod.Name)
			} else if err := l.c.Delete(ctx, pod); err != nil {
				return err
			}
		case corev1.PodPending:
			if err := l.mark(ctx, pod); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *loop) mark(ctx context.Context, pod *corev1.Pod) error {
	old := pod.DeepCopy()
	pod.Annotations["pending"] = "true"
	return l.c.Patch(ctx, pod, client.MergeFrom(old)) // want "dry run patches a Pod"
}
