package manifestlint

import (
	"strings"

	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Object is one Kubernetes object as it is written.
type Object struct {
	APIVersion, Kind string
	// Namespace and Name are empty if the manifest has none. A generateName
	// becomes a Name that ends in "*".
	Namespace, Name string
	// APIVersionAt and KindAt are the positions of the values.
	APIVersionAt, KindAt Span
	// API is the history of the object's kind. Known is false if no
	// Kubernetes release in the tables has the kind.
	API   lifecycle.API
	Known bool
	// Root is the object's body.
	Root *wire.Value
	// Duplicates are the fields that the body repeats; nil if the document
	// holds several objects, because their paths would be ambiguous.
	Duplicates []wire.Duplicate
	// JSON is the text of Root if it is a JSON document of its own, which a
	// client sends unchanged; nil: a client converts it to JSON. It is valid
	// while the check runs.
	JSON []byte
	// Old is the stored object if this object is checked as an update of it;
	// nil: it is new.
	Old *wire.Value
	// Reading is how the linter got the object.
	Reading Reading
	// Unfinished reports whether something completes the object before a
	// server sees it: see Input.
	Unfinished bool
	// Listed reports whether the object is an item of a list.
	Listed bool
	// Installed reports whether the object is part of a stored Helm release: a
	// server accepted it when Helm installed or upgraded the release.
	Installed bool
	// Embedded is the field of another object whose string holds this one,
	// such as data[app.yaml]; empty for an object of its own.
	Embedded string
	// duplicates finds Duplicates by their path; nil until it is needed.
	duplicates map[string]*wire.Duplicate
}

// Duplicate returns the first of Duplicates with a path, or nil.
func (o *Object) Duplicate(path string) *wire.Duplicate {
	if o.duplicates == nil {
		o.duplicates = make(map[string]*wire.Duplicate, len(o.Duplicates))
		for i := range o.Duplicates {
			d := &o.Duplicates[i]
			if o.duplicates[d.Path] == nil {
				o.duplicates[d.Path] = d
			}
		}
	}
	return o.duplicates[path]
}

// Ref returns the object's identity for a finding. Its strings are copies, so
// that a finding does not keep the document in memory.
func (o *Object) Ref() *rules.ObjectRef {
	return &rules.ObjectRef{
		APIVersion: strings.Clone(o.APIVersion), Kind: strings.Clone(o.Kind),
		Namespace: strings.Clone(o.Namespace), Name: strings.Clone(o.Name),
	}
}

// Dumped reports whether an object was read from a server, as kubectl get
// prints it: it has a UID and a version or a creation time, which only the
// server sets. That server accepted the object as it is.
func (o *Object) Dumped() bool {
	meta := o.Root.Get("metadata")
	return meta.Get("uid").StringOr("") != "" &&
		(meta.Get("resourceVersion").StringOr("") != "" || !meta.Get("creationTimestamp").IsNull())
}

// Controlled reports whether a controller of Kubernetes itself made the object
// from another one, as it makes Pods from a ReplicaSet. Its mistakes must be
// fixed in the other one.
func (o *Object) Controlled() bool {
	owners := o.Root.At("metadata", "ownerReferences")
	if owners == nil {
		return false
	}
	for _, owner := range owners.Items {
		if c := owner.Get("controller"); c == nil || c.Kind != wire.Bool || c.Text != "true" {
			continue
		}
		_, known := lifecycle.LookupGV(owner.Get("apiVersion").StringOr(""), owner.Get("kind").StringOr(""))
		return known
	}
	return false
}

// setNamespace sets the namespace that the object is sent to, if its kind has
// namespaces and it names none itself.
func (o *Object) setNamespace(namespace string) {
	if o.Namespace != "" || namespace == "" {
		return
	}
	if api, known := lifecycle.LookupGV(o.APIVersion, o.Kind); known && api.Namespaced() {
		o.Namespace = namespace
	}
}

// objects returns the Kubernetes objects in a parsed document: itself, or the
// items of a list, as kubectl unrolls it. None: the document is not a
// Kubernetes object.
func objects(root *wire.Value) []*Object {
	o := objectOf(root, "", "")
	if o == nil && !isBareList(root) {
		return nil
	}
	items := root.Field("items")
	switch {
	case items == nil:
	case items.Value.IsNull(): // an empty list (apimachinery, unstructured/helpers.go, decode)
		return nil
	case items.Value.Kind == wire.List:
		return appendItems(make([]*Object, 0, len(items.Value.Items)), root)
	}
	return []*Object{o}
}

// appendItems appends the objects in a list, and in the lists in it. The
// parsers bound their depth.
func appendItems(all []*Object, list *wire.Value) []*Object {
	// The items of a typed list may omit what the list's own kind says
	// (apimachinery, unstructured/helpers.go, decodeToList).
	apiVersion := list.Get("apiVersion").StringOr("")
	kind := strings.TrimSuffix(list.Get("kind").StringOr(""), "List")
	for _, item := range list.Get("items").Items {
		if items := item.Get("items"); items != nil && items.Kind == wire.List {
			all = appendItems(all, item)
			continue
		}
		if o := objectOf(item, apiVersion, kind); o != nil {
			if o.KindAt.Pos.Line == 0 {
				o.KindAt = Span{item.Pos, item.End}
				o.APIVersionAt = o.KindAt
			}
			all = append(all, o)
		}
	}
	return all
}

// objectOf returns the object in a value, or nil without an apiVersion and kind. If it
// has neither, it gets those of its list.
func objectOf(v *wire.Value, apiVersion, kind string) *Object {
	if v == nil || v.Kind != wire.Map {
		return nil
	}
	o := &Object{Root: v}
	av, k := v.Field("apiVersion"), v.Field("kind")
	o.APIVersion, o.Kind = text(av), text(k)
	if o.APIVersion == "" || o.Kind == "" {
		if apiVersion == "" || kind == "" || o.APIVersion != o.Kind {
			return nil
		}
		o.APIVersion, o.Kind = apiVersion, kind
	} else {
		o.APIVersionAt, o.KindAt = SpanOfField(av), SpanOfField(k)
	}
	meta := v.Get("metadata")
	o.Namespace = scalarText(meta.Get("namespace"))
	if o.Name = scalarText(meta.Get("name")); o.Name == "" {
		if g := scalarText(meta.Get("generateName")); g != "" {
			o.Name = g + "*"
		}
	}
	o.API, o.Known = lifecycle.LookupGV(o.APIVersion, o.Kind)
	return o
}

// text returns a field's string, or "".
func text(f *wire.Field) string {
	if f == nil {
		return ""
	}
	return f.Value.StringOr("")
}

// scalarText returns a string or a number as text. The server rejects a name
// that YAML reads as a number, but users know the object by it.
func scalarText(v *wire.Value) string {
	if v != nil && (v.Kind == wire.String || v.Kind == wire.Number) {
		return v.Text
	}
	return ""
}

// isList reports whether a document is a list of objects.
func isList(root *wire.Value) bool {
	items := root.Field("items")
	return items != nil && (items.Value.Kind == wire.List || items.Value.IsNull()) && objectOf(root, "", "") != nil || isBareList(root)
}

// isBareList reports whether a document is a List without an API version. kubectl
// unrolls it all the same (apimachinery, unstructured/helpers.go, decode).
func isBareList(root *wire.Value) bool {
	items := root.Get("items")
	return items != nil && items.Kind == wire.List && root.Get("kind").StringOr("") == "List" && isUnset(root.Field("apiVersion"))
}
