// Package options passes options to calls by variables, fields and functions.
package options

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/utils/ptr"
)

const manager = "constant"

var dryRun = []string{metav1.DryRunAll}

func variable(ctx context.Context, c kubernetes.Interface, pod *corev1.Pod) {
	opts := metav1.CreateOptions{FieldManager: manager}
	c.CoreV1().Pods("").Create(ctx, pod, opts) // want `fm=set=constant force=unset dryrun=unset`
	opts.DryRun = dryRun
	c.CoreV1().Pods("").Create(ctx, pod, opts) // want `fm=set=constant force=unset dryrun=set=\[All\] `
	opts = metav1.CreateOptions{}
	c.CoreV1().Pods("").Create(ctx, pod, opts) // want `fm=unset force=unset dryrun=unset`
	other := opts
	other.FieldManager = "other"
	c.CoreV1().Pods("").Create(ctx, pod, opts)  // want `fm=unset force=unset dryrun=unset`
	c.CoreV1().Pods("").Create(ctx, pod, other) // want `fm=set=other force=unset dryrun=unset`
}

func zero(ctx context.Context, c kubernetes.Interface, pod *corev1.Pod) {
	var opts metav1.CreateOptions
	c.CoreV1().Pods("").Create(ctx, pod, opts)                                      // want `fm=unset force=unset dryrun=unset`
	c.CoreV1().Pods("").Create(ctx, pod, metav1.CreateOptions{DryRun: nil})         // want `fm=unset force=unset dryrun=unset`
	c.CoreV1().Pods("").Create(ctx, pod, metav1.CreateOptions{DryRun: []string{}})  // want `dryrun=set=\[\] `
	c.CoreV1().Pods("").Create(ctx, pod, metav1.CreateOptions{DryRun: list(ctx)})   // want `dryrun=set `
	c.CoreV1().Pods("").Create(ctx, pod, metav1.CreateOptions{DryRun: asked(true)}) // want `dryrun=set=\[All\]\? `
}

func list(ctx context.Context) []string { return ctx.Value("dryRun").([]string) }

func asked(yes bool) []string {
	if yes {
		return []string{"All"}
	}
	return nil
}

func sometimes(ctx context.Context, c kubernetes.Interface, pod *corev1.Pod, dry bool, owner string) {
	opts := metav1.UpdateOptions{}
	if dry {
		opts.DryRun = []string{metav1.DryRunAll}
	}
	if owner != "" {
		opts.FieldManager = owner
	}
	c.CoreV1().Pods("").Update(ctx, pod, opts) // want `fm=set:owner\? force=unset dryrun=set=\[All\]\? `
	for i := 0; i < 3; i++ {
		opts.DryRun = append(opts.DryRun, "All")
	}
	c.CoreV1().Pods("").Update(ctx, pod, opts) // want `fm=set:owner\? force=unset dryrun=set`
}

func early(ctx context.Context, c kubernetes.Interface, pod *corev1.Pod, dry bool) {
	opts := metav1.UpdateOptions{}
	if dry {
		opts.DryRun = []string{metav1.DryRunAll}
		c.CoreV1().Pods("").Update(ctx, pod, opts) // want `dryrun=set=\[All\] `
		return
	}
	c.CoreV1().Pods("").Update(ctx, pod, opts) // want `dryrun=unset `
}

type runner struct {
	client  kubernetes.Interface
	opts    metav1.CreateOptions
	pointer *metav1.CreateOptions
	owner   string
	dry     []string
}

func (r *runner) fields(ctx context.Context, pod *corev1.Pod) {
	pods := r.client.CoreV1().Pods("")
	pods.Create(ctx, pod, r.opts)                                                     // want `fm=passed:r.opts force=unset dryrun=passed:r.opts `
	pods.Create(ctx, pod, *r.pointer)                                                 // want `fm=passed:r.pointer force=unset dryrun=passed:r.pointer `
	pods.Create(ctx, pod, metav1.CreateOptions{FieldManager: r.owner, DryRun: r.dry}) // want `fm=set:r.owner force=unset dryrun=set:r.dry `
	pods.Create(ctx, pod, metav1.CreateOptions{DryRun: r.opts.DryRun})                // want `fm=unset force=unset dryrun=passed:r.opts `
}

func (r runner) byValue(ctx context.Context, pod *corev1.Pod) {
	r.client.CoreV1().Pods("").Create(ctx, pod, r.opts) // want `fm=passed:r.opts force=unset dryrun=passed:r.opts `
}

