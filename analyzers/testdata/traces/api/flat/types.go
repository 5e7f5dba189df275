// Package flat has a version that only its registration tells.
package flat

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// SchemeGroupVersion is what its types are registered as.
var SchemeGroupVersion = schema.GroupVersion{Group: "flat.example.com", Version: "v1alpha2"}

// Disc is a custom resource.
type Disc struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

// DeepCopyObject makes it an object.
func (d *Disc) DeepCopyObject() runtime.Object { return d }
