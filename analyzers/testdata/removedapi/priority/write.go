package priority

import (
	certificatesv1beta1 "k8s.io/api/certificates/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
)

// A client may send the converted object.
func forServer(scheme *runtime.Scheme, object runtime.Object) (runtime.Object, error) {
	return scheme.ConvertToVersion(object, certificatesv1beta1.SchemeGroupVersion) // want `certificates.k8s.io/v1beta1 was removed`
}
