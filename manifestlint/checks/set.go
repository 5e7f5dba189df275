package checks

import "github.com/kubevet/kubevet/manifestlint"

// Set is what the linted objects say together of the cluster that they are
// meant for. A nil *Set knows nothing. It is immutable.
type Set struct {
	definitions definitions
	namespaces  namespaces
	webhooks    webhooks
}

// GatheredKinds are the kinds of objects that a Set is made of.
func GatheredKinds() []string {
	return []string{"CustomResourceDefinition", "MutatingWebhookConfiguration", "Namespace", "ValidatingWebhookConfiguration"}
}

// NewSet makes a Set of objects of the gathered kinds, in the order of the
// inputs.
func NewSet(given []manifestlint.Given) *Set {
	return &Set{definitions: newDefinitions(given), namespaces: newNamespaces(given), webhooks: newWebhooks(given)}
}
