// Package kubewebhook answers requests with mutators of other packages.
package kubewebhook

import (
	"context"

	"github.com/slok/kubewebhook/v2/pkg/model"
	"github.com/slok/kubewebhook/v2/pkg/webhook/mutating"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.org/clients/dryrundesigns/kubewebhook/aws"
	"example.org/clients/dryrundesigns/kubewebhook/provider"
	"example.org/clients/dryrundesigns/kubewebhook/vault"
)

type Webhook struct{ c client.Client }

func (w *Webhook) Mutate(ctx context.Context, ar *model.AdmissionReview, obj metav1.Object) (*mutating.MutatorResult, error) {
	var m provider.Mutator
	switch obj.GetName() {
	case "vault":
		m = vault.New()
	default:
		m = aws.New()
	}
	if pod, ok := obj.(*corev1.Pod); ok {
		return nil, m.MutatePod(ctx, provider.Request{Pod: pod, Client: w.c, DryRun: ar.DryRun}) // want "dry run creates a Secret"
	}
	return nil, nil
}

// Vault calls only a mutator that checks the dry run.
func (w *Webhook) Vault(ctx context.Context, ar *model.AdmissionReview, pod *corev1.Pod) error {
	var m provider.Mutator = vault.New()
	return m.MutatePod(ctx, provider.Request{Pod: pod, Client: w.c, DryRun: ar.DryRun})
}
