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
	// number matches the part of a rotated file's name after the name of the log. This
	// part is a number or a date.
	number = regexp.MustCompile(`^[-.][0-9][0-9.:_TZ-]*$`)
	// date matches a date between the stem and the extension. A date has at least eight
	// digits, because audit-1.log may be another log.
	date = regexp.MustCompile(`^[-.][0-9](?:[.:_TZ-]*[0-9]){7,}[.:_TZ-]*$`)
)

// stem splits the name of a log into the stem and the extension.
func stem(log string) (stem, extension string) {
	extension = filepath.Ext(log)
	if stem = strings.TrimSuffix(log, extension); stem == "" {
		return log, ""
	}
	return stem, extension
}

// isSibling reports whether a file with this name may be the log after it was renamed,
// copied or compressed.
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

// isRotated reports whether a file with this name is certainly the log after a rotation.
// Such names are audit.log.1, audit.log-20261123.gz and
// audit-2026-11-23T10-00-00.000.log.
func isRotated(log, name string) bool { return rotation(log, name) != "" }

// rotation returns the digits that a rotation added to the name of a log. It returns ""
// if name is not the name of a rotated log.
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

// minDate is the minimal number of digits of a date. A number with fewer digits is a
// counter.
const minDate = 8

// compareRotations compares two rotated files by their digits and returns -1 if a is
// older, 1 if a is newer. A higher number means an older file, a higher date a newer
// file. It returns 0 if the digits do not decide.
func compareRotations(a, b string) int {
	switch {
	case len(a) >= minDate && len(b) >= minDate:
		return strings.Compare(a, b)
	case a == "" || b == "" || len(a) >= minDate || len(b) >= minDate:
		return 0
	}
	return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(b, a))
}
