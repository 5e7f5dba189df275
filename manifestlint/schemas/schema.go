package schemas

import (
	"fmt"
	"strings"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/objectcontext"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

type schema struct {
	Identity
	// kindName is the kind with its case; "" if only the file's name has the
	// kind.
	kindName string
	resource
	input string
	body  []byte // schema in the form of a definition, as JSON
}

// NoKindError is the error for a JSON Schema without the name of its kind.
type NoKindError struct{ Name string }

// Error returns the name and the ways to add the kind.
func (e *NoKindError) Error() string {
	return e.Name + ": cannot tell which kind the JSON Schema describes: name the file {group}/{kind}_{version}.json, " +
		"such as cert-manager.io/certificate_v1.json, or add " + keyGVK + " to it"
}

// schemasIn returns the schemas of custom resources in a document. id is the
// kind according to the file's name, for a JSON Schema that contains no kind.
func schemasIn(doc *wire.Value, id Identity, name string) ([]*schema, error) {
	if isIndex(doc) {
		return nil, fmt.Errorf("%s: %w", name, errIndex)
	}
	var all []*schema
	var problem error
	converter, size := newConverter(doc), 0
	add := func(id Identity, spelled string, v *wire.Value, r resource) {
		switch {
		case problem != nil:
			return
		case id.Group != "" && lifecycle.IsGroup(id.Group), id.Group == "" && spelled != "":
			return // a built-in kind
		}
		converted, ok := converter.structural(v)
		if !ok {
			problem = fmt.Errorf("%s: the schema of %.64s is too large", name, id.Kind)
			return
		}
		body := objectcontext.AppendJSON(nil, converted)
		if size += len(body); size > maxKept {
			problem = errTooLarge(name)
			return
		}
		// Clone the strings, because they would keep the whole document in memory.
		id.Group, id.Kind, id.Version = strings.Clone(id.Group), strings.Clone(id.Kind), strings.Clone(id.Version)
		r.plural = strings.Clone(r.plural)
		all = append(all, &schema{id, strings.Clone(spelled), r, name, body})
	}
	if isOpenAPI(doc) {
		openAPI(doc, func(k groupVersionKind, v *wire.Value, r resource) { add(k.identity(), k.kind, v, r) })
		return all, problem
	}
	kinds := declaredKinds(doc)
	switch {
	case len(kinds) > 0:
		for _, k := range kinds {
			add(k.identity(), k.kind, doc, resource{})
		}
	case id.Kind == "" || id.Unsure:
		return nil, &NoKindError{name}
	default:
		add(id, "", doc, resource{})
	}
	return all, problem
}

func (k groupVersionKind) identity() Identity {
	return Identity{Group: k.group, Kind: strings.ToLower(k.kind), Version: k.version}
}

// definition returns a custom resource definition of a kind with the schemas of
// its versions. It has names.plural and scope only if one of the schemas has a
// plural, which comes from the paths of an OpenAPI document.
func definition(group, kind string, versions []*schema) *objectcontext.Object {
	names := object("kind", text(kind))
	spec := object("group", text(group))
	set(spec, "names", names)
	list := &wire.Value{Kind: wire.List}
	for _, s := range versions {
		tree, err := wire.JSON(s.body)
		if err != nil {
			continue // AppendJSON wrote it
		}
		version := object("name", text(s.Version))
		set(version, "served", yes())
		set(version, "storage", yes())
		set(version, "schema", object("openAPIV3Schema", tree))
		if s.hasStatus(tree) {
			set(version, "subresources", object("status", &wire.Value{Kind: wire.Map}))
		}
		list.Items = append(list.Items, version)
		if s.plural != "" {
			set(names, "plural", text(s.plural))
			scope := "Cluster"
			if s.namespaced {
				scope = "Namespaced"
			}
			set(spec, "scope", text(scope))
		}
	}
	set(spec, "versions", list)
	root := object("apiVersion", text("apiextensions.k8s.io/v1"))
	set(root, "kind", text("CustomResourceDefinition"))
	set(root, "spec", spec)
	result := objectcontext.New(versions[0].input, &manifestlint.Object{
		APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition", Root: root,
	})
	return &result
}

// hasStatus reports whether the version has a status subresource, so that a
// server ignores the status in a manifest. A JSON Schema does not list
// subresources. Its version counts as having a status subresource, unless the
// schema requires a status.
func (s *schema) hasStatus(tree *wire.Value) bool {
	if s.plural != "" {
		return s.status
	}
	for _, name := range tree.Get("required").Strings() {
		if name == "status" {
			return false
		}
	}
	return true
}
