package validation

import (
	"strings"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Source of the functions below:
// k8s.io/apimachinery/pkg/util/validation/validation.go (1.16–1.37) and, for
// labels from 1.35 on, pkg/api/validate/content/kube.go. Each function returns
// the server's messages, or nil for a valid value.

const (
	label1123   = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
	subdomain   = label1123 + `(\.` + label1123 + ")*"
	underscored = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?"
	qualified   = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
)

// charSet is a set of character classes, as bits.
type charSet uint8

const (
	inLower     charSet = 1 << iota // a to z
	inDigits                        // 0 to 9
	inLowerNums                     // inLower and inDigits
	inAlphaNums                     // inLowerNums and A to Z
	inLabels                        // inLowerNums and -
	inBare                          // inLabels and _
	inNames                         // inAlphaNums, -, _ and .
)

// charSets has the classes of each character.
var charSets = func() (t [256]charSet) {
	for c := range t {
		switch {
		case 'a' <= c && c <= 'z':
			t[c] = inLower | inLowerNums | inAlphaNums | inLabels | inBare | inNames
		case '0' <= c && c <= '9':
			t[c] = inDigits | inLowerNums | inAlphaNums | inLabels | inBare | inNames
		case 'A' <= c && c <= 'Z':
			t[c] = inAlphaNums | inNames
		case c == '-':
			t[c] = inLabels | inBare | inNames
		case c == '_':
			t[c] = inBare | inNames
		case c == '.':
			t[c] = inNames
		}
	}
	return t
}()

func (set charSet) has(c byte) bool { return charSets[c]&set != 0 }

// matches reports whether s begins and ends with a character of edge, and has
// only characters of inner between them.
func matches(s string, edge, inner charSet) bool {
	if s == "" || !edge.has(s[0]) || !edge.has(s[len(s)-1]) {
		return false
	}
	for i := 1; i < len(s)-1; i++ {
		if !inner.has(s[i]) {
			return false
		}
	}
	return true
}

// everyPart reports whether isLabel returns true for each part of s between dots.
func everyPart(s string, isLabel func(string) bool) bool {
	for {
		part, rest, more := strings.Cut(s, ".")
		if !isLabel(part) {
			return false
		}
		if !more {
			return true
		}
		s = rest
	}
}

func isLabel1123(s string) bool { return matches(s, inLowerNums, inLabels) }

// isSubdomain reports whether each part of s between dots is a label of RFC 1123.
func isSubdomain(s string) bool { return everyPart(s, isLabel1123) }

func noMoreThan(n int) string { return "must be no more than " + itoa(int64(n)) + " characters" }

// regexError formats a message as RegexError does.
func regexError(message, re string, examples ...string) string {
	if len(examples) > 0 {
		message += " (e.g. "
		for i, e := range examples {
			if i > 0 {
				message += " or "
			}
			message += "'" + e + "', "
		}
	} else {
		message += " ("
	}
	return message + "regex used for validation is '" + re + "')"
}

// labelErrors returns the errors in a DNS label (RFC 1123), or nil. Source:
// IsDNS1123Label.
func labelErrors(m lifecycle.Minor, s string) []string {
	if len(s) <= 63 && isLabel1123(s) {
		return nil
	}
	var errs []string
	if len(s) > 63 {
		errs = append(errs, noMoreThan(63))
	}
	if !isLabel1123(s) {
		if m >= 25 && isSubdomain(s) {
			errs = append(errs, "must not contain dots")
		} else {
			errs = append(errs, regexError("a "+rfc(m)+" label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character", label1123, "my-name", "123-abc"))
		}
	}
	return errs
}

// rfc returns the name that a minor's texts use for RFC 1123.
func rfc(m lifecycle.Minor) string {
	if m < 21 {
		return "DNS-1123"
	}
	return "lowercase RFC 1123"
}

// subdomainErrors returns the errors in a DNS subdomain (RFC 1123), or nil.
// Source: IsDNS1123Subdomain.
func subdomainErrors(m lifecycle.Minor, s string) []string {
	if len(s) <= 253 && isSubdomain(s) {
		return nil
	}
	var errs []string
	if len(s) > 253 {
		errs = append(errs, noMoreThan(253))
	}
	if !isSubdomain(s) {
		errs = append(errs, regexError("a "+rfc(m)+" subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character", subdomain, "example.com"))
	}
	return errs
}

// underscoreErrors returns the errors in a DNS subdomain that may contain
// underscores, or nil. Source: IsDNS1123SubdomainWithUnderscore (since 1.32).
func underscoreErrors(m lifecycle.Minor, s string) []string {
	isLabel := func(s string) bool {
		return matches(strings.TrimPrefix(s, "_"), inLowerNums, inBare)
	}
	var errs []string
	if len(s) > 253 {
		errs = append(errs, noMoreThan(253))
	}
	if !everyPart(s, isLabel) {
		re := underscored + `(\.` + underscored + ")*"
		if m < 34 {
			re = subdomain
		}
		errs = append(errs, regexError("a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character", re, "example.com"))
	}
	return errs
}

// label1035Errors returns the errors in a DNS label (RFC 1035), or nil. Source:
// IsDNS1035Label.
func label1035Errors(_ lifecycle.Minor, s string) []string {
	var errs []string
	if len(s) > 63 {
		errs = append(errs, noMoreThan(63))
	}
	if !isLabel1123(s) || !inLower.has(s[0]) {
		errs = append(errs, regexError("a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character", "[a-z]([-a-z0-9]*[a-z0-9])?", "my-name", "abc-123"))
	}
	return errs
}

// wildcardErrors returns the errors in a DNS name that begins with "*.", or nil.
// Source: IsWildcardDNS1123Subdomain.
func wildcardErrors(_ lifecycle.Minor, s string) []string {
	var errs []string
	if len(s) > 253 {
		errs = append(errs, noMoreThan(253))
	}
	if rest, ok := strings.CutPrefix(s, "*."); !ok || !isSubdomain(rest) {
		errs = append(errs, regexError("a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character", `\*\.`+subdomain, "*.example.com"))
	}
	return errs
}

// lengthError returns the message about a label that is longer than n. The limit
// in the message is in bytes from 1.35 on, and in characters before.
func lengthError(m lifecycle.Minor, n int) string {
	if m >= 35 {
		return "must be no more than " + itoa(int64(n)) + " bytes"
	}
	return noMoreThan(n)
}

// qualifiedErrors returns the errors in a qualified name such as a label key, or
// nil. Source: IsQualifiedName, from 1.35 on IsLabelKey.
func qualifiedErrors(m lifecycle.Minor, s string) []string {
	prefix, name, prefixed := strings.Cut(s, "/")
	if !prefixed {
		prefix, name = "", s
	}
	if len(name) <= 63 && matches(name, inAlphaNums, inNames) && (!prefixed || len(prefix) <= 253 && isSubdomain(prefix)) {
		return nil
	}
	const must = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
	pattern := regexError(must, qualified, "MyName", "my.name", "123-abc")
	if strings.Contains(name, "/") {
		what := "a qualified name "
		if m >= 35 {
			what = "a valid label key "
		}
		return []string{what + pattern + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"}
	}
	var errs []string
	if prefixed {
		if prefix == "" {
			errs = append(errs, "prefix part must be non-empty")
		} else {
			for _, e := range subdomainErrors(m, prefix) {
				if m >= 35 {
					e = strings.Replace(e, "253 characters", "253 bytes", 1)
				}
				errs = append(errs, "prefix part "+e)
			}
		}
	}
	if name == "" {
		errs = append(errs, "name part must be non-empty")
	} else if len(name) > 63 {
		errs = append(errs, "name part "+lengthError(m, 63))
	}
	if !matches(name, inAlphaNums, inNames) {
		errs = append(errs, "name part "+pattern)
	}
	return errs
}

// labelValueErrors returns the errors in a label value, or nil. Source:
// IsValidLabelValue.
func labelValueErrors(m lifecycle.Minor, s string) []string {
	isValid := s == "" || matches(s, inAlphaNums, inNames)
	if isValid && len(s) <= 63 {
		return nil
	}
	var errs []string
	if len(s) > 63 {
		errs = append(errs, lengthError(m, 63))
	}
	if !isValid {
		what := "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
		errs = append(errs, regexError(what, "("+qualified+")?", "MyValue", "my_value", "12345"))
	}
	return errs
}

// everyIn reports whether s is not empty and has only characters of a class.
func everyIn(s string, set charSet) bool {
	for i := range len(s) {
		if !set.has(s[i]) {
			return false
		}
	}
	return s != ""
}

// everyByte reports whether s is not empty and all its bytes are allowed.
func everyByte(s string, allowed func(byte) bool) bool {
	for i := range len(s) {
		if !allowed(s[i]) {
			return false
		}
	}
	return s != ""
}

// dotErrors returns the error in a name that is "." or begins with "..", or nil.
// Source: hasChDirPrefix.
func dotErrors(s string) []string {
	switch {
	case s == ".":
		return []string{"must not be '.'"}
	case s == "..":
		return []string{"must not be '..'"}
	case strings.HasPrefix(s, ".."):
		return []string{"must not start with '..'"}
	}
	return nil
}

// envNameErrors returns the errors in the name of an environment variable, or
// nil. Source: IsEnvVarName and IsRelaxedEnvVarName.
func envNameErrors(s string, relaxed bool) []string {
	if relaxed {
		var errs []string
		if s == "" {
			errs = append(errs, "environment variable name must be non-empty")
		}
		if !printable(s) {
			errs = append(errs, "a valid environment variable name must consist only of printable ASCII characters other than '='")
		}
		return errs
	}
	var errs []string
	if !everyIn(s, inNames) || inDigits.has(s[0]) {
		errs = append(errs, regexError("a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit", "[-._a-zA-Z][-._a-zA-Z0-9]*", "my.env-name", "MY_ENV.NAME", "MyEnvName1"))
	}
	return append(errs, dotErrors(s)...)
}

// printable reports whether s has only printable ASCII characters, and no '='.
func printable(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' || s[i] == '=' {
			return false
		}
	}
	return true
}

