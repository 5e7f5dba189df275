package checks

import (
	"slices"
	"strings"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// ruleInvalidField reports the errors of a server that no other rule reports.
const ruleInvalidField = "invalidfield"

// isPlaceholder reports whether an error is about a value such as ${REPLICAS},
// which envsubst, Flux or a similar program replaces before the server sees it.
func (m *serverMessage) isPlaceholder() bool {
	return strings.Contains(m.Text, "${") || m.At != nil && strings.Contains(m.At.Text, "${")
}

// withoutIncomplete removes the errors about an object that lacks required
// fields because another program completes it. Errors about lifecycle hooks
// remain.
func withoutIncomplete(o *manifestlint.Object, messages []serverMessage) []serverMessage {
	if !o.Unfinished && !isGeneratorInput(o.Root) || !slices.ContainsFunc(messages, isMissingField) {
		return messages
	}
	return slices.DeleteFunc(messages, func(m serverMessage) bool { return m.cause != nil && !m.cause.LifecycleHook })
}

// isGeneratorInput reports whether an object has a field such as $apply or
// $patch. Programs that generate other objects from this one define such fields.
func isGeneratorInput(root *wire.Value) bool {
	return slices.ContainsFunc(root.Fields, func(f wire.Field) bool { return strings.HasPrefix(f.Name, "$") })
}

// isMissingField reports whether a message is an error about an absent field.
func isMissingField(m serverMessage) bool {
	return m.cause != nil && !m.cause.LifecycleHook && strings.HasPrefix(m.Text, "Required value")
}
