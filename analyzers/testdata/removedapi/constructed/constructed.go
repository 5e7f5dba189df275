// Package constructed creates typed clients for one version each.
package constructed

import (
	batchv1 "k8s.io/client-go/kubernetes/typed/batch/v1"
	policyv1beta1 "k8s.io/client-go/kubernetes/typed/policy/v1beta1"
	"k8s.io/client-go/rest"
)

func clients(cfg *rest.Config) error {
	if _, err := batchv1.NewForConfig(cfg); err != nil {
		return err
	}
	_, err := policyv1beta1.NewForConfig(cfg) // want `^policy/v1beta1 was removed in 1.25; use policy/v1 .import k8s.io/client-go/kubernetes/typed/policy/v1.$`
	return err
}
