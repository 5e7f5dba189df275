// Package marked has markers without side effects.
package marked

// A manifest declares the side effects, so nothing is generated from this marker.
// +kubebuilder:webhook:path=/guard,mutating=true,failurePolicy=fail,groups="",resources=pods,verbs=create,versions=v1,name=guard.example.org

// No manifest has this path.
// +kubebuilder:webhook:path=/other,mutating=true,failurePolicy=fail,groups="",resources=pods,verbs=create,versions=v1,name=other.example.org // want `the webhook's marker has no sideEffects`

// Code creates the configurations of validating webhooks.
// +kubebuilder:webhook:path=/validate,mutating=false,failurePolicy=fail,groups="",resources=pods,verbs=create,versions=v1,name=validate.example.org

type handlers struct{}
