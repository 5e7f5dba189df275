// Package markersboth has roles for the old group and for the new one.
package markersboth

import "sigs.k8s.io/controller-runtime/pkg/client"

// +kubebuilder:rbac:groups=extensions,resources=ingresses,verbs=get
// +kubebuilder:rbac:groups=networking.k8s.io,resources=ingresses,verbs=get

type reconciler struct{ client.Client }
