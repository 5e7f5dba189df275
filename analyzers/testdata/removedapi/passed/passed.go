// Package passed passes objects to unknown code.
package passed

import (
	batchv1beta1 "k8s.io/api/batch/v1beta1"
	certificatesv1beta1 "k8s.io/api/certificates/v1beta1"
	policyv1beta1 "k8s.io/api/policy/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
)

func empty() runtime.Object {
	return &batchv1beta1.CronJob{} // want `batch/v1beta1 CronJob was removed`
}

func generic() {
	var pdb policyv1beta1.PodDisruptionBudget // want `policy/v1beta1 PodDisruptionBudget was removed`
	send(pdb)
}

func send[T any](T) {}

type watch struct{ object runtime.Object }

var watches = []watch{
	{&certificatesv1beta1.CertificateSigningRequest{}}, // want `certificates.k8s.io/v1beta1 CertificateSigningRequest was removed`
}
