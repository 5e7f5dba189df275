// Package encoded passes a removed version to a scheme for objects that a client may
// send.
package encoded

import (
	batchv1beta1 "k8s.io/api/batch/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
)

func forServer(scheme *runtime.Scheme, object runtime.Object) (runtime.Object, error) {
	return scheme.ConvertToVersion(object, batchv1beta1.SchemeGroupVersion) // want `batch/v1beta1 was removed`
}
