package main

import (
	"fmt"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// definition is a CustomResourceDefinition, as far as the table contains it.
type definition struct {
	group, kind, resource string
	namespaced            bool
	versions              []version
}

type version struct {
	name               string
	served, deprecated bool
	// warning is the definition's own deprecation warning. It is empty if the
	// server uses its default text.
	warning string
}

// document is a CustomResourceDefinition of v1beta1 or v1, as far as it is read.
type document struct {
	Kind string
	Spec struct {
		Group, Scope string
		// Version is the only version of a v1beta1 definition that has no
		// Versions.
		Version  string
		Names    struct{ Kind, Plural string }
		Versions []struct {
			Name               string
			Served, Deprecated bool
			DeprecationWarning string `yaml:"deprecationWarning"`
		}
	}
}

var (
	separator = regexp.MustCompile(`(?m)^---.*$`)
	isCRD     = regexp.MustCompile(`(?m)^ *"?kind"?: *"?CustomResourceDefinition"?,? *$`)
)

// definitions returns the definitions in a file. The file may be a Helm template.
func definitions(text string) ([]definition, error) {
	var all []definition
	for _, part := range separator.Split(strings.ReplaceAll(text, "\r\n", "\n"), -1) {
		if !isCRD.MatchString(part) {
			continue
		}
		var d document
		if err := yaml.Unmarshal([]byte(withoutSchemas(withoutTemplates(part))), &d); err != nil {
			return nil, err
		}
		if d.Kind != "CustomResourceDefinition" {
			continue // not a definition, but mentions one, such as a webhook configuration
		}
		def, err := d.definition()
		if err != nil {
			return nil, err
		}
		all = append(all, def)
	}
	return all, nil
}

func (d *document) definition() (definition, error) {
	s := d.Spec
	def := definition{group: s.Group, kind: s.Names.Kind, resource: s.Names.Plural, namespaced: s.Scope == "Namespaced"}
	if s.Scope == "" { // Namespaced is the default in v1beta1
		def.namespaced = true
	}
	for _, v := range s.Versions {
		def.versions = append(def.versions, version{v.Name, v.Served, v.Served && v.Deprecated, strings.TrimSpace(v.DeprecationWarning)})
	}
	if len(def.versions) == 0 && s.Version != "" {
		def.versions = []version{{name: s.Version, served: true}}
	}
	for _, text := range append([]string{def.group, def.kind, def.resource}, names(def.versions)...) {
		if text == "" || strings.ContainsAny(text, " {}\t\n") {
			return definition{}, fmt.Errorf("definition of %s %s has no group, kind, resource or version", def.group, def.kind)
		}
	}
	if len(def.versions) == 0 {
		return definition{}, fmt.Errorf("definition of %s %s has no version", def.group, def.kind)
	}
	return def, nil
}

func names(versions []version) []string {
	var all []string
	for _, v := range versions {
		all = append(all, v.name)
	}
	return all
}

var action = regexp.MustCompile(`\{\{.*?\}\}`)

// withoutTemplates removes template actions, and whole lines that consist of
// actions.
func withoutTemplates(text string) string {
	if !strings.Contains(text, "{{") {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		if rest := action.ReplaceAllString(line, ""); rest != line {
			if strings.TrimSpace(rest) == "" {
				continue
			}
			line = action.ReplaceAllString(line, "template")
		}
		b.WriteString(line)
	}
	return b.String()
}

var schemaKey = regexp.MustCompile(`^( *(?:- )?)(?:schema|validation|additionalPrinterColumns|annotations|labels|status):\s*(?:#.*)?$`)

// withoutSchemas removes schemas and other blocks that are not needed, which are
// most of the text and may contain template actions.
func withoutSchemas(text string) string {
	var b strings.Builder
	skip := -1 // column of the key whose block is skipped
	for line := range strings.Lines(text) {
		body := strings.TrimLeft(line, " ")
		if strings.TrimSpace(body) == "" || strings.HasPrefix(body, "#") {
			continue
		}
		column := len(line) - len(body)
		if skip >= 0 && (column > skip || column == skip && strings.HasPrefix(body, "- ")) {
			continue
		}
		skip = -1
		if m := schemaKey.FindStringSubmatch(strings.TrimRight(line, "\n")); m != nil {
			skip = len(m[1])
			if strings.HasSuffix(m[1], "- ") {
				b.WriteString(m[1] + "skipped: true\n")
			}
			continue
		}
		b.WriteString(line)
	}
	return b.String()
}
