// Package registered adds a version to a scheme, and names none of the version's
// kinds.
package registered

import (
	batchv1 "k8s.io/api/batch/v1"
	policyv1beta1 "k8s.io/api/policy/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
)

func scheme() (*runtime.Scheme, error) {
	s := runtime.NewScheme()
	if err := batchv1.AddToScheme(s); err != nil {
		return nil, err
	}
	return s, policyv1beta1.AddToScheme(s) // want `^policy/v1beta1 was removed in 1.25`
}
