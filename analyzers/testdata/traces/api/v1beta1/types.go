// Package v1beta1 has a kind of its own.
package v1beta1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupVersion tells the group, which no constant does.
var GroupVersion = schema.GroupVersion{Group: "shop.example.com", Version: "v1beta1"}

// WidgetGVR is used elsewhere.
var WidgetGVR = GroupVersion.WithResource("widgets")

// Widget is a custom resource.
type Widget struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

// DeepCopyObject makes it an object.
func (w *Widget) DeepCopyObject() runtime.Object { return w }

// WidgetList is a list of them.
type WidgetList struct {
	metav1.TypeMeta
	metav1.ListMeta
	Items []Widget
}

// DeepCopyObject makes it an object.
func (w *WidgetList) DeepCopyObject() runtime.Object { return w }

// WidgetInformer is what a generated factory gives.
type WidgetInformer interface {
	Informer() any
	Lister() WidgetLister
}

// WidgetLister lists what an informer has.
type WidgetLister interface {
	List(selector any) ([]*Widget, error)
}

// Factory makes informers.
type Factory interface{ Widgets() WidgetInformer }
