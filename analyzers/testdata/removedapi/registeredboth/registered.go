// Package registeredboth adds the old and the new version to a scheme.
package registeredboth

import (
	policyv1 "k8s.io/api/policy/v1"
	policyv1beta1 "k8s.io/api/policy/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
)

func scheme() runtime.SchemeBuilder {
	return runtime.NewSchemeBuilder(policyv1.AddToScheme, policyv1beta1.AddToScheme)
}
