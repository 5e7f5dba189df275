// Package schemes adds a removed version to a scheme, and has a marker for the
// permission of another removed version.
package schemes

import (
	policyv1beta1 "k8s.io/api/policy/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
)

// A registration sends no request.
func register(scheme *runtime.Scheme) error {
	return policyv1beta1.AddToScheme(scheme) /* info */ // want `policy/v1beta1 was removed`
}
