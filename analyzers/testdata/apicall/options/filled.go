package options

import (
	"context"
	"encoding/json"
	"io"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type command struct {
	create metav1.CreateOptions
	owner  string
}

func newCommand() *command { return &command{} }

func (c *command) complete(dry bool) {
	if dry {
		c.create.DryRun = []string{metav1.DryRunAll}
	}
}

func (c *command) reads() bool { return len(c.create.DryRun) > 0 }

func filled(ctx context.Context, k kubernetes.Interface, pod *corev1.Pod, dry bool) {
	c := newCommand()
	k.CoreV1().Pods("").Create(ctx, pod, c.create) // want `fm=unset force=unset dryrun=unset`
	c.complete(dry)
	k.CoreV1().Pods("").Create(ctx, pod, c.create) // want `fm=unset force=unset dryrun=set=\[All\]\? `
	if c.reads() {
		k.CoreV1().Pods("").Create(ctx, pod, c.create) // want `fm=unset force=unset dryrun=set=\[All\]\? `
	}
}

func filledInClosure(ctx context.Context, k kubernetes.Interface, pod *corev1.Pod, dry bool) func() {
	c := newCommand()
	c.complete(dry)
	return func() {
		k.CoreV1().Pods("").Create(ctx, pod, c.create) // want `fm=unset force=unset dryrun=set=\[All\]\? `
	}
}

func decoded(ctx context.Context, k kubernetes.Interface, pod *corev1.Pod, r io.Reader, data []byte) {
	var opts metav1.CreateOptions
	json.NewDecoder(r).Decode(&opts)
	k.CoreV1().Pods("").Create(ctx, pod, opts) // want `fm=unknown force=unset dryrun=unknown `
	var other metav1.CreateOptions
	json.Unmarshal(data, &other)
	k.CoreV1().Pods("").Create(ctx, pod, other) // want `fm=unknown force=unset dryrun=unknown `
	var printed metav1.CreateOptions
	json.Marshal(&printed)
	k.CoreV1().Pods("").Create(ctx, pod, printed) // want `fm=unset force=unset dryrun=unset `
}

type keeper struct{ opts *metav1.CreateOptions }

func (k *keeper) change() { unknown(k.opts) }

func kept(ctx context.Context, k kubernetes.Interface, pod *corev1.Pod, mutate []func(*metav1.CreateOptions)) {
	var opts metav1.CreateOptions
	holder := &keeper{opts: &opts}
	holder.change()
	k.CoreV1().Pods("").Create(ctx, pod, opts) // want `fm=unknown force=unset dryrun=unknown `
	var changed metav1.CreateOptions
	for _, m := range mutate {
		m(&changed)
	}
	k.CoreV1().Pods("").Create(ctx, pod, changed) // want `fm=unknown force=unset dryrun=unknown `
}

func inLoop(ctx context.Context, c client.Client, pod *corev1.Pod, given []client.UpdateOption) {
	opts := &client.UpdateOptions{FieldManager: "mine"}
	for _, o := range given {
		o.ApplyToUpdate(opts)
	}
	c.Update(ctx, pod, opts) // want `caller=given own fm=set:given force=unset dryrun=passed:given\? `
}
