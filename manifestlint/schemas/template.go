package schemas

import (
	"fmt"
	"regexp"
	"strings"
)

// Template is a location of schemas in the notation of kubeconform's
// -schema-location, such as schemas/{{ .Group }}/{{ .ResourceKind }}_{{
// .ResourceAPIVersion }}.json. Only the variables are replaced; the location is
// not executed as a Go template.
type Template struct {
	// Glob is a pattern that matches all files that the template can name.
	Glob  string
	match *regexp.Regexp
}

// IsTemplate reports whether a location has variables.
func IsTemplate(location string) bool { return strings.Contains(location, "{{") }

// variables has a pattern for each variable of kubeconform
// (pkg/registry/registry.go, 0.7).
var variables = map[string]string{
	"Group":                       `(?P<group>[^/]+?)`,
	"ResourceKind":                `(?P<kind>[^/]+?)`,
	"ResourceAPIVersion":          `(?P<version>[^/]+?)`,
	"KindSuffix":                  `(?:-(?P<label>[^/]+?))?-(?P<version>[^/-]+?)`,
	"NormalizedKubernetesVersion": `[^/]+?`,
	"StrictSuffix":                `(?:-strict)?`,
}

var variable = regexp.MustCompile(`\{\{-?\s*\.([A-Za-z]+)\s*-?\}\}`)

// ParseTemplate parses a location with variables. It returns an error if the
// location has anything else in braces, has a wildcard, or lacks {{
// .ResourceKind }} or a variable for the version.
func ParseTemplate(location string) (*Template, error) {
	location = strings.ReplaceAll(location, `\`, "/")
	location = strings.TrimPrefix(location, "./")
	var glob, match strings.Builder
	match.WriteString("^")
	rest := location
	has := map[string]bool{}
	for rest != "" {
		at := variable.FindStringSubmatchIndex(rest)
		literal := rest
		if at != nil {
			literal = rest[:at[0]]
		}
		if strings.ContainsAny(literal, "{}*?[]") {
			return nil, fmt.Errorf("only the variables {{ .Group }}, {{ .ResourceKind }}, {{ .ResourceAPIVersion }}, {{ .KindSuffix }}, " +
				"{{ .NormalizedKubernetesVersion }} and {{ .StrictSuffix }} are replaced, and nothing else may be in braces or be a wildcard")
		}
		glob.WriteString(literal)
		match.WriteString(regexp.QuoteMeta(literal))
		if at == nil {
			break
		}
		name := rest[at[2]:at[3]]
		pattern, known := variables[name]
		if !known {
			return nil, fmt.Errorf("there is no variable {{ .%s }}", name)
		}
		has[name] = true
		if !strings.HasSuffix(glob.String(), "*") { // "**" would match several directories
			glob.WriteByte('*')
		}
		match.WriteString(pattern)
		rest = rest[at[1]:]
	}
	if !has["ResourceKind"] || !has["ResourceAPIVersion"] && !has["KindSuffix"] {
		return nil, fmt.Errorf("it needs {{ .ResourceKind }}, and {{ .ResourceAPIVersion }} or {{ .KindSuffix }}")
	}
	re, err := regexp.Compile(match.String() + "$")
	if err != nil {
		return nil, err
	}
	return &Template{Glob: glob.String(), match: re}, nil
}

// Identify returns the kind that a schema describes, according to its file's
// name. ok is false if the template does not match the name, or matches it in
// two ways.
func (t *Template) Identify(name string) (id Identity, ok bool) {
	m := t.match.FindStringSubmatch(name)
	if m == nil {
		return Identity{}, false
	}
	for i, group := range t.match.SubexpNames() {
		field := map[string]*string{"group": &id.Group, "kind": &id.Kind, "version": &id.Version, "label": &id.Label}[group]
		switch {
		case field == nil || m[i] == "":
		case *field != "" && *field != m[i]:
			return Identity{}, false
		default:
			*field = m[i]
		}
	}
	id.Kind = strings.ToLower(id.Kind)
	return id, true
}