// configKeyErrors returns the errors in a key of a ConfigMap or Secret, or nil.
// Source: IsConfigMapKey.
func configKeyErrors(s string) []string {
	var errs []string
	if len(s) > 253 {
		errs = append(errs, noMoreThan(253))
	}
	if !everyIn(s, inNames) {
		errs = append(errs, regexError("a valid config key must consist of alphanumeric characters, '-', '_' or '.'", "[-._a-zA-Z0-9]+", "key.name", "KEY_NAME", "key-name"))
	}
	return append(errs, dotErrors(s)...)
}

// portNameErrors returns the errors in a port name, or nil. Source:
// IsValidPortName.
func portNameErrors(m lifecycle.Minor, s string) []string {
	var errs []string
	if len(s) > 15 {
		errs = append(errs, noMoreThan(15))
	}
	if !everyIn(s, inLabels) {
		errs = append(errs, "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)")
	}
	if !strings.ContainsFunc(s, func(r rune) bool { return 'a' <= r && r <= 'z' }) {
		if m >= 25 {
			errs = append(errs, "must contain at least one letter (a-z)")
		} else {
			errs = append(errs, "must contain at least one letter or number (a-z, 0-9)")
		}
	}
	if strings.Contains(s, "--") {
		errs = append(errs, "must not contain consecutive hyphens")
	}
	if strings.HasPrefix(s, "-") || strings.HasSuffix(s, "-") {
		errs = append(errs, "must not begin or end with a hyphen")
	}
	return errs
}

