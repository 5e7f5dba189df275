package checks

import (
	"slices"
	"strconv"
	"strings"
)

// foldEchoes removes echoes. An echo is an error that only reports that a
// custom resource is invalid. Its text is added to the error that explains it;
// without such an error, the echo stays.
//
// The server sends echoes for anyOf, oneOf and allOf, in addition to the errors
// of the schema that fits best. It also sends an echo if other errors prevent
// the evaluation of CEL rules.
func foldEchoes(messages []serverMessage) []serverMessage {
	isEcho := func(m serverMessage) bool { return m.cause != nil && parseEcho(m.Text).isEcho }
	if !slices.ContainsFunc(messages, isEcho) {
		return messages
	}
	removed := make([]bool, len(messages))
	for i := range messages {
		m := &messages[i]
		if !isEcho(*m) {
			continue
		}
		if j := explanationOf(messages, i, isEcho); j >= 0 {
			messages[j].furtherErrors = append(messages[j].furtherErrors, m.Field+": "+m.Text)
			removed[i] = true
		}
	}
	var kept []serverMessage
	for i, m := range messages {
		if !removed[i] {
			kept = append(kept, m)
		}
	}
	return kept
}

// explanationOf returns the index of the error that explains the echo at the
// index echo; -1 for none. The result is the first one of these that exists:
//
//   - the first error, if the echo is about the whole object
//   - the next error in the echo's field
//   - the last error in this field before the echo
func explanationOf(messages []serverMessage, echo int, isEcho func(serverMessage) bool) int {
	e := parseEcho(messages[echo].Text)
	matches := func(m serverMessage) bool {
		if m.cause == nil || m.Hidden != messages[echo].Hidden || isEcho(m) {
			return false
		}
		rest, ok := strings.CutPrefix(m.Field, e.field)
		return e.field == "" || ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
	}
	if e.wholeObject {
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

// echo is the parsed text of an error.
type echo struct {
	isEcho      bool   // the error has no information of its own
	wholeObject bool   // the error is about the whole object
	field       string // the invalid field; empty for the whole object
}

// echoes are the ends of errors that always come with other errors of the
// schema (kube-openapi/pkg/validation/validate, schema_messages.go). The error
// for several valid alternatives of oneOf is not in the list, because it comes
// alone.
var echoes = []string{
	" must validate one and only one schema (oneOf). Found none valid",
	" must validate at least one schema (anyOf)",
	" must validate all the schemas (allOf)",
	" must validate all the schemas (allOf). None validated",
}

// uncheckedRules is the error of hasBlockingErr
// (apiextensions-apiserver/pkg/registry/customresource/strategy.go).
const uncheckedRules = "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation"

// parseEcho parses the text of an error. isEcho is false if the error has
// information of its own.
func parseEcho(text string) echo {
	if strings.HasSuffix(text, uncheckedRules) {
		return echo{isEcho: true, wholeObject: true}
	}
	for _, end := range echoes {
		before, ok := strings.CutSuffix(text, end)
		if !ok {
			continue
		}
		// The text has a quoted value before the field.
		if i := strings.LastIndex(before, ": "); i >= 0 {
			if field, err := strconv.Unquote(before[i+2:]); err == nil {
				return echo{isEcho: true, field: strings.TrimPrefix(field, ".")}
			}
		}
	}
	return echo{}
}
