package customresource

import (
	"strings"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

// formatOf is the format that the server validates: one that it does not know
// it ignores, from 1.36 on also one that is for another type.
// StripUnsupportedFormats… of
// apiextensions-apiserver/pkg/apiserver/validation/formats.go (1.17–1.37).
func (s *Schema) formatOf(m lifecycle.Minor) string {
	if s.Format == "" {
		return ""
	}
	typ := s.Type
	if s.IntOrString || m < 36 {
		typ = ""
	}
	switch typ {
	case "", "string":
		if knownFormat(s.Format, m) {
			return s.Format
		}
	case "integer":
		if s.Format == "int32" || s.Format == "int64" {
			return s.Format
		}
	case "number":
		if s.Format == "float" || s.Format == "double" {
			return s.Format
		}
	}
	return ""
}

// knownFormat reports whether the server validates strings of a format. Dashes
// do not count.
func knownFormat(format string, m lifecycle.Minor) bool {
	switch strings.ReplaceAll(format, "-", "") {
	case "bsonobjectid", "uri", "email", "hostname", "ipv4", "ipv6", "mac", "uuid", "uuid3", "uuid4", "uuid5", "cidr",
		"isbn", "isbn10", "isbn13", "creditcard", "ssn", "hexcolor", "rgbcolor", "byte", "password", "date", "duration", "datetime":
		return true
	case "k8sshortname", "k8slongname":
		// They are of 1.34, and a server knows what its predecessor knew.
		return m >= 35
	}
	return false
}
