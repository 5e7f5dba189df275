package auditfollow

import (
	"cmp"
	"path/filepath"
	"regexp"
	"strings"
)

// compressions are the extensions of compressed files.
var compressions = []string{".gz", ".zst", ".xz", ".bz2", ".lz4"}

var (
	// number matches the part of a rotated file's name behind the name of the log: a
	// number or a date.
	number = regexp.MustCompile(`^[-.][0-9][0-9.:_TZ-]*$`)
	// date matches a date before the extension. It has at least eight digits, since
	// other logs may be named audit-1.log.
	date = regexp.MustCompile(`^[-.][0-9](?:[.:_TZ-]*[0-9]){7,}[.:_TZ-]*$`)
)

// stem returns the name of a log without its extension.
func stem(log string) (stem, extension string) {
	extension = filepath.Ext(log)
	if stem = strings.TrimSuffix(log, extension); stem == "" {
		return log, ""
	}
	return stem, extension
}

// isSibling reports whether a file may be a renamed, copied or compressed log by its
// name.
func isSibling(log, name string) bool {
	if name == log {
		return false
	}
	short, _ := stem(log)
	for _, prefix := range []string{log, short} {
		if rest, ok := strings.CutPrefix(name, prefix); ok && rest != "" && (rest[0] == '.' || rest[0] == '-') {
			return true
		}
	}
	return false
}

// isRotated reports whether a file is a rotated log by its name alone: audit.log.1,
// audit.log-20261123.gz, audit-2026-11-23T10-00-00.000.log.
func isRotated(log, name string) bool { return rotation(log, name) != "" }

// rotation returns the digits with which a rotated log is named.
func rotation(log, name string) string {
	for _, c := range compressions {
		if rest, ok := strings.CutSuffix(name, c); ok {
			name = rest
			break
		}
	}
	short, extension := stem(log)
	rest, ok := strings.CutPrefix(name, log)
	pattern := number
	if !ok && extension != "" {
		if rest, ok = strings.CutPrefix(name, short); ok {
			rest, ok = strings.CutSuffix(rest, extension)
		}
		pattern = date
	}
	if !ok || !pattern.MatchString(rest) {
		return ""
	}
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, rest)
}

// minDate is the number of digits of a date. Numbers are shorter.
const minDate = 8

// compareRotations compares the ages of two rotated files by their digits: numbers
// count upwards with the age, dates downwards. It returns 0 if the digits do not decide.
func compareRotations(a, b string) int {
	switch {
	case len(a) >= minDate && len(b) >= minDate:
		return strings.Compare(a, b)
	case a == "" || b == "" || len(a) >= minDate || len(b) >= minDate:
		return 0
	}
	return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(b, a))
}
