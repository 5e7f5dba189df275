package checks

import (
	"slices"

	"github.com/kubevet/kubevet/manifestlint"
)

// definitionKind is the kind of custom resource definitions.
const definitionKind = "CustomResourceDefinition"

// Set is what the linted objects say together of the cluster that they are
// meant for. A nil *Set knows nothing. It is immutable once it is filled.
type Set struct {
	definitions definitions
	namespaces  namespaces
	// sharedLabels are what several Namespaces of one name agree on.
	sharedLabels map[string]map[string]string
	webhooks     webhooks
}

// GatheredKinds are the kinds of objects that a Set is made of.
func GatheredKinds() []string {
	return []string{definitionKind, "MutatingWebhookConfiguration", "Namespace", "ValidatingWebhookConfiguration"}
}

// NeededKinds are those of the gathered kinds that the checks ask a Set for, if
// only some rules report.
func NeededKinds(reports func(rule string) bool) []string {
	for _, c := range []manifestlint.Check{serverAnswer(nil), webhookSideEffects(nil)} {
		if slices.ContainsFunc(c.Rules(), reports) {
			return GatheredKinds()
		}
	}
	return []string{definitionKind}
}

// NewSet makes a Set of objects of the gathered kinds, in the order of the
// inputs.
func NewSet(given []manifestlint.Given) *Set {
	s := &Set{}
	s.Fill(given)
	return s
}

// Fill makes of a set that was made of nothing what NewSet makes of objects:
// for checks that are made before what they judge by is known, and do not run
// before it is.
func (s *Set) Fill(given []manifestlint.Given) {
	*s = Set{definitions: newDefinitions(given), namespaces: newNamespaces(given), webhooks: newWebhooks(given)}
	s.sharedLabels = s.namespaces.agreed()
}
