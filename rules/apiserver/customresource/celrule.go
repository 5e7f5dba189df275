package customresource

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// celWalk evaluates the CEL rules of a schema that only compare whole numbers
// with constants:
//
//	self.replicas <= 10 && self.replicas >= 1
//
// It ignores all other rules. It re-states the Validator of
// apiextensions-apiserver/pkg/apiserver/schema/cel/validation.go (1.25–1.37).
type celWalk struct {
	validator // for the correlation with the old object
	report
	warnings []apiserver.Warning
}

// value walks a value. unchanged is set if the nearest enclosing value that can
// be correlated is the old one.
func (w *celWalk) value(path []byte, x *wire.Value, s *Schema, old *wire.Value, unchanged, root bool) {
	if !s.HasRules() || x.IsNull() || len(w.report.causes) >= maxFailures {
		return
	}
	if w.ratchet && !root && old != nil {
		unchanged = w.validator.unchanged(x, old, s)
	}
	for _, rule := range s.At.Get(rulesKeyword).Elements() {
		w.rule(path, x, s, rule, unchanged)
	}
	switch x.Kind {
	case wire.Map:
		for i := range x.Fields {
			f := &x.Fields[i]
			sub, at := s.Property(f.Name), childPath(path, f.Name)
			if sub == nil {
				sub, at = s.Additional, keyPath(path, f.Name)
			}
			var before *wire.Value
			if !root || !isTypeOrObjectMeta(f.Name) {
				before = old.Get(f.Name)
			}
			w.value(at, f.Value, sub, before, unchanged, false)
		}
	case wire.List:
		correlated := w.correlate(s, old)
		for i, item := range x.Items {
			w.value(indexPath(path, i), item, s.Items, correlated.find(item), unchanged, false)
		}
	}
}

// rule reports the violation of a rule by a value.
func (w *celWalk) rule(path []byte, x *wire.Value, s *Schema, rule *wire.Value, unchanged bool) {
	for _, name := range [...]string{"reason", "messageExpression", "fieldPath", "optionalOldSelf"} {
		if present(rule.Get(name)) != nil {
			return
		}
	}
	text := strings.TrimSpace(rule.Get("rule").StringOr(""))
	holds, problem, known := compareAll(x, s, text)
	if !known || holds {
		return
	}
	message := strings.TrimSpace(rule.Get("message").StringOr(""))
	at := string(path)
	if problem != "" {
		if message == "" {
			message = text
		}
		w.report.invalid(at, s.Type, problem+" evaluating rule: "+message, x)
		return
	}
	if message == "" {
		message = "failed rule: " + text
	}
	before := len(w.report.causes)
	switch {
	case w.report.minor < 35:
		w.report.invalid(at, s.Type, message, x)
	case s.Type == "object" || s.Type == "array":
		w.report.withDetail(errInvalid, at, message, x)
	default:
		w.report.invalid(at, quotable(x), message, x)
	}
	if unchanged && w.ratchet {
		c := w.report.causes[before]
		w.report.causes = w.report.causes[:before]
		w.warnings = append(w.warnings, apiserver.Warning{Field: c.Field, Text: c.Field + ": " + c.Text, At: x})
	}
}

// compareAll evaluates comparisons that are joined by &&. A comparison that
// does not hold takes precedence over one that cannot be evaluated. problem is
// the error of the evaluation if the value does not match the schema. known is
// false if the rule is more complex.
func compareAll(x *wire.Value, s *Schema, rule string) (holds bool, problem string, known bool) {
	failed := false
	for _, term := range strings.Split(rule, "&&") {
		ok, p, k := compare(x, s, strings.TrimSpace(term))
		switch {
		case !k:
			return false, "", false
		case p == "":
			failed = failed || !ok
		case problem == "":
			problem = p
		}
	}
	if failed {
		problem = ""
	}
	return !failed && problem == "", problem, true
}

// compare evaluates "self.a.b < 10".
func compare(x *wire.Value, s *Schema, term string) (holds bool, problem string, known bool) {
	i := strings.IndexAny(term, "<>=!")
	if i < 0 {
		return false, "", false
	}
	operator := term[i:min(i+2, len(term))]
	if operator[len(operator)-1] != '=' {
		operator = operator[:1]
	}
	limit, err := strconv.ParseInt(strings.TrimSpace(term[i+len(operator):]), 10, 64)
	if err != nil || !slices.Contains([]string{"<", "<=", ">", ">=", "==", "!="}, operator) {
		return false, "", false
	}
	names := strings.Split(strings.TrimSpace(term[:i]), ".")
	if names[0] != "self" {
		return false, "", false
	}
	absent, misfit := "", false
	for _, name := range names[1:] {
		if s = s.Property(name); s == nil || !plainName(name) {
			return false, "", false
		}
		misfit = misfit || absent == "" && (x == nil || x.Kind != wire.Map)
		f := x.Field(name)
		if f != nil && f.Value.IsNull() {
			return false, "", false
		}
		if absent == "" && f == nil {
			absent = name
		}
		x = x.Get(name)
	}
	if s.Type != "integer" || s.IntOrString {
		return false, "", false
	}
	if misfit {
		return false, "invalid data, expected a map for the provided schema with type=object", true
	}
	if absent != "" {
		return false, "no such key: " + absent, true
	}
	n, ok := plainValue(x).(int64)
	if !ok {
		return false, fmt.Sprintf("invalid data, expected int, got %T", plainValue(x)), true
	}
	switch operator {
	case "<":
		holds = n < limit
	case "<=":
		holds = n <= limit
	case ">":
		holds = n > limit
	case ">=":
		holds = n >= limit
	case "==":
		holds = n == limit
	case "!=":
		holds = n != limit
	}
	return holds, "", true
}

// plainName reports whether a rule can use a field's name unescaped, since it
// is not a word of the language.
func plainName(name string) bool {
	for i := range len(name) {
		c := name[i]
		if !(c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' || i > 0 && '0' <= c && c <= '9') {
			return false
		}
	}
	switch name {
	case "", "true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function", "if",
		"import", "let", "loop", "package", "namespace", "return", "var", "void", "while":
		return false
	}
	return !strings.Contains(name, "__")
}
