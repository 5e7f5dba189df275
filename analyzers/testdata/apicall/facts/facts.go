// Package facts uses options and clients of another package.
package facts

import (
	"context"

	"example.org/clients/apicall/shared"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func options(ctx context.Context, c kubernetes.Interface, r client.Client, pod *corev1.Pod, opts metav1.UpdateOptions, dry bool) {
	pods := c.CoreV1().Pods("")
	pods.Update(ctx, pod, shared.Options())                                         // want `fm=set=shared force=unset dryrun=unset`
	pods.Update(ctx, pod, metav1.UpdateOptions{DryRun: shared.DryRun(dry)})         // want `fm=unset force=unset dryrun=set=\[All\]\? `
	pods.Update(ctx, pod, shared.With(opts))                                        // want `fm=passed:opts.FieldManager force=unset dryrun=set=\[All\] .*caller=opts`
	pods.Update(ctx, pod, shared.With(metav1.UpdateOptions{FieldManager: "given"})) // want `fm=set=given force=unset dryrun=set=\[All\] `
	r.Update(ctx, pod, shared.List()...)                                            // want `own fm=set force=unset dryrun=unset|own fm=set=shared force=unset dryrun=unset`
	r.Update(ctx, pod, shared.List(client.DryRunAll)...)                            // want `own fm=set(=shared)? force=unset dryrun=set=\[All\]`
	r.Update(ctx, pod, shared.Own("named"))                                         // want `own fm=set=named force=unset dryrun=unset`
}

func Clients(ctx context.Context, cfg *rest.Config, given client.Client, pod *corev1.Pod) {
	c, err := shared.Client(cfg)
	if err != nil {
		return
	}
	c.Update(ctx, pod)                                  // want `fm=set=shared\(client\) force=unset dryrun=unset`
	shared.Wrap(given).Update(ctx, pod)                 // want `fm=unknown force=unset dryrun=set=\[All\]\(client\) .*client=given outside$`
	shared.Wrap(c).Update(ctx, pod)                     // want `fm=set=shared\(client\) force=unset dryrun=set=\[All\]\(client\)`
	client.New(shared.Config(), shared.ClientOptions()) // want `^build runtime fm=set=shared\(client\) dryrun=unset validation=unset ua=set=shared$`
}
