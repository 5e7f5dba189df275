package apiuse

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"strings"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

// rbacMarker is the beginning of comments that controller-gen turns into roles.
const rbacMarker = "+kubebuilder:rbac:"

// markers records the RBAC markers of a file. A marker names no version, so it is valid
// until the last version of its kind is removed.
func (s *search) markers(f *ast.File) {
	for _, group := range f.Comments {
		for _, c := range group.List {
			text, ok := strings.CutPrefix(strings.TrimLeft(strings.TrimPrefix(c.Text, "//"), " \t"), rbacMarker)
			if !ok || !strings.HasPrefix(c.Text, "//") {
				continue
			}
			fields := markerFields(text)
			for _, resource := range markerList(fields["resources"]) {
				resource, _, _ = strings.Cut(resource, "/")
				s.marker(f, c, markerList(fields["groups"]), resource)
			}
		}
	}
}

// marker records the permission that one marker gives for a resource in some groups.
func (s *search) marker(f *ast.File, c *ast.Comment, groups []string, resource string) {
	for _, group := range groups {
		versions := versionsOf(group, resource)
		s.permissions[permission{group, resource}] = true
		if len(versions) == 0 || !deprecatedOrRemoved(versions[0]) {
			continue
		}
		s.Uses = append(s.Uses, Use{
			API: versions[0], GroupVersion: versions[0].GroupVersion(), Form: Marker, Pos: c.Pos(), End: c.End(), Decides: true,
			all: versions, within: strings.ToLower(filepath.Base(s.pass.Fset.File(f.FileStart).Name())), acknowledged: s.acknowledged(c.Pos()),
			declaration: declarationBelow(f, c),
		})
	}
}

// permission is a group and a resource in a marker.
type permission struct{ group, resource string }

// versionsOf returns the versions that a kind has in any release. The version that
// releases serve longest comes first.
func versionsOf(group, resource string) []lifecycle.API {
	var all []lifecycle.API
	for api := range lifecycle.All() {
		if api.Group() != group || api.Resource() != resource || api.Class() != lifecycle.Resource {
			continue
		}
		all = append(all, api)
		if last := len(all) - 1; api.Servable().Newest() > all[0].Servable().Newest() {
			all[0], all[last] = all[last], all[0]
		}
	}
	return all
}

// declarationBelow returns the position of the declaration below a marker, or
// token.NoPos. A suppression of findings in the declaration also applies to its
// markers.
func declarationBelow(f *ast.File, c *ast.Comment) token.Pos {
	for _, d := range f.Decls {
		if d.Pos() > c.Pos() {
			return d.Pos()
		}
		if d.End() > c.Pos() {
			break // the marker is inside the declaration
		}
	}
	return token.NoPos
}

// markerFields returns the arguments of a marker by name. Commas separate the
// arguments, except commas within quotes or braces.
func markerFields(text string) map[string]string {
	fields := map[string]string{}
	start, depth, quote := 0, 0, byte(0)
	for i := 0; i <= len(text); i++ {
		if i < len(text) {
			switch b := text[i]; {
			case quote != 0:
				if b == quote {
					quote = 0
				}
				continue
			case b == '"' || b == '`':
				quote = b
				continue
			case b == '{':
				depth++
				continue
			case b == '}':
				depth--
				continue
			case b != ',' || depth > 0:
				continue
			}
		}
		if name, value, ok := strings.Cut(text[start:i], "="); ok {
			fields[strings.TrimSpace(name)] = strings.TrimSpace(value)
		}
		start = min(i+1, len(text))
	}
	return fields
}

// markerList returns the items of an argument. It has the form a;b or {a,b}.
func markerList(text string) []string {
	items := strings.FieldsFunc(strings.Trim(text, "{} "), func(r rune) bool { return r == ';' || r == ',' })
	for i, item := range items {
		items[i] = strings.Trim(item, "\"` ")
	}
	return items
}
