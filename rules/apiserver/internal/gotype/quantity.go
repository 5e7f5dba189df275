package gotype

import (
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// ParseQuantity parses untrusted text with resource.ParseQuantity. ok is false if
// the text is not a quantity. ok is also false for numbers such as 9e-999999999,
// for which resource.ParseQuantity takes hours.
func ParseQuantity(text string) (_ resource.Quantity, ok bool) {
	const useful = 1000
	form, err := quantityForm(text)
	if err != nil || form.exponent < -useful || form.exponent > useful || len(text) > useful {
		return resource.Quantity{}, false
	}
	q, err := resource.ParseQuantity(text)
	return q, err == nil
}

func quantityError(v *wire.Value) *failure {
	literal := v.Text
	switch v.Kind {
	case wire.Map, wire.List:
		literal = "{"
	case wire.String:
		literal = strings.TrimSpace(literal)
	}
	if _, err := quantityForm(literal); err != nil {
		return &failure{message: err.Error()}
	}
	return nil
}

// quantityParts are the parts of a quantity that quantityForm returns.
type quantityParts struct{ exponent int32 }

// quantityForm returns the error of resource.ParseQuantity for s without its
// arithmetic, so it is fast for any exponent.
func quantityForm(s string) (quantityParts, error) {
	if s == "" {
		return quantityParts{}, resource.ErrFormatWrong
	}
	pos := 0
	if s[0] == '-' || s[0] == '+' {
		pos++
	}
	for pos < len(s) && s[pos] == '0' {
		pos++
	}
	if pos == len(s) {
		return quantityParts{}, nil // s is zero or only a sign
	}
	digits := func() int {
		start := pos
		for pos < len(s) && '0' <= s[pos] && s[pos] <= '9' {
			pos++
		}
		return pos - start
	}
	whole, fraction := max(digits(), 1), 0
	if pos < len(s) && s[pos] == '.' {
		pos++
		fraction = digits()
	}
	number := s[:pos]
	if pos == len(s) {
		return quantityParts{}, nil
	}
	start := pos
	for pos < len(s) && strings.IndexByte("eEinumkKMGTP", s[pos]) >= 0 {
		pos++
	}
	if pos < len(s) {
		if s[pos] == '-' || s[pos] == '+' {
			pos++
		}
		if digits(); pos < len(s) {
			return quantityParts{}, resource.ErrFormatWrong
		}
	}
	binary, exponent := false, int32(0)
	switch suffix := s[start:]; suffix {
	case "n":
		exponent = -9
	case "u":
		exponent = -6
	case "m":
		exponent = -3
	case "k":
		exponent = 3
	case "M":
		exponent = 6
	case "G":
		exponent = 9
	case "T":
		exponent = 12
	case "P":
		exponent = 15
	case "E":
		exponent = 18
	case "Ki", "Mi", "Gi", "Ti", "Pi", "Ei":
		binary, exponent = true, int32(10*(1+strings.IndexByte("KMGTPE", suffix[0])))
	default:
		n, err := strconv.ParseInt(suffix[1:], 10, 64)
		if suffix[0] != 'e' && suffix[0] != 'E' || err != nil {
			return quantityParts{}, resource.ErrSuffix
		}
		exponent = int32(n) // the upstream code also truncates the exponent
	}
	precision, scale := int32(18-min(whole+fraction, 1<<20)), exponent
	if binary {
		scale, precision = 0, -1
		if fraction == 0 {
			precision = 15 - int32(min(whole, 1<<20)) - exponent*3/10 - 1
		}
	}
	if (precision < 0 || scale-int32(fraction) < -9) && strings.Trim(number, "+-.") == "" {
		return quantityParts{}, resource.ErrNumeric // upstream, quantities that need big decimals must have a digit
	}
	return quantityParts{exponent: exponent}, nil
}
