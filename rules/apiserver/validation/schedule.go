package validation

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

// cronField describes one of the five fields of a schedule.
type cronField struct {
	min, max int
	names    []string // names of the values from first on
	first    int
}

var cronFields = [...]cronField{
	{max: 59}, {max: 23}, {min: 1, max: 31},
	{min: 1, max: 12, first: 1, names: []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}},
	{max: 6, names: []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}},
}

// scheduleError returns the error in a schedule, or "". Source: ParseStandard in
// github.com/robfig/cron, v1 up to 1.21 and v3 later.
func scheduleError(s string, m lifecycle.Minor) string {
	for _, prefix := range []string{"TZ=", "CRON_TZ="} {
		rest, ok := strings.CutPrefix(s, prefix)
		if !ok || m <= 21 && prefix != "TZ=" {
			continue
		}
		zone, after, ok := strings.Cut(rest, " ")
		if !ok { // upstream panics here
			if m >= 32 {
				return "invalid schedule format: runtime error: slice bounds out of range [:-1]"
			}
			return ""
		}
		if _, err := time.LoadLocation(zone); err != nil {
			if m <= 21 {
				return "Provided bad location " + zone + ": " + err.Error()
			}
			return "provided bad location " + zone + ": " + err.Error()
		}
		s = strings.TrimSpace(after)
		break
	}
	if strings.HasPrefix(s, "@") {
		return descriptorError(s, m)
	}
	fields := strings.Fields(s)
	if len(fields) != len(cronFields) {
		if m <= 21 {
			return fmt.Sprintf("Expected exactly %d fields, found %d: %s", len(cronFields), len(fields), fields)
		}
		return fmt.Sprintf("expected exactly %d fields, found %d: %s", len(cronFields), len(fields), fields)
	}
	for i, f := range fields {
		for _, part := range strings.FieldsFunc(f, func(r rune) bool { return r == ',' }) {
			if wrong := cronFields[i].rangeError(part); wrong != "" {
				if m <= 21 {
					return strings.ToUpper(wrong[:1]) + wrong[1:]
				}
				return wrong
			}
		}
	}
	return ""
}

func descriptorError(s string, m lifecycle.Minor) string {
	switch s {
	case "@yearly", "@annually", "@monthly", "@weekly", "@daily", "@hourly":
		return ""
	case "@midnight":
		return ""
	}
	if every, ok := strings.CutPrefix(s, "@every "); ok {
		if _, err := time.ParseDuration(every); err != nil {
			text := "failed to parse duration " + s + ": " + err.Error()
			if m <= 21 {
				text = "F" + text[1:]
			}
			return text
		}
		return ""
	}
	if m <= 21 {
		return "Unrecognized descriptor: " + s
	}
	return "unrecognized descriptor: " + s
}

// rangeError returns the error in a range such as 1-5/2, or "". Source: getRange.
func (f *cronField) rangeError(expr string) string {
	parts := strings.Split(expr, "/")
	ends := strings.Split(parts[0], "-")
	start, end, step := f.min, f.max, 1
	var wrong string
	if ends[0] != "*" && ends[0] != "?" {
		if start, wrong = f.number(ends[0]); wrong != "" {
			return wrong
		}
		switch len(ends) {
		case 1:
			end = start
		case 2:
			if end, wrong = f.number(ends[1]); wrong != "" {
				return wrong
			}
		default:
			return "too many hyphens: " + expr
		}
	}
	switch len(parts) {
	case 1:
	case 2:
		if step, wrong = cronNumber(parts[1]); wrong != "" {
			return wrong
		}
		if len(ends) == 1 {
			end = f.max
		}
	default:
		return "too many slashes: " + expr
	}
	switch {
	case start < f.min:
		return fmt.Sprintf("beginning of range (%d) below minimum (%d): %s", start, f.min, expr)
	case end > f.max:
		return fmt.Sprintf("end of range (%d) above maximum (%d): %s", end, f.max, expr)
	case start > end:
		return fmt.Sprintf("beginning of range (%d) beyond end of range (%d): %s", start, end, expr)
	case step == 0:
		return "step of range should be a positive number: " + expr
	}
	return ""
}

func (f *cronField) number(s string) (int, string) {
	for i, name := range f.names {
		if strings.EqualFold(s, name) {
			return f.first + i, ""
		}
	}
	return cronNumber(s)
}

func cronNumber(s string) (int, string) {
	n, err := strconv.Atoi(s)
	switch {
	case err != nil:
		return 0, "failed to parse int from " + s + ": " + err.Error()
	case n < 0:
		return 0, fmt.Sprintf("negative number (%d) not allowed: %s", n, s)
	}
	return n, ""
}
