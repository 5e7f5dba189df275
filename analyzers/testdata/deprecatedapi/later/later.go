// Package later is built with the client-go of 1.20. Later servers lack the APIs that it uses.
package later

import (
	"context"

	batchv1beta1 "k8s.io/api/batch/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func budgets(ctx context.Context, cs kubernetes.Interface) error {
	_, err := cs.PolicyV1beta1().PodDisruptionBudgets("web").List(ctx, metav1.ListOptions{}) /* info */ // want `^policy/v1beta1 PodDisruptionBudget is served by 1.20 and was removed in 1.25; use policy/v1 PodDisruptionBudget, which servers have from 1.21 on \(call PolicyV1\(\)\)$`
	return err
}

func job(ctx context.Context, c client.Client) error {
	return c.Create(ctx, &batchv1beta1.CronJob{}) /* info */ // want `^batch/v1beta1 CronJob is served by 1.20 and was removed in 1.25; use batch/v1 CronJob, which servers have from 1.21 on`
}

// A server of 1.20 warns about this version.
var request = schema.GroupVersionKind{Group: "certificates.k8s.io", Version: "v1beta1", Kind: "CertificateSigningRequest"} // want `^certificates.k8s.io/v1beta1 CertificateSigningRequest is deprecated in v1.19\+, unavailable in v1.22\+; use certificates.k8s.io/v1 CertificateSigningRequest$`

var current = schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}