// headerNameErrors returns the errors in the name of an HTTP header, or nil.
// Source: IsHTTPHeaderName.
func headerNameErrors(s string) []string {
	if everyByte(s, func(c byte) bool { return inAlphaNums.has(c) || c == '-' }) {
		return nil
	}
	return []string{regexError("a valid HTTP header must consist of alphanumeric characters or '-'", "[-A-Za-z0-9]+", "X-Header-Name")}
}

// percentErrors returns the errors in a percentage, or nil. Source:
// IsValidPercent.
func percentErrors(s string) []string {
	if n := len(s) - 1; n > 0 && s[n] == '%' && everyIn(s[:n], inDigits) {
		return nil
	}
	return []string{regexError("a valid percent string must be a numeric string followed by an ending '%'", "[0-9]+%", "1%", "93%")}
}

// domainPath adds the errors of IsDomainPrefixedPath. Each error quotes the part
// of the value that it is about.
func (v *validator) domainPath(n node, s string) {
	if s == "" {
		v.required(n, "")
		return
	}
	host, rest, ok := strings.Cut(s, "/")
	if !ok || host == "" || rest == "" {
		v.invalidString(n, s, []string{`must be a domain-prefixed path (such as "acme.io/foo")`})
		return
	}
	v.invalidString(n, host, subdomainErrors(v.minor, host))
	if !everyByte(rest, func(c byte) bool { return inAlphaNums.has(c) || strings.IndexByte(`/-._~%!$&'()*+,;=:`, c) >= 0 }) {
		v.invalidString(n, rest, []string{regexError("Invalid path", `[A-Za-z0-9/\-._~%!$&'()*+,;=:]+`)})
	}
}
