package gotype

import (
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules/lifecycle"
	"github.com/kubevet/kubevet/rules/nearest"
)

// Hint says what a user probably meant by an unknown field. The zero value means
// that there is no guess.
type Hint struct {
	// Nearest is the most similar known name in the same structure. If no name
	// there is similar, Nearest is the path of a field in a structure above or
	// below which has the unknown name. It is "" if there is no such field.
	Nearest string
	// Since is the first later minor that has the field, and Until the last
	// earlier minor. Each is zero if there is no such minor.
	Since, Until lifecycle.Minor
}

// HintOn returns a hint for an unknown field of a kind. path is the field's path
// as Decode returns it.
func HintOn(m lifecycle.Minor, apiVersion, kind, path string) Hint {
	var h Hint
	parent, name := structureAt(typeOf(apiVersion, kind, m), path, m)
	if parent == nil {
		return h
	}
	for later := m + 1; later <= lifecycle.Newest && h.Since == 0; later++ {
		if knowsField(apiVersion, kind, path, later) {
			h.Since = later
		}
	}
	for earlier := m - 1; earlier >= lifecycle.Oldest && h.Until == 0; earlier-- {
		if knowsField(apiVersion, kind, path, earlier) {
			h.Until = earlier
		}
	}
	if h.Since == 0 && h.Until == 0 {
		h.Nearest = parent.nearest(name, m)
		if !strings.EqualFold(h.Nearest, name) {
			if other := fieldElsewhere(m, apiVersion, kind, path, parent, name); other != "" {
				h.Nearest = other
			}
		}
	}
	return h
}

// fieldElsewhere returns the path of a field called name in one of the structures
// that contain path, the innermost first. If none of them has the field, it
// returns the path of a field called name below parent, or "".
func fieldElsewhere(m lifecycle.Minor, apiVersion, kind, path string, parent *typeRecord, name string) string {
	above := strings.TrimSuffix(path, name)
	for range maxAbove {
		above = strings.TrimSuffix(above, ".")
		i := strings.LastIndexByte(above, '.')
		if above == "" {
			break
		}
		above = above[:i+1]
		if knowsField(apiVersion, kind, above+name, m) {
			return above + name
		}
	}
	if below := parent.fieldBelow(name, m); below != "" {
		return strings.TrimSuffix(path, name) + below
	}
	return ""
}

// maxAbove bounds the number of structures that fieldElsewhere tries. No real
// object is as deep.
const maxAbove = 40

// fieldBelow returns the path of a field called name, one or two levels below t.
// It returns "" if there is no such field or more than one on that level.
func (t *typeRecord) fieldBelow(name string, m lifecycle.Minor) string {
	type place struct {
		way string
		typ *typeRecord
	}
	level := []place{{"", t}}
	for range 2 {
		var next []place
		var found []string
		for _, p := range level {
			all := p.typ.fields()
			for i := range all {
				if f := &all[i]; f.existsIn(m) && f.typeOf().shape == structure && f.name.String() != "status" {
					inner := place{p.way + f.name.String() + ".", f.typeOf()}
					if inner.typ.field(name, m) != nil {
						found = append(found, inner.way+name)
					}
					next = append(next, inner)
				}
			}
		}
		if len(found) == 1 {
			return found[0]
		}
		if len(found) > 1 {
			return ""
		}
		level = next
	}
	return ""
}

// Suggest returns a hint for an unknown field, or "". The hint follows the
// server's text: "did you mean …?" or "known from 1.29 on".
func Suggest(apiVersion, kind string, m lifecycle.Minor, path string) string {
	switch h := HintOn(m, apiVersion, kind, path); {
	case h.Since != 0:
		return "known from " + h.Since.String() + " on"
	case h.Until != 0:
		return "known up to " + h.Until.String()
	case h.Nearest != "":
		return "did you mean " + strconv.Quote(h.Nearest) + "?"
	}
	return ""
}

// knowsField reports whether a minor knows the field at a path.
func knowsField(apiVersion, kind, path string, m lifecycle.Minor) bool {
	parent, name := structureAt(typeOf(apiVersion, kind, m), path, m)
	return parent != nil && parent.field(name, m) != nil
}

// structureAt follows a path to its last name. It returns that name and the
// structure to which the field belongs. A dot in the path can be a part of a
// map's key, so it tries all ways to split the path, shortest keys first.
func structureAt(t *typeRecord, path string, m lifecycle.Minor) (*typeRecord, string) {
	if t == nil {
		return nil, ""
	}
	switch t.shape {
	case structure:
		end := strings.IndexAny(path, ".[")
		if end < 0 {
			return t, path
		}
		if f := t.field(path[:end], m); f != nil {
			return structureAt(f.typeOf(), strings.TrimPrefix(path[end:], "."), m)
		}
		return t, path // the name itself contains a dot
	case list:
		if end := strings.IndexByte(path, ']'); strings.HasPrefix(path, "[") && end > 0 {
			return structureAt(t.elemType(), strings.TrimPrefix(path[end+1:], "."), m)
		}
	case dictionary:
		if t.elemType().shape != structure && t.elemType().shape != list {
			return nil, ""
		}
		for i := range len(path) {
			if path[i] != '.' && path[i] != '[' {
				continue
			}
			if parent, name := structureAt(t.elemType(), strings.TrimPrefix(path[i:], "."), m); parent != nil && !strings.ContainsAny(name, ".[") {
				return parent, name
			}
		}
	}
	return nil, ""
}

// maxMisspelt is the length in bytes of the longest name that is compared with
// known names.
const maxMisspelt = 64

// nearest returns the field name of the structure that is most similar to name,
// or "". A name that differs only in case comes first. Other names may differ in
// at most a third of their letters, and in at most three letters.
func (t *typeRecord) nearest(name string, m lifecycle.Minor) string {
	if len(name) < 2 || len(name) > maxMisspelt {
		return ""
	}
	best, bestAway := "", min(len(name)/3, 3)+1
	all := t.fields()
	for i := range all {
		if !all[i].existsIn(m) {
			continue
		}
		candidate := all[i].name.String()
		if strings.EqualFold(candidate, name) {
			return candidate
		}
		if distance := nearest.Distance(strings.ToLower(name), strings.ToLower(candidate)); distance < bestAway {
			best, bestAway = candidate, distance
		}
	}
	return best
}
