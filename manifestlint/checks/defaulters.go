package checks

import (
	"slices"
	"strings"

	"github.com/kubevet/kubevet/manifestlint/objectcontext"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// mutatingKind is the kind of configurations of webhooks that change objects.
const mutatingKind = "MutatingWebhookConfiguration"

// newDefaulters returns the first webhook that changes new objects of a group, by
// the group of custom resources. Such a webhook may set required fields: the
// server validates a custom resource after it has called the webhooks.
func newDefaulters(context []objectcontext.Object) map[string]string {
	first := map[string]string{}
	for i := range context {
		if context[i].Kind != mutatingKind {
			continue
		}
		for _, hook := range items(context[i].Body().Get("webhooks")) {
			name := strings.Clone(hook.Get("name").StringOr(""))
			for _, rule := range items(hook.Get("rules")) {
				if !holds(rule.Get("operations"), "CREATE") && !holds(rule.Get("operations"), "*") {
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

// defaulter returns the name of a webhook that may set fields of custom resources
// of a group; empty if there is none.
func (s *Set) defaulter(group string) string {
	if s == nil {
		return ""
	}
	return s.defaulters[group]
}

// items returns the items of a list; none of anything else.
func items(v *wire.Value) []*wire.Value {
	if v == nil || v.Kind != wire.List {
		return nil
	}
	return v.Items
}

// holds reports whether a list has a string.
func holds(list *wire.Value, text string) bool {
	return slices.ContainsFunc(items(list), func(v *wire.Value) bool { return v.StringOr("") == text })
}
