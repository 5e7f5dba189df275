package customresource

import (
	"encoding/hex"
	"net"
	"net/mail"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	netutils "k8s.io/utils/net"
)

// hasFormat reports whether a text has a format. Source:
// k8s.io/kube-openapi/pkg/validation/strfmt, whose results are the same in all
// releases. kubevet does not import that package, because it would compile its
// patterns at the start of every command.
func hasFormat(format, text string) bool {
	format = strings.ReplaceAll(format, "-", "")
	switch format {
	case "password":
		return true
	case "bsonobjectid":
		id, err := hex.DecodeString(text)
		return err == nil && len(id) == 12
	case "uri":
		_, err := url.ParseRequestURI(text)
		return err == nil
	case "email":
		address, err := mail.ParseAddress(text)
		return err == nil && address.Address != ""
	case "ipv4":
		return netutils.ParseIPSloppy(text) != nil && strings.Contains(text, ".")
	case "ipv6":
		return net.ParseIP(text) != nil && strings.Contains(text, ":")
	case "cidr":
		_, _, err := netutils.ParseCIDRSloppy(text)
		return err == nil
	case "mac":
		_, err := net.ParseMAC(text)
		return err == nil
	case "isbn":
		return isISBN10(text) || isISBN13(text)
	case "isbn10":
		return isISBN10(text)
	case "isbn13":
		return isISBN13(text)
	case "creditcard":
		return isCreditCard(text)
	case "date":
		_, err := time.Parse(time.DateOnly, text)
		return err == nil
	case "datetime":
		return isDateTime(text)
	case "duration":
		return isDuration(text)
	}
	f, ok := textFormats()[format]
	return ok && len(text) <= f.maxBytes && (f.maxLabel == 0 || !hasLongLabel(text, f.maxLabel)) && f.pattern.MatchString(text)
}

type textFormat struct {
	pattern  *regexp.Regexp
	maxBytes int
	maxLabel int // the maximum length between two dots, or 0 for no limit
}

var textFormats = sync.OnceValue(func() map[string]textFormat {
	const (
		unlimited = 1<<31 - 1
		name      = `[a-z0-9]([-a-z0-9]*[a-z0-9])?`
		octet     = `\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*`
	)
	pattern := func(p string) textFormat { return textFormat{pattern: regexp.MustCompile(p), maxBytes: unlimited} }
	formats := map[string]textFormat{
		"hostname":     pattern(`^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$`),
		"uuid":         pattern(`(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$`),
		"uuid3":        pattern(`(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$`),
		"uuid4":        pattern(`(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$`),
		"uuid5":        pattern(`(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$`),
		"ssn":          pattern(`^\d{3}[- ]\d{2}[- ]\d{4}$`),
		"hexcolor":     pattern(`^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$`),
		"rgbcolor":     pattern(`^rgb\(` + octet + `,` + octet + `,` + octet + `\)$`),
		"byte":         pattern(`^(?:[A-Za-z0-9+\/]{4})*(?:[A-Za-z0-9+\/]{2}==|[A-Za-z0-9+\/]{3}=|[A-Za-z0-9+\/]{4})$`),
		"k8sshortname": {pattern: regexp.MustCompile(`^` + name + `$`), maxBytes: 63},
		"k8slongname":  {pattern: regexp.MustCompile(`^` + name + `(\.` + name + `)*$`), maxBytes: 253},
	}
	host := formats["hostname"]
	host.maxBytes, host.maxLabel = 255, 63
	formats["hostname"] = host
	return formats
})

func hasLongLabel(text string, limit int) bool {
	for label := range strings.SplitSeq(text, ".") {
		if len(label) > limit {
			return true
		}
	}
	return false
}

// digitsOf returns the digits of an ISBN without blanks and dashes. ok is false
// if there are not exactly n digits. If x is set, the last digit can be X.
func digitsOf(text string, n int, x bool) (digits []int, ok bool) {
	text = strings.Map(func(r rune) rune {
		if strings.ContainsRune("-\t\n\f\r ", r) {
			return -1
		}
		return r
	}, text)
	if len(text) != n {
		return nil, false
	}
	for i := range n {
		c := text[i]
		switch {
		case '0' <= c && c <= '9':
			digits = append(digits, int(c-'0'))
		case x && i == n-1 && c == 'X':
			digits = append(digits, 10)
		default:
			return nil, false
		}
	}
	return digits, true
}

func isISBN10(text string) bool {
	digits, ok := digitsOf(text, 10, true)
	sum := 0
	for i, d := range digits {
		sum += (i + 1) * d
	}
	return ok && sum%11 == 0
}

func isISBN13(text string) bool {
	digits, ok := digitsOf(text, 13, false)
	sum := 0
	for i, d := range digits {
		sum += d * (1 + i%2*2)
	}
	return ok && sum%10 == 0
}

// cardNumber matches the digits of a payment card number.
var cardNumber = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$`)
})

// isCreditCard reports whether a text is a card number with a correct Luhn sum.
// Characters that are not digits are ignored.
func isCreditCard(text string) bool {
	text = strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text)
	sum := 0
	for i := range len(text) {
		d := int(text[len(text)-1-i] - '0')
		if i%2 == 1 {
			d *= 2
		}
		sum += d/10 + d%10
	}
	return sum%10 == 0 && cardNumber().MatchString(text)
}

// timeOfDay matches the part of a date-time after the T, in lower case.
var timeOfDay = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$`)
})

// isDateTime reports whether a text is a date-time. Text after a second T is
// ignored.
func isDateTime(text string) bool {
	parts := strings.Split(strings.ToLower(text), "t")
	if len(parts) < 2 || !hasFormat("date", parts[0]) {
		return false
	}
	m := timeOfDay().FindStringSubmatch(parts[1])
	return m != nil && m[1] <= "23" && m[2] <= "59" && m[3] <= "59"
}

var numberWithUnit = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(\d+)\s*([A-Za-zµ]+)`) })

// isDuration reports whether a text is a Go duration, or contains numbers with
// units, such as "3 weeks".
func isDuration(text string) bool {
	if _, err := time.ParseDuration(text); err == nil {
		return true
	}
	ok := false
	for _, m := range numberWithUnit().FindAllStringSubmatch(text, -1) {
		if _, err := strconv.Atoi(m[1]); err != nil {
			return false
		}
		ok = ok || isTimeUnit(strings.ToLower(m[2]))
	}
	return ok
}

// isTimeUnit reports whether a word is a unit of time, or begins with the long
// form of a unit.
func isTimeUnit(word string) bool {
	switch word {
	case "ns", "us", "µs", "ms", "s", "m", "h", "hr", "d", "w", "wk":
		return true
	}
	for _, long := range []string{"nano", "micro", "milli", "sec", "min", "hour", "day", "week"} {
		if strings.HasPrefix(word, long) {
			return true
		}
	}
	return false
}
