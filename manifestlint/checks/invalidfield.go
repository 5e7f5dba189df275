package checks

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// ruleInvalidField is the rule for errors of a server that have no other rule.
const ruleInvalidField = "invalidfield"

// isPlaceholder reports whether an error is about a placeholder: a value such
// as ${REPLICAS}, which envsubst or Flux replaces before the server gets the
// object, or <cluster-name>, which the user replaces.
func (m *serverMessage) isPlaceholder() bool {
	if strings.Contains(m.Text, "${") || m.At != nil && m.At.Kind == wire.String && hasPlaceholder(m.At.Text) {
		return true
	}
	// The server copies some values to other fields, such as clusterIP to
	// clusterIPs. The copy has no position, so search the error's text.
	_, value, _ := strings.Cut(m.Text, `Invalid value: "`)
	value, _, _ = strings.Cut(value, `"`)
	return hasPlaceholder(value)
}

func hasPlaceholder(text string) bool {
	return strings.Contains(text, "${") || strings.ContainsAny(text, "<$_(@") && placeholder().MatchString(text)
}

// placeholder matches <name>, $NAME, $(NAME), ((NAME)), @NAME@ and __NAME__.
// Angle brackets that contain an operator, such as & or =, are an expression.
var placeholder = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`<[A-Za-z][\w .:/-]*>|\$\(?[A-Z][A-Z0-9_]*|__[A-Z][A-Z0-9_]*__|\(\([A-Z][A-Z0-9_]*\)\)|@[A-Z][A-Z0-9_]*@`)
})

// withoutPlaceholders removes the errors about placeholders, and makes visible
// what the servers would send without them: the first error about a value that
// does not decode, or all messages if there is none. Hidden messages come last.
func withoutPlaceholders(messages []serverMessage) []serverMessage {
	kept := slices.DeleteFunc(messages, func(m serverMessage) bool { return m.cause != nil && m.isPlaceholder() })
	if first := slices.IndexFunc(kept, isUndecoded); first >= 0 {
		kept[first].Hidden = false
	} else {
		for i := range kept {
			kept[i].Hidden = false
		}
	}
	slices.SortStableFunc(kept, func(a, b serverMessage) int {
		switch {
		case a.Hidden == b.Hidden:
			return 0
		case b.Hidden:
			return -1
		}
		return 1
	})
	return kept
}

// isUndecoded reports whether a message is about a value that does not decode.
func isUndecoded(m serverMessage) bool { return m.cause != nil && len(m.cause.Fits) > 0 }

// withoutIncomplete removes the errors of an object that lacks required fields
// and that another program completes. Errors about lifecycle hooks remain.
func withoutIncomplete(o *manifestlint.Object, messages []serverMessage) []serverMessage {
	if !o.Unfinished && !isGeneratorInput(o.Root) || !slices.ContainsFunc(messages, isMissingField) {
		return messages
	}
	visible := slices.ContainsFunc(messages, func(m serverMessage) bool { return isMissingField(m) && !m.Hidden })
	return slices.DeleteFunc(messages, func(m serverMessage) bool {
		switch {
		case m.cause == nil || m.cause.LifecycleHook:
			return false
		case visible:
			return true
		}
		return m.Hidden && !isUndecoded(m) // values of a wrong type hide the errors about missing fields, and are still reported
	})
}

// isGeneratorInput reports whether an object has a field such as $apply or
// $patch, and is therefore the input of a program that generates other objects.
func isGeneratorInput(root *wire.Value) bool {
	return slices.ContainsFunc(root.Fields, func(f wire.Field) bool { return strings.HasPrefix(f.Name, "$") })
}

// isMissingField reports whether a message is an error about an absent field.
func isMissingField(m serverMessage) bool {
	return m.cause != nil && !m.cause.LifecycleHook && strings.HasPrefix(m.Text, "Required value")
}
