package validation

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

type validator struct {
	server apiserver.Server
	minor  lifecycle.Minor
	req    apiserver.Request
	causes []apiserver.Cause
	// declarative are the errors of declarative validation, which the server
	// reports after all others.
	declarative []apiserver.Cause
	pod         podOptions
}

const maxCauses = 1000

// since returns the field n, or an absent node if the server is older than minor,
// which introduced the field.
func (v *validator) since(minor lifecycle.Minor, n node) node {
	if v.minor < minor {
		return n.absent()
	}
	return n
}

// gated returns a field, or an absent node if the server drops the field because
// its gate is off.
func (v *validator) gated(gate string, n node) node {
	if n.v != nil && !v.server.Enabled(gate) {
		return n.absent()
	}
	return n
}

// add adds an error about a node. text has the form of (*Error).ErrorBody of
// k8s.io/apimachinery/pkg/util/validation/field/errors.go.
func (v *validator) add(n node, text string) {
	if len(v.causes) >= maxCauses {
		return
	}
	v.causes = append(v.causes, apiserver.Cause{Field: n.p.String(), Text: text, Code: http.StatusUnprocessableEntity, At: n.owner})
}

// inexact marks the last error as inexact.
func (v *validator) inexact() {
	if n := len(v.causes); n > 0 {
		v.causes[n-1].Inexact = true
	}
}

func withDetail(text, detail string) string {
	if detail == "" {
		return text
	}
	return text + ": " + detail
}

func (v *validator) required(n node, detail string) { v.add(n, withDetail("Required value", detail)) }

func (v *validator) forbidden(n node, detail string) { v.add(n, withDetail("Forbidden", detail)) }

// invalid adds an error about a value. value is already formatted like the
// server's.
func (v *validator) invalid(n node, value, detail string) {
	v.add(n, withDetail("Invalid value: "+value, detail))
}

// invalidString adds an error about a string for each message.
func (v *validator) invalidString(n node, value string, messages []string) {
	for _, m := range messages {
		v.invalid(n, strconv.Quote(value), m)
	}
}

func (v *validator) duplicate(n node, value string) { v.add(n, "Duplicate value: "+value) }

func (v *validator) notFound(n node, value, detail string) {
	v.add(n, withDetail("Not found: "+strconv.Quote(value), detail))
}

// unsupported adds an error about a value that is not supported. value is already
// formatted like the server's. Callers sort the supported values if the server
// has them in a set.
func (v *validator) unsupported(n node, value string, supported ...string) {
	quoted := make([]string, len(supported))
	for i, s := range supported {
		quoted[i] = strconv.Quote(s)
	}
	v.add(n, "Unsupported value: "+value+": supported values: "+strings.Join(quoted, ", "))
}

// tooLong adds an error about a length in bytes. The text depends on the minor.
func (v *validator) tooLong(n node, limit int) {
	text := "must have at most "
	if v.minor >= 32 {
		text = "may not be more than "
	}
	v.add(n, "Too long: "+text+strconv.Itoa(limit)+" bytes")
}

// tooMany adds the error that a list has too many items. Source: field.TooMany.
func (v *validator) tooMany(n node, actual, limit int) {
	v.add(n, "Too many: "+strconv.Itoa(actual)+": must have at most "+strconv.Itoa(limit)+" items")
}

// typed formats a string of a named Go type, or a *string, for an error: in Go
// syntax up to 1.33, and as JSON later.
func (v *validator) typed(s string) string {
	if v.minor >= 34 {
		return jsonString(s)
	}
	return strconv.Quote(s)
}

func jsonString(s string) string {
	b, err := json.Marshal(s)
	if err != nil { // a string never returns an error
		return strconv.Quote(s)
	}
	return string(b)
}

// enum adds an error if a string of a named Go type is not one of the supported
// values. Callers must pass these values in the server's order.
func (v *validator) enum(n node, value string, supported ...string) {
	if !slices.Contains(supported, value) {
		v.unsupported(n, v.typed(value), supported...)
	}
}

// nonnegative adds an error if an integer is negative. Source:
// ValidateNonnegativeField.
func (v *validator) nonnegative(n node) {
	if i, ok := n.number(); ok && i < 0 {
		v.invalid(n, strconv.FormatInt(i, 10), "must be greater than or equal to 0")
	}
}

func itoa(i int64) string { return strconv.FormatInt(i, 10) }

// rangeText returns the text of InclusiveRangeError.
func rangeText(lo, hi int64) string {
	return "must be between " + itoa(lo) + " and " + itoa(hi) + ", inclusive"
}

func (v *validator) inRange(n node, lo, hi int64) {
	if i, ok := n.number(); ok && (i < lo || i > hi) {
		v.invalid(n, itoa(i), rangeText(lo, hi))
	}
}

// declaredSince adds the errors that report adds. From minor since on, they come
// after the other errors, because declarative validation finds them. Source:
// k8s.io/apiserver/pkg/registry/rest/validate.go.
func (v *validator) declaredSince(since lifecycle.Minor, report func()) {
	if v.minor < since {
		report()
		return
	}
	v.declarative = append(v.declarative, v.errorsOf(report)...)
}

// immutableString adds an error about a changed string that is immutable. From
// 1.37 on, with declarative validation, the text does not contain the value.
func (v *validator) immutableString(n node, value string) {
	if v.minor < 37 {
		v.invalid(n, v.typed(value), "field is immutable")
	} else {
		v.declaredSince(37, func() { v.invalid(n, "null", "field is immutable") })
	}
}

// inBytes returns a message about a length. From 1.37 on, with declarative
// validation, the unit is bytes.
func (v *validator) inBytes(message string) string {
	if v.minor < 37 || !strings.HasPrefix(message, "must be no more than ") {
		return message
	}
	return strings.Replace(message, "characters", "bytes", 1)
}

// errorsOf returns the errors that check adds, and removes them from the
// validator.
func (v *validator) errorsOf(check func()) []apiserver.Cause {
	before := len(v.causes)
	check()
	found := slices.Clone(v.causes[before:])
	v.causes = v.causes[:before]
	return found
}
