// Package crd reads and names custom resources in all ways that the analyzer knows.
package crd

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.org/clients/traces/api/flat"
	"example.org/clients/traces/api/v1beta1"
)

var gadgets = schema.GroupVersionResource{Group: "shop.example.com", Version: "v1alpha1", Resource: "gadgets"}

// Runtime reads and writes with controller-runtime.
func Runtime(ctx context.Context, c client.Client, mgr ctrl.Manager) error {
	w := &v1beta1.Widget{}
	_ = c.Get(ctx, types.NamespacedName{Name: "x"}, w)
	var list v1beta1.WidgetList
	_ = c.List(ctx, &list)
	_ = c.Delete(ctx, w)
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(schema.GroupVersionKind{Group: "shop.example.com", Version: "v1", Kind: "Gizmo"})
	_ = c.Get(ctx, types.NamespacedName{Name: "x"}, u)
	v := &unstructured.Unstructured{}
	v.SetAPIVersion("shop.example.com/v1")
	v.SetKind("Gear")
	return ctrl.NewControllerManagedBy(mgr).For(&v1beta1.Widget{}).Complete(nil)
}

// Dynamic reads resources that variables name.
func Dynamic(ctx context.Context, d dynamic.Interface, which schema.GroupVersionResource) {
	_, _ = d.Resource(gadgets).Namespace("shop").List(ctx, metav1.ListOptions{})
	widgets := d.Resource(v1beta1.WidgetGVR)
	_, _ = widgets.Get(ctx, "x", metav1.GetOptions{})
	_ = widgets.Delete(ctx, "x", metav1.DeleteOptions{})
	_, _ = d.Resource(which).List(ctx, metav1.ListOptions{}) // an unknown resource
}

// Others builds requests by hand, and uses informers.
func Others(ctx context.Context, r *rest.RESTClient, f v1beta1.Factory) {
	_ = r.Get().AbsPath("/apis/shop.example.com/v1alpha1/namespaces/x/cogs").Do(ctx)
	_ = f.Widgets().Informer()
	_ = map[string]any{"apiVersion": "shop.example.com/v1", "kind": "Lever"}
}

// Flat reads a kind whose package has no version in its path.
func Flat(ctx context.Context, c client.Client) {
	_ = c.Get(ctx, types.NamespacedName{Name: "x"}, &flat.Disc{})
	_ = c.Create(ctx, &flat.Disc{})
}
