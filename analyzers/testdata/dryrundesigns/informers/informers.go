// Package informers has functions that a library calls for each event.
package informers

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Watcher struct {
	c      client.Client
	dryRun bool
}

func New(c client.Client, dryRun bool) *Watcher { return &Watcher{c: c, dryRun: dryRun} }

func (w *Watcher) Register(informer cache.SharedIndexInformer) {
	_, _ = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    w.onAdd,
		DeleteFunc: w.onDelete,
	})
}

func (w *Watcher) onAdd(obj any) {
	pod, ok := obj.(*corev1.Pod)
	if !ok {
		return
	}
	pod.Labels["seen"] = "true"
	_ = w.c.Update(context.Background(), pod) // want "dry run updates a Pod"
}

func (w *Watcher) onDelete(obj any) {
	if w.dryRun {
		return
	}
	_ = w.c.Delete(context.Background(), &corev1.Secret{})
}
