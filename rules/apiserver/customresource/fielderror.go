package customresource

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// report collects errors with the texts of
// apimachinery/pkg/util/validation/field/errors.go.
type report struct {
	minor  lifecycle.Minor
	causes []apiserver.Cause
	// blocking is set if an error prevents the evaluation of CEL rules. Source:
	// hasBlockingErr in pkg/registry/customresource/strategy.go.
	blocking bool
}

// The kinds of field errors, as the server's texts name them.
const (
	errInvalid      = "Invalid value"
	errRequired     = "Required value"
	errForbidden    = "Forbidden"
	errNotSupported = "Unsupported value"
	errDuplicate    = "Duplicate value"
	errTooLong      = "Too long"
	errTooMany      = "Too many"
)

// noPath is the server's text for an error without a path.
const noPath = "<nil>"

func (r *report) add(path, text string, at *wire.Value) {
	if path == "" {
		path = noPath
	}
	r.causes = append(r.causes, apiserver.Cause{Field: path, Text: text, Code: 422, At: at})
}

// addWithValue adds an error that quotes a value: a string, int64, float64, bool,
// *wire.Value or nil.
func (r *report) addWithValue(kind, path string, value any, detail string, at *wire.Value) {
	text := kind + ": " + quoteValue(r.minor, value)
	if detail != "" {
		text += ": " + detail
	}
	r.add(path, text, at)
}

func (r *report) invalid(path string, value any, detail string, at *wire.Value) {
	r.addWithValue(errInvalid, path, value, detail, at)
}

func (r *report) withDetail(kind, path, detail string, at *wire.Value) {
	if detail != "" {
		kind += ": " + detail
	}
	r.add(path, kind, at)
}

func (r *report) required(path, detail string, at *wire.Value) {
	r.blocking = true
	r.withDetail(errRequired, path, detail, at)
}

func (r *report) forbidden(path, detail string, at *wire.Value) {
	r.withDetail(errForbidden, path, detail, at)
}

func (r *report) notSupported(path string, value any, supported []string, at *wire.Value) {
	r.blocking = r.blocking || r.minor >= 29
	detail := ""
	if len(supported) > 0 {
		var b strings.Builder
		b.WriteString("supported values: ")
		for i, s := range supported {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(strconv.Quote(s))
		}
		detail = b.String()
	}
	r.addWithValue(errNotSupported, path, value, detail, at)
}

// tooLong adds an error about a text that is too long. The error's kind and text
// depend on the minor.
func (r *report) tooLong(path string, limit int64, at *wire.Value) {
	r.blocking = true
	detail := fmt.Sprintf("may not be longer than %d", limit)
	if r.minor >= 32 {
		unit := "bytes"
		if limit == 1 && r.minor >= 34 {
			unit = "byte"
		}
		detail = fmt.Sprintf("may not be more than %d %s", limit, unit)
	}
	if limit < 0 {
		detail = "value is too long"
	}
	r.withDetail(errTooLong, path, detail, at)
}

func (r *report) tooMany(path string, n, limit int64, at *wire.Value) {
	r.blocking = true
	unit := "items"
	if limit == 1 && r.minor >= 34 {
		unit = "item"
	}
	detail := fmt.Sprintf("must have at most %d %s", limit, unit)
	if limit < 0 && r.minor >= 24 {
		detail = "has too many items"
	}
	r.addWithValue(errTooMany, path, n, detail, at)
}

// quoteValue formats a value for an error: maps and lists in Go syntax up to
// 1.33, and as JSON from 1.34 on.
func quoteValue(m lifecycle.Minor, value any) string {
	switch v := value.(type) {
	case string:
		return strconv.Quote(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return fmt.Sprint(v)
	case bool:
		return strconv.FormatBool(v)
	case []string:
		if m >= 34 {
			return jsonText(v)
		}
		return fmt.Sprintf("%#v", v)
	case *wire.Value:
		switch plain := plainValue(v).(type) {
		case nil:
		case map[string]any, []any:
			if m >= 34 {
				return jsonText(plain)
			}
			return fmt.Sprintf("%#v", plain)
		default:
			return quoteValue(m, plain)
		}
	}
	if m >= 34 {
		return "null"
	}
	return `"null"`
}

// jsonText returns v as JSON. It returns no error, because all values come from
// JSON.
func jsonText(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return "null"
	}
	return string(bytes.TrimSpace(text))
}

// plainValue returns a value as the server decodes it. A number is an int64 if it
// is written as an integer that fits, and otherwise a float64.
func plainValue(v *wire.Value) any {
	if v == nil {
		return nil
	}
	switch v.Kind {
	case wire.Bool:
		return v.Text == "true"
	case wire.Number:
		return number(v.Text)
	case wire.String:
		return v.Text
	case wire.Map:
		m := make(map[string]any, len(v.Fields))
		for i := range v.Fields {
			m[v.Fields[i].Name] = plainValue(v.Fields[i].Value)
		}
		return m
	case wire.List:
		l := make([]any, len(v.Items))
		for i, item := range v.Items {
			l[i] = plainValue(item)
		}
		return l
	}
	return nil
}

// number returns a JSON number as apimachinery/pkg/util/json decodes it: as int64
// or float64.
func number(text string) any {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n
	}
	f, _ := strconv.ParseFloat(text, 64)
	return f
}
