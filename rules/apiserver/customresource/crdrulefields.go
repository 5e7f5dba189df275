package customresource

import (
	"slices"
	"strings"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// rules checks the fields of CEL rules before they are compiled (1.23–1.37,
// behind a gate up to 1.28).
func (w schemaWalk) rules(path []byte, s *wire.Value) {
	if !w.hasRules {
		return
	}
	for i, rule := range s.Get(rulesKeyword).Elements() {
		where := string(indexPath(childPath(path, rulesKeyword), i))
		errorText := func(field, detail string) string {
			if w.minor < 34 {
				return field + " " + detail
			}
			return detail
		}
		newline := func(text string) bool { return strings.ContainsAny(text, "\n\r") }
		text, message := rule.Get("rule").StringOr(""), rule.Get("message").StringOr("")
		trimmed := strings.TrimSpace(message)
		switch {
		case strings.TrimSpace(text) == "":
			w.required(where+".rule", "rule is not specified", rule)
		case message != "" && trimmed == "":
			w.invalid(where+".message", message, errorText("message", "must be non-empty if specified"), rule.Get("message"))
		case newline(trimmed):
			w.invalid(where+".message", message, errorText("message", "must not contain line breaks"), rule.Get("message"))
		case newline(strings.TrimSpace(text)) && trimmed == "":
			w.required(where+".message", "message must be specified if rule contains line breaks", rule)
		}
		if e := rule.Get("messageExpression").StringOr(""); w.minor >= 27 && e != "" && strings.TrimSpace(e) == "" {
			w.required(where+".messageExpression", "messageExpression must be non-empty if specified", rule)
		}
		if w.minor < 28 {
			continue
		}
		if reason := nonNull(rule.Get("reason")); reason != nil {
			known := []string{"FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"}
			if !slices.Contains(known, reason.StringOr("")) {
				w.notSupported(where+".reason", reason.StringOr(""), known, reason)
			}
		}
		if p := rule.Get("fieldPath"); p.StringOr("") != "" {
			if strings.TrimSpace(p.Text) == "" {
				w.invalid(where+".fieldPath", p.Text, errorText("fieldPath", "must be non-empty if specified"), p)
			}
			if newline(p.Text) {
				w.invalid(where+".fieldPath", p.Text, errorText("fieldPath", "must not contain line breaks"), p)
			}
			if !w.validFieldPath(p.Text, s) {
				w.invalid(where+".fieldPath", p.Text, errorText("fieldPath", "must be a valid path"), p)
			}
		}
	}
}

// validFieldPath reports whether a rule's fieldPath exists in its schema. It
// returns true if the schema cannot become structural. Source: pathValid.
func (c *definitionValidator) validFieldPath(path string, s *wire.Value) (valid bool) {
	schema, known := c.structurals[s]
	if !known {
		if unsupportedKeyword(s, &c.nodes) == "" {
			r := schemaReader{remaining: min(maxSchemas, c.nodes)}
			available := r.remaining
			read := r.read(s)
			if c.nodes -= available - r.remaining; r.remaining >= 0 && read.depth <= maxRuleDepth {
				schema = read.structural()
			}
		}
		if c.structurals == nil {
			c.structurals = map[*wire.Value]*structuralschema.Structural{}
		}
		c.structurals[s] = schema
	}
	if schema == nil {
		return true
	}
	// Upstream panics for a path through additionalProperties: true.
	defer func() { valid = valid || recover() != nil }()
	_, _, err := cel.ValidFieldPath(path, schema)
	return err == nil
}
