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

// maxValue is the maximal size of a printed value in bytes. A longer value is cut and
// followed by its size and fingerprint, which do not count.
const maxValue = 64

// valueText returns a value as text for reports. Strings have quotes only if they would
// be ambiguous without them.
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

// ambiguous reports whether a string without quotes could be read as JSON, as a
// description such as "absent", or as several values.
func ambiguous(s string) bool {
	switch s {
	case "", "true", "false", "null", "absent", "empty", "present", "redacted", "not kept":
		return true
	}
	return strings.ContainsAny(s[:1], `0123456789-+.'"([{ `) || strings.HasSuffix(s, " ") || strings.ContainsAny(s, ",↔")
}

// ValueTexts returns the texts of the values that each writer writes to a field. Values
// that may be credentials become "redacted". A list is empty if the values are unknown.
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

// versus returns the values that writers fight over, such as "3 ↔ 5", or "" if they are
// unknown. Commas separate several values of one writer.
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
