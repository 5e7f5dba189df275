package marker

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// The server sends no dry run to a webhook that may have side effects then.
//
// +kubebuilder:webhook:path=/some,mutating=false,sideEffects=Some,webhookVersions=v1beta1,groups="",resources=pods,verbs=delete,versions=v1,name=some.example.org
type some struct{ c client.Client }

func (s *some) Handle(ctx context.Context, req admission.Request) admission.Response {
	_ = s.c.Create(ctx, &corev1.ConfigMap{})
	return admission.Allowed("")
}

/* want `^the webhook's marker has no sideEffects: controller-gen makes no v1 configuration of it, and one of v1beta1 refuses dry-runs; add sideEffects=None, or NoneOnDryRun for a handler that writes$` */ // +kubebuilder:webhook:path=/silent,mutating=false,groups="",resources=services,verbs="delete",versions=v1,name=silent.example.org

/* want `^the webhook's marker has no sideEffects: the server takes that for Unknown and refuses dry-runs` */ //+kubebuilder:webhook:path=/older,mutating=true,webhookVersions={v1beta1},groups="",resources=services,verbs=delete,versions=v1,name=older.example.org

// A sentence about +kubebuilder:webhook:path=/x,mutating=true is no marker.
