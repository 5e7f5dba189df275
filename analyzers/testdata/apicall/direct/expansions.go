package direct

import (
	"context"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/scale"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func expansions(ctx context.Context, k kubernetes.Interface, c client.Client, pod *corev1.Pod, s *autoscalingv1.Scale, dry bool) {
	core := k.CoreV1()
	k.AppsV1().Deployments("").UpdateScale(ctx, "n", s, metav1.UpdateOptions{FieldManager: "me"}) // want `^typed scale sub=scale autoscaling/v1/Scale fm=set=me |^typed scale sub=scale apps/v1/Deployment fm=set=me `
	core.Pods("").UpdateEphemeralContainers(ctx, "n", pod, metav1.UpdateOptions{})                // want `^typed update sub=ephemeralcontainers v1/Pod fm=unset `
	core.Pods("").Bind(ctx, &corev1.Binding{}, metav1.CreateOptions{})                            // want `^typed bind sub=binding .*fm=unset `
	core.Nodes().PatchStatus(ctx, "n", nil)                                                       // want `^typed patch sub=status v1/Node fm=unset `
	core.Namespaces().Finalize(ctx, &corev1.Namespace{}, metav1.UpdateOptions{})                  // want `^typed update sub=finalize v1/Namespace `
	core.Pods("").EvictV1(ctx, &policyv1.Eviction{})                                              // want `^typed evict sub=eviction .*dryrun=unset `
	opts := metav1.DeleteOptions{}
	if dry {
		opts.DryRun = []string{metav1.DryRunAll}
	}
	core.Pods("").EvictV1(ctx, &policyv1.Eviction{DeleteOptions: &opts})                                                          // want `^typed evict sub=eviction .*dryrun=set=\[All\]\? `
	c.SubResource("eviction").Create(ctx, pod, &policyv1.Eviction{DeleteOptions: &metav1.DeleteOptions{DryRun: []string{"All"}}}) // want `^runtime subresource evict sub=eviction .*own fm=unset force=unset dryrun=set=\[All\] `
}

func others(ctx context.Context, m metadata.ResourceInterface, sc scale.ScaleInterface, s *autoscalingv1.Scale) {
	m.Delete(ctx, "n", metav1.DeleteOptions{})                                                          // want `^metadata delete .*dryrun=unset `
	m.Patch(ctx, "n", types.MergePatchType, nil, metav1.PatchOptions{FieldManager: "me"})               // want `^metadata patch patch=application/merge-patch\+json fm=set=me `
	sc.Update(ctx, schema.GroupResource{}, s, metav1.UpdateOptions{DryRun: []string{"All"}})            // want `^scale scale sub=scale .*dryrun=set=\[All\] `
	sc.Patch(ctx, schema.GroupVersionResource{}, "n", types.MergePatchType, nil, metav1.PatchOptions{}) // want `^scale patch patch=application/merge-patch\+json sub=scale .*dryrun=unset `
}
