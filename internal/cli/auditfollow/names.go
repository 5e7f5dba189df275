package auditfollow

import (
	"path/filepath"
	"regexp"
	"strings"
)

// compressions are the extensions of compressed files.
var compressions = []string{".gz", ".zst", ".xz", ".bz2", ".lz4"}

var (
	// number is what follows the name of a log in that of a rotated file: a number or
	// a date.
	number = regexp.MustCompile(`^[-.][0-9][0-9.:_TZ-]*$`)
	// date is what stands before the extension. It has eight digits at least, as
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
func isRotated(log, name string) bool {
	for _, c := range compressions {
		if rest, ok := strings.CutSuffix(name, c); ok {
			name = rest
			break
		}
	}
	if rest, ok := strings.CutPrefix(name, log); ok {
		return number.MatchString(rest)
	}
	short, extension := stem(log)
	rest, ok := strings.CutPrefix(name, short)
	if rest, has := strings.CutSuffix(rest, extension); ok && has && extension != "" {
		return date.MatchString(rest)
	}
	return false
}
