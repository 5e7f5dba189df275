// Package marked has markers that say nothing of side effects.
package marked

// A manifest answers for this one, so that nothing is generated from the marker.
// +kubebuilder:webhook:path=/guard,mutating=true,failurePolicy=fail,groups="",resources=pods,verbs=create,versions=v1,name=guard.example.org

// No manifest knows of this one.
// +kubebuilder:webhook:path=/other,mutating=true,failurePolicy=fail,groups="",resources=pods,verbs=create,versions=v1,name=other.example.org // want `the webhook's marker has no sideEffects`

// Code makes the configurations of webhooks that validate.
// +kubebuilder:webhook:path=/validate,mutating=false,failurePolicy=fail,groups="",resources=pods,verbs=create,versions=v1,name=validate.example.org

type handlers struct{}
