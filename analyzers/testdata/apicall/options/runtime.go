package options

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const owner = client.FieldOwner("me")

var always = []client.UpdateOption{owner, client.DryRunAll}

func lists(ctx context.Context, c client.Client, pod *corev1.Pod, dry bool, more ...client.UpdateOption) {
	c.Update(ctx, pod)                                                   // want `own fm=unset force=unset dryrun=unset`
	c.Update(ctx, pod, more...)                                          // want `caller=more own fm=passed:more force=unset dryrun=passed:more `
	c.Update(ctx, pod, append(more, owner)...)                           // want `caller=more own fm=set=me force=unset dryrun=passed:more `
	c.Update(ctx, pod, append([]client.UpdateOption{owner}, more...)...) // want `caller=more own fm=set:more force=unset dryrun=passed:more `
	c.Update(ctx, pod, always...)                                        // want `own fm=set=me force=unset dryrun=set=\[All\] `
	c.Update(ctx, pod, &client.UpdateOptions{FieldManager: "x"})         // want `own fm=set=x force=unset dryrun=unset `
	opts := []client.UpdateOption{}
	if dry {
		opts = append(opts, client.DryRunAll)
	}
	c.Update(ctx, pod, opts...) // want `own fm=unset force=unset dryrun=set=\[All\]\? `
	for _, o := range more {
		opts = append(opts, o)
	}
	c.Update(ctx, pod, opts...) // want `caller=more own fm=passed:more\? force=unset dryrun=passed:more\? `
	var one client.UpdateOption = client.DryRunAll
	c.Update(ctx, pod, one)            // want `own fm=unset force=unset dryrun=set=\[All\] `
	c.Update(ctx, pod, foreign{})      // want `own fm=set=foreign force=unset dryrun=unset `
	c.Update(ctx, pod, chosen(dry)...) // want `own fm=unset force=unset dryrun=set=\[All\]\? `
}

func chosen(dry bool) []client.UpdateOption {
	if dry {
		return []client.UpdateOption{client.DryRunAll}
	}
	return nil
}

// foreign is an option that this project declares.
type foreign struct{}

func (foreign) ApplyToUpdate(o *client.UpdateOptions) { o.FieldManager = "foreign" }

func structs(ctx context.Context, c client.Client, pod *corev1.Pod, given *metav1.UpdateOptions, byValue client.PatchOptions) {
	c.Update(ctx, pod, &client.UpdateOptions{Raw: given})                                                                                                  // want `own fm=unset force=unset dryrun=unset `
	c.Update(ctx, pod, &client.UpdateOptions{Raw: &metav1.UpdateOptions{}})                                                                                // want `own fm=unset force=unset dryrun=unset `
	c.Update(ctx, pod, &client.UpdateOptions{Raw: given, FieldManager: "over"})                                                                            // want `own fm=set=over force=unset dryrun=unset `
	c.Patch(ctx, pod, client.Merge, &byValue)                                                                                                              // want `caller=byValue own fm=passed:byValue force=passed:byValue dryrun=passed:byValue `
	c.Status().Patch(ctx, pod, client.Apply, &client.SubResourcePatchOptions{PatchOptions: client.PatchOptions{FieldManager: "x"}}, client.ForceOwnership) // want `^runtime subresource apply sub=status v1/Pod fm=set=x force=set=true .*dryrun=unset`
	c.SubResource("scale").Update(ctx, pod, client.WithSubResourceBody(pod))                                                                               // want `^runtime subresource update sub=scale .*own fm=unset force=unset dryrun=unset`
	c.Update(ctx, pod, &client.UpdateOptions{Raw: given, DryRun: given.DryRun})                                                                            // want `caller=given own fm=unset force=unset dryrun=passed:given.DryRun `
	c.Patch(ctx, pod, client.Merge, &client.PatchOptions{Raw: &metav1.PatchOptions{FieldManager: "me", DryRun: given.DryRun}})                             // want `caller=given own fm=set=me force=unset dryrun=passed:given.DryRun `
	opts := &client.DeleteOptions{}
	client.DryRunAll.ApplyToDelete(opts)
	c.Delete(ctx, pod, opts)                                                             // want `own fm=unset force=unset dryrun=set=\[All\] `
	c.Delete(ctx, pod, dry(true))                                                        // want `own fm=unset force=unset dryrun=set=\[All\]\? `
	c.Delete(ctx, pod, client.PropagationPolicy("Orphan"), client.GracePeriodSeconds(1)) // want `own fm=unset force=unset dryrun=unset `
	folded := (&client.PatchOptions{}).ApplyOptions([]client.PatchOption{client.DryRunAll})
	c.Patch(ctx, pod, client.RawPatch(types.JSONPatchType, nil), folded) // want `patch=application/json-patch\+json .*own fm=unset force=unset dryrun=set=\[All\] `
}

func dry(yes bool) *client.DeleteOptions {
	o := &client.DeleteOptions{}
	if yes {
		client.DryRunAll.ApplyToDelete(o)
	}
	return o
}

type narrow interface {
	client.Writer
}

type own interface {
	Update(ctx context.Context, obj client.Object, opts ...client.UpdateOption) error
	Patch(ctx context.Context, name string, opts ...client.UpdateOption) error
}

func interfaces(ctx context.Context, n narrow, o own, pod *corev1.Pod, obj client.Object) {
	n.Create(ctx, pod)        // want `^runtime create v1/Pod `
	o.Update(ctx, pod, owner) // want `^runtime update v1/Pod .*own fm=set=me `
	o.Patch(ctx, "no write of ours")
	n.Create(ctx, obj)                       // want `^runtime create fm=`
	client.Writer.Create(n, ctx, pod, owner) // want `^runtime create v1/Pod fm=set=me `
}

type reconciler struct{ client.Client }

func (r *reconciler) embedded(ctx context.Context, pod *corev1.Pod) error {
	p := client.MergeFrom(pod.DeepCopy())
	return r.Status().Patch(ctx, pod, p) // want `^runtime subresource patch patch=application/merge-patch\+json sub=status v1/Pod `
}
