// Package markers has markers for roles.
package markers

import "sigs.k8s.io/controller-runtime/pkg/client"

type reconciler struct{ client.Client }

//+kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list
// +kubebuilder:rbac:groups=policy,resources=poddisruptionbudgets;podsecuritypolicies,verbs=use // want `^policy/v1beta1 PodSecurityPolicy was removed in 1.25$`
// +kubebuilder:rbac:groups="extensions",resources={ingresses/status,pods},verbs=update // want `^extensions/v1beta1 Ingress was removed in 1.22; use networking.k8s.io/v1 Ingress$`
// +kubebuilder:rbac:groups=extensions;apps,resources=replicasets,verbs=get
// +kubebuilder:rbac:groups=example.com,resources=podsecuritypolicies,verbs=get
// +kubebuilder:rbac:groups=*,resources=*,verbs=*
// +kubebuilder:rbac:nonsense,resources="ingresses
// +kubebuilder:object:root=true

func (r *reconciler) reconcile() {}

// The roles are for old clusters.
//
// +kubebuilder:rbac:groups=policy,resources=podsecuritypolicies,verbs=use
//
//kubevet:ignore removedapi -- for the clusters that have it
func (r *reconciler) old() {}
