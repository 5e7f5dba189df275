package checks

import (
	"slices"
	"strings"

	"github.com/kubevet/kubevet/manifestlint/objectcontext"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// mutatingKind is the kind that configures webhooks that change objects.
const mutatingKind = "MutatingWebhookConfiguration"

// newDefaulters returns, for each group of custom resources, the name of one
// webhook that changes new objects. The server calls webhooks before it
// validates a custom resource, so the webhook may set required fields.
func newDefaulters(context []objectcontext.Object) map[string]string {
	first := map[string]string{}
	for i := range context {
		if context[i].Kind != mutatingKind {
			continue
		}
		for _, hook := range items(context[i].Body().Get("webhooks")) {
			name := strings.Clone(hook.Get("name").StringOr(""))
			for _, rule := range items(hook.Get("rules")) {
				if !containsString(rule.Get("operations"), "CREATE") && !containsString(rule.Get("operations"), "*") {
					continue
				}
				for _, group := range items(rule.Get("apiGroups")) {
					if g := group.StringOr(""); name != "" && first[g] == "" {
						first[strings.Clone(g)] = name
					}
				}
			}
		}
	}
	return first
}

// defaulter returns the name of a webhook that may set fields of a group's
// custom resources; "" for none.
func (s *Set) defaulter(group string) string {
	if s == nil {
		return ""
	}
	return s.defaulters[group]
}

// items returns the items of a list, and nil for any other value.
func items(v *wire.Value) []*wire.Value {
	if v == nil || v.Kind != wire.List {
		return nil
	}
	return v.Items
}

// containsString reports whether a list contains a string.
func containsString(list *wire.Value, text string) bool {
	return slices.ContainsFunc(items(list), func(v *wire.Value) bool { return v.StringOr("") == text })
}
