// Package early writes with old clients. They take no context, and most of them
// take no options.
package early

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"example.org/clients/apicall/early/typed/v1"
)

func write(c v1.PodInterface, pod *corev1.Pod) {
	c.Create(pod)                                                              // want `^typed create v1/Pod`
	c.Update(pod)                                                              // want `^typed update v1/Pod`
	c.UpdateStatus(pod)                                                        // want `^typed update sub=status v1/Pod`
	c.Delete("web", nil)                                                       // want `^typed delete v1/Pod .* dryrun=unset`
	c.Delete("web", &metav1.DeleteOptions{DryRun: []string{metav1.DryRunAll}}) // want `^typed delete v1/Pod .* dryrun=set=.All.`
	c.DeleteCollection(&metav1.DeleteOptions{}, metav1.ListOptions{})          // want `^typed deletecollection v1/Pod`
	c.Patch("web", types.MergePatchType, nil, "status")                        // want `^typed patch patch=application/merge-patch.json sub=status v1/Pod`
	c.Bind(&corev1.Binding{})                                                  // want `^typed bind sub=binding`
	c.Get("web", metav1.GetOptions{})
	c.Evaluate(pod)
}
