package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/customresource"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// crdListType reports lists in the schema of a custom resource definition that
// several clients cannot share, because the schema does not define how to merge
// their changes.
func crdListType() manifestlint.Check {
	return manifestlint.Check{
		Rule: "crdlisttype",
		Run: func(p *manifestlint.Pass) {
			if isDefinition(p.Object) {
				checkListTypes(p)
			}
		},
	}
}

// checkListTypes checks the schema of the storage version. Other versions
// usually have the same lists and need the same change.
func checkListTypes(p *manifestlint.Pass) {
	d, ok := customresource.Read(p.Object.Root)
	minors := p.Object.API.ServedMinors(p.Target)
	if !ok || minors == 0 || d.PreserveUnknownFields {
		return
	}
	i := slices.IndexFunc(d.Versions, func(v customresource.Version) bool { return v.Storage })
	if i < 0 {
		return
	}
	root := d.Versions[i].Schema()
	w := listWalk{pass: p, minors: minors.String(), path: fmt.Sprintf("spec.versions[%d].schema.openAPIV3Schema", i)}
	w.eachField(root, func(name string, s *customresource.Schema) {
		w.checkSet(name, s)
		switch name {
		case "status":
			w.eachField(s, w.checkConditions)
		case "spec":
			w.eachField(s, w.checkNamed)
		}
	})
}

// listWalk visits the fields of a schema. It does not visit the items of lists:
// if clients cannot share a list, they cannot share its items either.
type listWalk struct {
	pass   *manifestlint.Pass
	minors string
	path   string // path of the schema in the definition
	names  []string
}

const maxSchemaDepth = 64

// report reports the list at the current path.
func (w *listWalk) report(at *wire.Value, format string, args ...any) {
	path := w.path
	for _, name := range w.names {
		path += ".properties[" + name + "]"
	}
	w.pass.Report(manifestlint.SpanOf(at), rules.Finding{
		Message: strings.Join(w.names, ".") + ": " + fmt.Sprintf(format, args...), Path: path, Minors: w.minors,
	})
}

// eachField calls f for each field of an object, but not for an object of the
// map type atomic, whose fields cannot have different owners.
func (w *listWalk) eachField(s *customresource.Schema, f func(name string, s *customresource.Schema)) {
	if s == nil || s.MapType == "atomic" || len(w.names) > maxSchemaDepth {
		return
	}
	for i := range s.Properties {
		w.names = append(w.names, s.Properties[i].Name)
		f(s.Properties[i].Name, s.Properties[i].Schema)
		w.names = w.names[:len(w.names)-1]
	}
}

// checkSet reports a list of type set whose items are objects or lists.
// Server-side apply cannot merge such a list, and replaces it as a whole.
func (w *listWalk) checkSet(_ string, s *customresource.Schema) {
	if s.ListType == "set" && s.Items != nil && (s.Items.Type == "object" || s.Items.Type == "array") {
		w.report(s.At.Get("x-kubernetes-list-type"), "server-side apply does not merge a set of type %s; write x-kubernetes-list-type: map and its keys, or atomic", s.Items.Type)
	}
	w.eachField(s, w.checkSet)
}

// checkConditions reports a list of conditions without a list type. Several
// controllers write items of this list.
func (w *listWalk) checkConditions(name string, s *customresource.Schema) {
	if name != "conditions" || s.Type != "array" || s.ListType != "" || s.Items == nil {
		return
	}
	typ, status := s.Items.Property("type"), s.Items.Property("status")
	if typ != nil && typ.Type == "string" && status != nil && status.Type == "string" && slices.Contains(s.Items.Required, "type") {
		w.report(s.At, "an apply of one condition takes over all of them; write x-kubernetes-list-type: map and x-kubernetes-list-map-keys: [type]")
	}
}

// checkNamed reports lists below spec whose items have names, because users and
// controllers add items to them. It ignores lists deeper than maxNamedDepth.
func (w *listWalk) checkNamed(name string, s *customresource.Schema) {
	switch {
	case hasNamedItems(name, s):
		w.report(s.At, "an apply of one item takes over the whole list; write x-kubernetes-list-type: map and x-kubernetes-list-map-keys: [name], or atomic if that is meant")
	case s.Type == "object" && len(w.names) < maxNamedDepth:
		w.eachField(s, w.checkNamed)
	}
}

// maxNamedDepth is the largest number of fields in the path of a list that
// checkNamed reports, such as 3 in spec.topology.variables.
const maxNamedDepth = 3

// hasNamedItems reports whether the items of a list are identified by their
// names: the name is required, no other field identifies an item, and the order
// does not matter.
func hasNamedItems(field string, s *customresource.Schema) bool {
	if s.Type != "array" || s.ListType != "" || s.Items == nil || s.Items.Type != "object" || len(s.Items.Properties) < 2 {
		return false
	}
	if name := s.Items.Property("name"); name == nil || name.Type != "string" || !slices.Contains(s.Items.Required, "name") {
		return false
	}
	for _, other := range [...]string{"kind", "namespace", "group", "id", "key", "type", "order", "priority", "weight", "mountPath", "image", "valueFrom", "emptyDir"} {
		if s.Items.Property(other) != nil {
			return false // a reference, an item with another key, an ordered list, or a part of a pod
		}
	}
	for _, ordered := range [...]string{"step", "patch", "stage", "task", "rule", "hook", "phase", "args", "argument"} {
		if strings.Contains(strings.ToLower(field), ordered) {
			return false
		}
	}
	return true
}
