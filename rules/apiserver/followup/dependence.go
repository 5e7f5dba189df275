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
	// replacements are the values that replace wrong values, and all their parts.
	replacements map[*wire.Value]bool
	// mayHaveNames is set if a repaired value may contain a name, a label or
	// another part to which messages refer.
	mayHaveNames bool
	// anyUnknown is set if the correct value of at least one repaired value is
	// unknown.
	anyUnknown bool
	// update is set if the request changes a stored object.
	update bool
	// allDepend is set if every validation error may depend on a repaired value.
	allDepend bool
}

type repaired struct {
	path         objectPath
	name         string
	valueUnknown bool
}

// newDependence returns the dependence of messages on the repaired values at
// places. a is the answer to the object in which Cause.Fits[0] replaces each
// wrong value.
func newDependence(r apiserver.Request, places []place, a apiserver.Answer) *dependence {
	d := dependence{
		replacements: map[*wire.Value]bool{},
		update:       r.Old != nil && r.Old != r.New,
		allDepend:    r.Kind == "CustomResourceDefinition",
	}
	for _, p := range places {
		fit, at := p.cause.Fits[0], splitPath(strings.Join(p.path, "."))
		open := isValueUnknown(p.cause.At, fit) || slices.ContainsFunc(a.Causes, func(c apiserver.Cause) bool { return isBelow(splitPath(c.Field), at) })
		d.anyUnknown = d.anyUnknown || open
		// The claims of a StatefulSet add volumes to the pods and replace volumes
		// of the same name. So every error may depend on a repaired claim or
		// volume.
		claims := r.Kind == "StatefulSet" && (slices.Contains(at, "volumes") || slices.Contains(at, "volumeClaimTemplates"))
		d.allDepend = d.allDepend || claims || open && slices.Contains(at, "metadata")
		switch fit.Kind {
		case wire.String, wire.Map, wire.List:
			d.mayHaveNames = true
		}
		d.addReplacement(fit)
		d.repairs = append(d.repairs, repaired{path: at, name: lastField(p.path), valueUnknown: open})
	}
	return &d
}

// addReplacement adds a value and its parts to replacements.
func (d *dependence) addReplacement(v *wire.Value) {
	if v == nil || d.replacements[v] {
		return
	}
	d.replacements[v] = true
	for i := range v.Fields {
		d.addReplacement(v.Fields[i].Value)
	}
	for _, item := range v.Items {
		d.addReplacement(item)
	}
}

// isValueUnknown reports whether fit, the value that replaces the wrong value,
// keeps nothing of the wrong value. The correct value is then unknown.
func isValueUnknown(wrong, fit *wire.Value) bool {
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

// independent returns the answer without the errors and warnings that may depend
// on a repaired value.
func (d *dependence) independent(a apiserver.Answer) *apiserver.Answer {
	a.Causes = slices.DeleteFunc(slices.Clone(a.Causes), func(c apiserver.Cause) bool { return d.hasCause(&c) })
	a.Warnings = slices.DeleteFunc(slices.Clone(a.Warnings), func(w apiserver.Warning) bool { return d.hasWarning(&w) })
	return &a
}

func (d *dependence) hasCause(c *apiserver.Cause) bool {
	kind, detail, _ := strings.Cut(c.Text, ":")
	switch {
	case c.Code == http.StatusBadRequest: // it is about an unknown field, under strict validation
		return false
	case d.allDepend:
		return true
	case c.Code == http.StatusForbidden:
		return d.anyUnknown
	case d.replacements[c.At], d.refersToRepair(detail):
		return true
	case d.update && (kind == "Forbidden" || strings.Contains(detail, "immutable")): // it is about the change of the stored object
		return true
	}
	field := splitPath(c.Field)
	if d.isOnPath(field) || d.mayHaveNames && kind == "Not found" {
		return true
	}
	return !isAboutOneValue(c.Text) &&
		slices.ContainsFunc(d.repairs, func(r repaired) bool { return r.valueUnknown && isBelow(field, r.path[:max(len(r.path)-1, 0)]) })
}

// isAboutOneValue reports whether an error depends on a single value. Other
// errors about a parent of the repaired value may only mean that the repaired
// value is missing.
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
		return d.isOnPath(splitPath(w.Field))
	case d.anyUnknown, d.update, d.replacements[w.At], d.refersToRepair(w.Text):
		return true
	}
	return d.isOnPath(splitPath(w.Field))
}

// refersToRepair reports whether a message mentions a repaired field or may
// compare a value with a repaired value.
func (d *dependence) refersToRepair(text string) bool {
	if slices.ContainsFunc(d.repairs, func(r repaired) bool { return mentions(text, r.name) }) {
		return true
	}
	return d.mayHaveNames && slices.ContainsFunc(
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

// isOnPath reports whether a field is a repaired value, or is above or below a
// repaired value.
func (d *dependence) isOnPath(field objectPath) bool {
	return slices.ContainsFunc(d.repairs, func(r repaired) bool { return isBelow(field, r.path) || isBelow(r.path, field) })
}

// splitPath splits a path in the server's notation. A map key with dots becomes
// several steps.
func splitPath(field string) objectPath {
	if field == "<nil>" {
		return nil
	}
	return strings.FieldsFunc(field, func(r rune) bool { return r == '.' || r == '[' || r == ']' })
}

// lastField returns the last step that is not an index, or "".
func lastField(w objectPath) string {
	for _, name := range slices.Backward(w) {
		if !isIndex(name) {
			return name
		}
	}
	return ""
}

// isBelow reports whether path w equals path top or is below it. A missing index
// equals every index, because servers leave out some indices.
func isBelow(w, top objectPath) bool {
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
