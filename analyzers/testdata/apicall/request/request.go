// Package request creates requests without a generated client.
package request

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
)

func chain(ctx context.Context, c rest.Interface, body []byte, opts metav1.PatchOptions) {
	c.Post().Resource("pods").Body(body).Do(ctx) // want `^rest create fm=unset force=unset dryrun=unset`
	c.Get().Resource("pods").Do(ctx)
	c.Put().Resource("pods").SubResource("status").VersionedParams(&metav1.UpdateOptions{FieldManager: "me"}, scheme.ParameterCodec).Body(body).Do(ctx) // want `^rest update sub=status fm=set=me force=unset dryrun=unset`
	c.Patch(types.ApplyPatchType).Param("fieldManager", "me").Param("force", "true").Param("dryRun", "All").DoRaw(ctx)                                  // want `^rest apply fm=set=me force=set=true dryrun=set=\[All\]`
	c.Patch(types.MergePatchType).VersionedParams(&opts, scheme.ParameterCodec).Do(ctx)                                                                 // want `^rest patch patch=application/merge-patch\+json fm=passed:opts.FieldManager force=passed:opts.Force dryrun=passed:opts.DryRun .*caller=opts`
	c.Delete().Name("x").Body(&metav1.DeleteOptions{DryRun: []string{"All"}}).Do(ctx)                                                                   // want `^rest delete fm=unset force=unset dryrun=set=\[All\]`
	c.Verb("PUT").Do(ctx)                                                                                                                               // want `^rest update fm=unset`
	c.Verb("GET").Do(ctx)
	req := c.Post()
	req.Resource("pods")
	req = req.Param("dryRun", "All")
	req.Do(ctx) // want `^rest create fm=unset force=unset dryrun=set=\[All\]`
}

// chosen has several verbs.
func chosen(ctx context.Context, c rest.Interface, method string) {
	var req *rest.Request
	switch method {
	case "GET":
		req = c.Get()
	case "PUT":
		req = c.Put()
	default:
		req = c.Post()
	}
	req.Do(ctx)
}

func given(ctx context.Context, r *rest.Request) {
	r.Do(ctx) // the verb and the options are not known
}
