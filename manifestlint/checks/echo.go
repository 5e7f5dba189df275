package checks

import (
	"slices"
	"strconv"
	"strings"
)

// foldEchoes removes echoes, and adds the text of each echo to the error that
// explains it. An echo is an error that only says that a custom resource is
// invalid. An echo stays if no other error explains it.
//
// The server sends echoes for anyOf, oneOf and allOf, in addition to the errors
// of the schema that fits best. The server also sends an echo if other errors
// prevent the evaluation of CEL rules.
func foldEchoes(messages []serverMessage) []serverMessage {
	isEcho := func(m serverMessage) bool { return m.cause != nil && echoed(m.Text).repeats }
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

// echoOf returns the index of the error that explains the echo, which is the
// error at the index echo; -1 if there is none. If the echo is about the whole
// object, the first error explains it. Otherwise the next error in the echo's
// field explains it. Without a next error, the last error in this field before
// the echo does.
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

// echo is the parsed text of an error that may only repeat another error.
type echo struct {
	repeats bool   // the error has no information of its own
	whole   bool   // the error is about the whole object
	field   string // the invalid field; empty for the whole object
}

// echoes are the ends of errors that always come with other errors of the
// schema (kube-openapi/pkg/validation/validate, schema_messages.go). The list
// does not have the error for several valid alternatives of oneOf, because no
// other errors come with it.
var echoes = []string{
	" must validate one and only one schema (oneOf). Found none valid",
	" must validate at least one schema (anyOf)",
	" must validate all the schemas (allOf)",
	" must validate all the schemas (allOf). None validated",
}

// uncheckedRules is the error of hasBlockingErr
// (apiextensions-apiserver/pkg/registry/customresource/strategy.go).
const uncheckedRules = "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation"

// echoed parses the text of an error. Its field repeats is false if the error
// has information of its own.
func echoed(text string) echo {
	if strings.HasSuffix(text, uncheckedRules) {
		return echo{repeats: true, whole: true}
	}
	for _, end := range echoes {
		before, ok := strings.CutSuffix(text, end)
		if !ok {
			continue
		}
		// The text has a quoted value before the field.
		if i := strings.LastIndex(before, ": "); i >= 0 {
			if field, err := strconv.Unquote(before[i+2:]); err == nil {
				return echo{repeats: true, field: strings.TrimPrefix(field, ".")}
			}
		}
	}
	return echo{}
}
