// Package flat has an API version that only its registration shows.
package flat

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// SchemeGroupVersion is the group and version of the package's types.
var SchemeGroupVersion = schema.GroupVersion{Group: "flat.example.com", Version: "v1alpha2"}

// Disc is a custom resource.
type Disc struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

// DeepCopyObject implements runtime.Object.
func (d *Disc) DeepCopyObject() runtime.Object { return d }
