package kustomize

import (
	"strings"
)

// definitionKind is the kind whose schemas are put aside.
const definitionKind = "CustomResourceDefinition"

// mayLookInto reports whether something in a plan may read or change what is in
// the schema of a custom resource definition, may need to know where it was
// parsed, or is not understood well enough to tell.
func (p *plan) mayLookInto(b *builder) bool {
	if p.looks || p.ownSchema() {
		return true
	}
	for _, k := range p.all {
		if len(k.Crds)+len(k.Generators)+len(k.Transformers)+len(k.Validators) > 0 || strings.Contains(string(k.text), schemaKey) {
			return true
		}
		for _, path := range k.Configurations {
			text, err := k.links.readRegular(join(k.dir, path), k.boundary, maxFile)
			if err != nil || leading(string(text)) {
				return true
			}
		}
		for _, label := range k.Labels {
			for _, spec := range label.FieldSpecs {
				if leading(spec.Path) {
					return true
				}
			}
		}
		for _, v := range k.Vars {
			if v.ObjRef.Kind == "" || v.ObjRef.Kind == definitionKind {
				return true
			}
		}
		for _, r := range k.Replacements {
			if r.Path != "" {
				text, err := k.links.readRegular(join(k.dir, r.Path), k.boundary, maxFile)
				if err != nil || leading(string(text)) {
					return true
				}
			}
			if r.Source != nil && leading(r.Source.FieldPath) {
				return true
			}
			for _, target := range r.Targets {
				for _, path := range target.FieldPaths {
					if leading(path) {
						return true
					}
				}
			}
		}
	}
	return false
}

// naming reports whether a text may name a schema's key: as it is, or in
// quotes with letters as numbers.
func naming(text string) bool {
	for _, part := range [...]string{schemaKey, `\x`, `\u`, `\U`, "\\\n", "\\\r"} {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}

// leading reports whether a path, or a text with paths, may lead to a schema:
// below spec.versions or spec.validation, or by way of anything.
func leading(text string) bool {
	for _, part := range [...]string{"*", `\`, "schema", "Schema", "validation", "versions"} {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}
