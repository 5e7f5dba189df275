package wire

import (
	"encoding/json"
	"math"
	"regexp"
	"strconv"
	"strings"

	yamlv2 "go.yaml.in/yaml/v2"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// scalar returns the JSON type and text of a scalar by the rules of YAML 1.1, as
// gopkg.in/yaml.v2 implements them.
func scalar(n *yaml.Node) (Kind, string) {
	quoted := yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	if n.Style&quoted != 0 && n.Style&yaml.TaggedStyle == 0 {
		return String, n.Value
	}
	if n.Style&yaml.TaggedStyle != 0 {
		return taggedScalar(n)
	}
	return Plain(n.Value)
}

// Plain returns the JSON type and text of an unquoted YAML scalar by the rules of
// YAML 1.1, as gopkg.in/yaml.v2 implements them.
func Plain(text string) (Kind, string) {
	if text == "" {
		return Null, ""
	}
	switch b := text[0]; {
	case b >= '1' && b <= '9' && len(text) <= 18 && allDigits(text):
		return Number, text
	case b >= '0' && b <= '9', b == '+', b == '-', b == '.':
		return number(text)
	}
	return word(text)
}

// styleFloat matches a float, as in resolve.go of gopkg.in/yaml.v2.
var styleFloat = regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)

// number resolves a scalar that begins like a number, as resolve.go of
// gopkg.in/yaml.v2 does. Dates are strings.
func number(text string) (Kind, string) {
	// Other characters mean that the text is a version, a path or another string.
	if strings.Trim(text, "0123456789abcdefABCDEFoOxXnNiIpP+-._") != "" {
		return String, text
	}
	if IsInfinite(text) {
		return String, text
	}
	if text[0] == '.' {
		if f, err := strconv.ParseFloat(text, 64); err == nil {
			return jsonScalar(f, text)
		}
		return String, text
	}
	plain := strings.ReplaceAll(text, "_", "")
	if n, err := strconv.ParseInt(plain, 0, 64); err == nil {
		return Number, strconv.FormatInt(n, 10)
	}
	if n, err := strconv.ParseUint(plain, 0, 64); err == nil {
		return Number, strconv.FormatUint(n, 10)
	}
	if styleFloat.MatchString(plain) {
		if f, err := strconv.ParseFloat(plain, 64); err == nil {
			return jsonScalar(f, text)
		}
	}
	if digits, ok := strings.CutPrefix(plain, "0b"); ok {
		if n, err := strconv.ParseInt(digits, 2, 64); err == nil {
			return Number, strconv.FormatInt(n, 10)
		}
		if n, err := strconv.ParseUint(digits, 2, 64); err == nil {
			return Number, strconv.FormatUint(n, 10)
		}
	} else if digits, ok := strings.CutPrefix(plain, "-0b"); ok {
		if n, err := strconv.ParseInt("-"+digits, 2, 64); err == nil {
			return Number, strconv.FormatInt(n, 10)
		}
	}
	return String, text
}

// IsInfinite reports whether an unquoted YAML scalar is an infinity or NaN. JSON
// has no such numbers, so kubectl refuses the document.
func IsInfinite(text string) bool {
	switch text {
	case ".nan", ".NaN", ".NAN", ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF":
		return true
	}
	return false
}

func allDigits(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return true
}

// word resolves a scalar that may be a null or a boolean, as resolve.go of
// gopkg.in/yaml.v2 does.
func word(text string) (Kind, string) {
	if len(text) > 5 {
		return String, text
	}
	switch text {
	case "~", "null", "Null", "NULL":
		return Null, ""
	case "y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON":
		return Bool, "true"
	case "n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF":
		return Bool, "false"
	}
	return String, text
}

// taggedScalar resolves a scalar with an explicit tag. For tags other than !!str
// and !!null it calls gopkg.in/yaml.v2.
func taggedScalar(n *yaml.Node) (Kind, string) {
	switch n.ShortTag() {
	case "!!str":
		return String, n.Value
	case "!!null":
		return Null, ""
	}
	var out any
	text, err := json.Marshal(n.Value) // every JSON string is valid YAML
	if err != nil {
		return String, n.Value
	}
	if err := yamlv2.Unmarshal([]byte(n.ShortTag()+" "+string(text)), &out); err != nil {
		return String, n.Value
	}
	return jsonScalar(out, n.Value)
}

// jsonScalar returns the JSON type and text of a resolved scalar as encoding/json
// writes it: 5.0 becomes 5, and 010 becomes 8.
func jsonScalar(out any, text string) (Kind, string) {
	switch x := out.(type) {
	case nil:
		return Null, ""
	case bool:
		return Bool, strconv.FormatBool(x)
	case int:
		return Number, strconv.Itoa(x)
	case int64:
		return Number, strconv.FormatInt(x, 10)
	case uint64:
		return Number, strconv.FormatUint(x, 10)
	case float64:
		if math.IsInf(x, 0) || math.IsNaN(x) {
			return String, text // not a JSON number
		}
		b, err := json.Marshal(x)
		if err != nil {
			return String, text
		}
		return Number, string(b)
	case string:
		return String, x
	}
	return String, text
}
