package auditreport

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kubevet/kubevet/auditlog/contention"
	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/internal/report"
)

// maxValue is the maximum size of a printed value in bytes, without the remark about its size and
// fingerprint.
const maxValue = 64

// valueText returns a value as reports print it. Strings have quotes only if they would otherwise
// be ambiguous.
func valueText(v contention.Value) string {
	switch v.Kind {
	case contention.ValueAbsent:
		return "absent"
	case contention.ValueEmpty:
		return "empty"
	case contention.ValuePresent:
		return "present"
	case contention.ValueRedacted:
		return "redacted"
	case contention.ValueUnknown:
		return "not kept"
	}
	text := quote.Text(v.Text)
	cut := len(v.Text) < v.Size
	if len(text) > maxValue {
		end := maxValue
		for end > 0 && !utf8.RuneStart(text[end]) {
			end--
		}
		text, cut = text[:end], true
	}
	if v.Kind == contention.ValueString && ambiguous(text) {
		text = "'" + text + "'"
	}
	if cut {
		text += fmt.Sprintf("… (%s, #%04x)", report.Count(v.Size, "byte"), v.Sum)
	}
	return text
}

// ambiguous reports whether a string could be taken for JSON, for a description, or
// for several values.
func ambiguous(s string) bool {
	switch s {
	case "", "true", "false", "null", "absent", "empty", "present", "redacted", "not kept":
		return true
	}
	return strings.ContainsAny(s[:1], `0123456789-+.'"([{ `) || strings.HasSuffix(s, " ") || strings.ContainsAny(s, ",↔")
}

// ValueTexts returns the values that each writer writes to a field, as reports print them:
// values that may be credentials are redacted. A list is empty if they are unknown.
func ValueTexts(x *contention.Field) [][]string {
	out := [][]string{}
	for _, list := range x.Values {
		texts := []string{}
		for _, v := range list {
			if text := valueText(v); !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
		}
		out = append(out, texts)
	}
	return out
}

// versus returns the values that writers fight for, such as "3 ↔ 5"; "" if they are
// unknown. Several values of one writer are separated by commas, unless it is the
// only writer.
func versus(values [][]string) string {
	var sides []string
	known := false
	for _, list := range values {
		switch {
		case len(list) == 0:
			sides = append(sides, "?")
			continue
		case len(values) == 1:
			return strings.Join(list, " ↔ ")
		}
		known = true
		sides = append(sides, strings.Join(list, ", "))
	}
	if !known {
		return ""
	}
	return strings.Join(sides, " ↔ ")
}
