package followup

import (
	"net/http"
	"slices"
	"strings"
	"unicode"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// dependence decides which messages may depend on repaired values. When in doubt,
// a message counts as dependent.
type dependence struct {
	repairs []repaired
	// inside are the values that replace wrong values, and all their parts.
	inside map[*wire.Value]bool
	// named is set if a repaired value may contain a name, a label or another
	// part to which messages refer.
	named bool
	// open is set if the correct value is unknown for at least one repaired
	// value.
	open bool
	// update is set if the request changes a stored object.
	update bool
	// all is set if every validation error may depend on a repaired value.
	all bool
}

// repaired is a value that was repaired.
type repaired struct {
	path objectPath
	// name is the last field of the path.
	name string
	// open is set if the correct value is unknown.
	open bool
}

// newDependence returns the dependence of messages on the repaired values at
// places. a is the answer to the repaired request, in which the first item of
// Cause.Fits replaces each wrong value.
func newDependence(r apiserver.Request, places []place, a apiserver.Answer) *dependence {
	d := dependence{
		inside: map[*wire.Value]bool{},
		update: r.Old != nil && r.Old != r.New,
		all:    r.Kind == "CustomResourceDefinition",
	}
	for _, p := range places {
		fit, at := p.cause.Fits[0], steps(strings.Join(p.path, "."))
		open := isOpen(p.cause.At, fit) || slices.ContainsFunc(a.Causes, func(c apiserver.Cause) bool { return below(steps(c.Field), at) })
		d.open = d.open || open
		// The claims of a StatefulSet add volumes to the pods and replace volumes
		// of the same name. So every error may depend on a repaired claim or
		// volume.
		claims := r.Kind == "StatefulSet" && (slices.Contains(at, "volumes") || slices.Contains(at, "volumeClaimTemplates"))
		d.all = d.all || claims || open && slices.Contains(at, "metadata")
		switch fit.Kind {
		case wire.String, wire.Map, wire.List:
			d.named = true
		}
		d.enclose(fit)
		d.repairs = append(d.repairs, repaired{path: at, name: lastName(p.path), open: open})
	}
	return &d
}

// enclose adds a value and its parts to inside.
func (d *dependence) enclose(v *wire.Value) {
	if v == nil || d.inside[v] {
		return
	}
	d.inside[v] = true
	for i := range v.Fields {
		d.enclose(v.Fields[i].Value)
	}
	for _, item := range v.Items {
		d.enclose(item)
	}
}

// isOpen reports whether the correct value is unknown: the value that fits keeps
// nothing of the wrong value.
func isOpen(wrong, fit *wire.Value) bool {
	switch fit.Kind {
	case wire.Null:
		return true
	case wire.Map:
		return len(fit.Fields) == 0
	case wire.List:
		return len(fit.Items) == 0
	}
	return wrong.Kind == wire.Map || wrong.Kind == wire.List
}

// without returns the answer without the errors and warnings that may depend on a
// repaired value.
func (d *dependence) without(a apiserver.Answer) *apiserver.Answer {
	a.Causes = slices.DeleteFunc(slices.Clone(a.Causes), func(c apiserver.Cause) bool { return d.hasCause(&c) })
	a.Warnings = slices.DeleteFunc(slices.Clone(a.Warnings), func(w apiserver.Warning) bool { return d.hasWarning(&w) })
	return &a
}

func (d *dependence) hasCause(c *apiserver.Cause) bool {
	kind, detail, _ := strings.Cut(c.Text, ":")
	switch {
	case c.Code == http.StatusBadRequest: // unknown fields under strict validation
		return false
	case d.all:
		return true
	case c.Code == http.StatusForbidden:
		return d.open
	case d.inside[c.At], d.refers(detail):
		return true
	case d.update && (kind == "Forbidden" || strings.Contains(detail, "immutable")): // about the change to the stored object
		return true
	}
	field := steps(c.Field)
	if d.onPath(field) || d.named && kind == "Not found" {
		return true
	}
	return !isAboutOneValue(c.Text) &&
		slices.ContainsFunc(d.repairs, func(r repaired) bool { return r.open && below(field, r.path[:max(len(r.path)-1, 0)]) })
}

// isAboutOneValue reports whether an error depends on a single value. Other
// errors about the parent of a repaired value may report that the repaired value
// is missing.
func isAboutOneValue(text string) bool {
	if strings.HasPrefix(text, "Unsupported value") {
		return true
	}
	return strings.HasPrefix(text, "Invalid value") && slices.ContainsFunc(
		[]string{"must be between", "must be greater than or equal to 0", "must consist of"},
		func(words string) bool { return strings.Contains(text, words) },
	)
}

func (d *dependence) hasWarning(w *apiserver.Warning) bool {
	switch {
	case w.Class == apiserver.UnknownField:
		return d.onPath(steps(w.Field))
	case d.open, d.update, d.inside[w.At], d.refers(w.Text):
		return true
	}
	return d.onPath(steps(w.Field))
}

// refers reports whether a message mentions a repaired field or may compare a
// value with a repaired value.
func (d *dependence) refers(text string) bool {
	if slices.ContainsFunc(d.repairs, func(r repaired) bool { return mentions(text, r.name) }) {
		return true
	}
	return d.named && slices.ContainsFunc(
		[]string{"not found", "does not match", "must match", "already exist", "duplicate", "overlapping", "hides previous",
			"volume source type", "referenced volume", "one of the container", "user defined priority"},
		func(words string) bool { return strings.Contains(text, words) },
	)
}

// mentions reports whether a text contains a word as a whole word.
func mentions(text, word string) bool {
	if word == "" || !strings.Contains(text, word) {
		return false
	}
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return slices.Contains(words, word)
}

// onPath reports whether a field is a repaired value, or is above or below a
// repaired value.
func (d *dependence) onPath(field objectPath) bool {
	return slices.ContainsFunc(d.repairs, func(r repaired) bool { return below(field, r.path) || below(r.path, field) })
}

// steps splits a path in the server's notation. A map key with dots becomes
// several steps.
func steps(field string) objectPath {
	if field == "<nil>" {
		return nil
	}
	return strings.FieldsFunc(field, func(r rune) bool { return r == '.' || r == '[' || r == ']' })
}

// lastName returns the last step that is not an index, or "".
func lastName(w objectPath) string {
	for _, name := range slices.Backward(w) {
		if !isIndex(name) {
			return name
		}
	}
	return ""
}

// below reports whether path w equals path top or is below it. Servers leave out
// some indices, so a missing index equals every index.
func below(w, top objectPath) bool {
	for len(top) > 0 {
		switch {
		case len(w) > 0 && w[0] == top[0]:
			w, top = w[1:], top[1:]
		case isIndex(top[0]) && (len(w) == 0 || !isIndex(w[0])):
			top = top[1:]
		case len(w) > 0 && isIndex(w[0]) && !isIndex(top[0]):
			w = w[1:]
		default:
			return false
		}
	}
	return true
}

func isIndex(step string) bool {
	return step != "" && strings.Trim(step, "0123456789") == ""
}