func parameter(ctx context.Context, c kubernetes.Interface, pod *corev1.Pod, opts metav1.CreateOptions, p *metav1.UpdateOptions) {
	pods := c.CoreV1().Pods("")
	pods.Create(ctx, pod, opts)                                      // want `fm=passed:opts.FieldManager force=unset dryrun=passed:opts.DryRun .*caller=opts`
	pods.Create(ctx, pod, metav1.CreateOptions{DryRun: opts.DryRun}) // want `fm=unset force=unset dryrun=passed:opts.DryRun .*caller=opts`
	pods.Update(ctx, pod, *p)                                        // want `fm=passed:p.FieldManager force=unset dryrun=passed:p.DryRun .*caller=p`
	opts.FieldManager = "mine"
	pods.Create(ctx, pod, opts) // want `fm=set=mine force=unset dryrun=passed:opts.DryRun .*caller=opts`
	func() {
		pods.Create(ctx, pod, opts) // want `fm=set=mine force=unset dryrun=passed:opts.DryRun .*caller=opts`
	}()
}

func returned() metav1.CreateOptions { return metav1.CreateOptions{FieldManager: "returned"} }

func pointed(owner string) *metav1.CreateOptions {
	o := &metav1.CreateOptions{}
	o.FieldManager = owner
	return o
}

func fill(o *metav1.CreateOptions) { o.DryRun = []string{metav1.DryRunAll} }

func maybe(o *metav1.CreateOptions, dry bool) {
	if dry {
		o.DryRun = []string{metav1.DryRunAll}
	}
}

func functions(ctx context.Context, c kubernetes.Interface, pod *corev1.Pod, dry bool) {
	pods := c.CoreV1().Pods("")
	pods.Create(ctx, pod, returned())        // want `fm=set=returned force=unset dryrun=unset `
	pods.Create(ctx, pod, *pointed("given")) // want `fm=set=given force=unset dryrun=unset `
	var opts metav1.CreateOptions
	fill(&opts)
	pods.Create(ctx, pod, opts) // want `fm=unset force=unset dryrun=set=\[All\] `
	var some metav1.CreateOptions
	maybe(&some, dry)
	pods.Create(ctx, pod, some) // want `fm=unset force=unset dryrun=set=\[All\]\? `
	var lost metav1.CreateOptions
	unknown(&lost)
	pods.Create(ctx, pod, lost) // want `fm=unknown force=unset dryrun=unknown `
}

var unknown func(*metav1.CreateOptions)

func forced(ctx context.Context, c kubernetes.Interface, data []byte, flag bool) {
	pods := c.CoreV1().Pods("")
	yes := true
	pods.Patch(ctx, "", types.ApplyPatchType, data, metav1.PatchOptions{Force: &yes})          // want `apply .*force=set=true `
	pods.Patch(ctx, "", types.ApplyPatchType, data, metav1.PatchOptions{Force: ptr.To(true)})  // want `apply .*force=set=true `
	pods.Patch(ctx, "", types.MergePatchType, data, metav1.PatchOptions{Force: ptr.To(false)}) // want `patch=application/merge-patch\+json .*force=set=false `
	pods.Patch(ctx, "", types.MergePatchType, data, metav1.PatchOptions{Force: &flag})         // want `force=set`
	pods.Patch(ctx, "", types.MergePatchType, data, metav1.PatchOptions{Force: nil})           // want `force=unset `
	kind := types.MergePatchType
	if flag {
		kind = types.JSONPatchType
	}
	pods.Patch(ctx, "", kind, data, metav1.PatchOptions{}) // want `^typed patch v1/Pod fm=unset`
}

func captured(ctx context.Context, c kubernetes.Interface, pod *corev1.Pod, run func(func())) {
	opts := metav1.CreateOptions{}
	run(func() {
		c.CoreV1().Pods("").Create(ctx, pod, opts) // want `fm=set=late\? `
	})
	opts.FieldManager = "late"
	run(func() {
		c.CoreV1().Pods("").Create(ctx, pod, opts) // want `fm=set=late `
	})
	shared := metav1.CreateOptions{}
	run(func() { shared.FieldManager = "inside" })
	c.CoreV1().Pods("").Create(ctx, pod, shared) // want `fm=set=inside\? `
}

func values(ctx context.Context, c kubernetes.Interface, pod *corev1.Pod) {
	create := c.CoreV1().Pods("").Create
	create(ctx, pod, metav1.CreateOptions{FieldManager: "value"})      // want `^typed create .*fm=set=value `
	defer c.CoreV1().Pods("").Create(ctx, pod, metav1.CreateOptions{}) // want `fm=unset `
	go c.CoreV1().Pods("").Create(ctx, pod, metav1.CreateOptions{})    // want `fm=unset `
	return
	c.CoreV1().Pods("").Create(ctx, pod, metav1.CreateOptions{}) // want `unreachable `
}

func ranged(ctx context.Context, c kubernetes.Interface, pods func(func(*corev1.Pod) bool), opts metav1.CreateOptions) {
	for pod := range pods {
		c.CoreV1().Pods("").Create(ctx, pod, opts) // want `fm=passed:opts.FieldManager .*caller=opts`
	}
}
