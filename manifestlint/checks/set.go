package checks

import (
	"slices"

	"github.com/kubevet/kubevet/manifestlint/objectcontext"
)

// definitionKind is the kind of custom resource definitions.
const definitionKind = "CustomResourceDefinition"

// Set is what is known about the cluster from the context objects. It is
// immutable. A nil *Set is empty.
type Set struct {
	definitions *definitions
	namespaces  namespaces
	// sharedLabels are the labels by name that several Namespaces share; see
	// agreed.
	sharedLabels map[string]map[string]string
	webhooks     webhooks
}

// NewSet returns a Set of context objects, in the order of the inputs.
func NewSet(context []objectcontext.Object) *Set {
	s := &Set{definitions: newDefinitions(context), namespaces: newNamespaces(context), webhooks: newWebhooks(context)}
	s.sharedLabels = s.namespaces.agreed()
	return s
}

// ContextKinds returns the kinds of objects that a Set is made of.
func ContextKinds() []string {
	return []string{definitionKind, "MutatingWebhookConfiguration", "Namespace", "ValidatingWebhookConfiguration"}
}

// NeededKinds returns the kinds of context objects that the checks need if
// only some rules are enabled.
func NeededKinds(enabled func(rule string) bool) []string {
	var kinds []string
	for _, c := range All(nil) {
		if slices.ContainsFunc(c.Rules(), enabled) {
			kinds = append(kinds, c.Context...)
		}
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}
