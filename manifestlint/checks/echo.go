package checks

import (
	"slices"
	"strconv"
	"strings"
)

// foldEchoes moves errors that only repeat that a custom resource is invalid to
// the error that they repeat. An error that repeats no other one stays.
//
// The server sends them for anyOf, oneOf and allOf in addition to the errors of
// the schema that fits best, and once if it does not evaluate CEL rules because
// of other errors.
func foldEchoes(messages []serverMessage) []serverMessage {
	isEcho := func(m serverMessage) bool { return m.cause != nil && echoed(m.Text).is }
	if !slices.ContainsFunc(messages, isEcho) {
		return messages
	}
	gone := make([]bool, len(messages))
	for i := range messages {
		m := &messages[i]
		if !isEcho(*m) {
			continue
		}
		if j := echoOf(messages, i, isEcho); j >= 0 {
			messages[j].also = append(messages[j].also, m.Field+": "+m.Text)
			gone[i] = true
		}
	}
	var kept []serverMessage
	for i, m := range messages {
		if !gone[i] {
			kept = append(kept, m)
		}
	}
	return kept
}

// echoOf returns the index of the error that an echo repeats: the next error in the
// echo's value, or else the last one before it. It returns -1 if there is none.
func echoOf(messages []serverMessage, echo int, isEcho func(serverMessage) bool) int {
	e := echoed(messages[echo].Text)
	matches := func(m serverMessage) bool {
		if m.cause == nil || m.Hidden != messages[echo].Hidden || isEcho(m) {
			return false
		}
		rest, ok := strings.CutPrefix(m.Field, e.field)
		return e.field == "" || ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
	}
	if e.whole {
		return slices.IndexFunc(messages, matches)
	}
	if i := slices.IndexFunc(messages[echo:], matches); i >= 0 {
		return echo + i
	}
	for i := echo - 1; i >= 0; i-- {
		if matches(messages[i]) {
			return i
		}
	}
	return -1
}

// echo is the content of an error that may repeat another one.
type echo struct {
	is    bool
	whole bool   // about the whole object
	field string // whose value is invalid; empty for the whole object
}

// echoes are the ends of errors that a schema's other errors explain
// (kube-openapi/pkg/validation/validate, schema_messages.go). "oneOf" with
// several valid alternatives has no other errors.
var echoes = []string{
	" must validate one and only one schema (oneOf). Found none valid",
	" must validate at least one schema (anyOf)",
	" must validate all the schemas (allOf)",
	" must validate all the schemas (allOf). None validated",
}

// uncheckedRules is the error of hasBlockingErr
// (apiextensions-apiserver/pkg/registry/customresource/strategy.go).
const uncheckedRules = "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation"

// echoed parses an error's text.
func echoed(text string) echo {
	if strings.HasSuffix(text, uncheckedRules) {
		return echo{is: true, whole: true}
	}
	for _, end := range echoes {
		before, ok := strings.CutSuffix(text, end)
		if !ok {
			continue
		}
		// The text quotes a value and then the field.
		if i := strings.LastIndex(before, ": "); i >= 0 {
			if field, err := strconv.Unquote(before[i+2:]); err == nil {
				return echo{is: true, field: strings.TrimPrefix(field, ".")}
			}
		}
	}
	return echo{}
}
