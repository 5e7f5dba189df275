// Package v1beta1 has a custom resource.
package v1beta1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupVersion contains the group. No constant does.
var GroupVersion = schema.GroupVersion{Group: "shop.example.com", Version: "v1beta1"}

// WidgetGVR is for other packages.
var WidgetGVR = GroupVersion.WithResource("widgets")

// Widget is a custom resource.
type Widget struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

// DeepCopyObject implements runtime.Object.
func (w *Widget) DeepCopyObject() runtime.Object { return w }

// WidgetList is a list of widgets.
type WidgetList struct {
	metav1.TypeMeta
	metav1.ListMeta
	Items []Widget
}

// DeepCopyObject implements runtime.Object.
func (w *WidgetList) DeepCopyObject() runtime.Object { return w }

// WidgetInformer is an informer of a generated factory.
type WidgetInformer interface {
	Informer() any
	Lister() WidgetLister
}

// WidgetLister lists the widgets in an informer.
type WidgetLister interface {
	List(selector any) ([]*Widget, error)
}

// Factory creates informers.
type Factory interface{ Widgets() WidgetInformer }
