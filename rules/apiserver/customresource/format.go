package customresource

import (
	"strings"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

// formatOf returns the format that the server checks, or "". The server ignores
// unknown formats and, from 1.36 on, formats for other types. Source:
// StripUnsupportedFormats… in
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

// knownFormat reports whether the server checks strings of a format. Dashes in
// the name are ignored.
func knownFormat(format string, m lifecycle.Minor) bool {
	switch strings.ReplaceAll(format, "-", "") {
	case "bsonobjectid", "uri", "email", "hostname", "ipv4", "ipv6", "mac", "uuid", "uuid3", "uuid4", "uuid5", "cidr",
		"isbn", "isbn10", "isbn13", "creditcard", "ssn", "hexcolor", "rgbcolor", "byte", "password", "date", "duration", "datetime":
		return true
	case "k8sshortname", "k8slongname":
		// 1.34 introduced these formats. A server checks only formats that the
		// previous release knows.
		return m >= 35
	}
	return false
}
