package manifestlint

import (
	"strings"

	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Object is one Kubernetes object in an input.
type Object struct {
	APIVersion, Kind string
	// Namespace and Name are empty if the manifest does not contain them. For
	// an object with generateName, Name is the value of generateName and "*".
	Namespace, Name string
	// APIVersionAt and KindAt are the positions of the values of apiVersion and
	// kind.
	APIVersionAt, KindAt Span
	// API is the history of the object's kind and version. Known is false if no
	// known Kubernetes release has them.
	API   lifecycle.API
	Known bool
	// Root is the object's body.
	Root *wire.Value
	// Duplicates has the fields that the body repeats. Duplicates is nil if the
	// document has several objects, because paths would be ambiguous.
	Duplicates []wire.Duplicate
	// JSON is the text of the object if it is a JSON document, which a client
	// sends unchanged; nil for other objects. It is valid while the check runs.
	JSON []byte
	// Old is the stored object that this object updates; nil if the object is
	// new.
	Old *wire.Value
	// Reading is how the linter got the object.
	Reading Reading
	// Unfinished is set if a program adds fields to the object before a server
	// gets it: see Input.Unfinished.
	Unfinished bool
	// Listed is set if the object is an item of a list.
	Listed bool
	// Installed is set if the object is from a stored Helm release. A server
	// accepted it when Helm installed or upgraded the release.
	Installed bool
	// Embedded is the path of the string in another object that contains this
	// object, such as data[app.yaml]; "" for other objects.
	Embedded string
	// duplicates has Duplicates by path; nil before the first use.
	duplicates map[string]*wire.Duplicate
}

// Duplicate returns the first of Duplicates with this path; nil for none.
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

// Ref returns the identity of the object for a finding. It copies the strings,
// so that the finding does not keep the document in memory.
func (o *Object) Ref() *rules.ObjectRef {
	return &rules.ObjectRef{
		APIVersion: strings.Clone(o.APIVersion), Kind: strings.Clone(o.Kind),
		Namespace: strings.Clone(o.Namespace), Name: strings.Clone(o.Name),
	}
}

// Dumped reports whether a server has accepted the object, which was then read
// with a command such as kubectl get -o yaml. The object has a UID and a
// resource version or creation time, which only a server sets.
func (o *Object) Dumped() bool {
	meta := o.Root.Get("metadata")
	return meta.Get("uid").StringOr("") != "" &&
		(meta.Get("resourceVersion").StringOr("") != "" || !meta.Get("creationTimestamp").IsNull())
}

// Controlled reports whether a controller of Kubernetes created the object for
// another object, such as a Pod for a ReplicaSet. A mistake must then be fixed
// in the other object.
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

// setNamespace sets the namespace to which the object is sent. It has no effect
// if the object names a namespace, or if its kind has no namespaces.
func (o *Object) setNamespace(namespace string) {
	if o.Namespace != "" || namespace == "" {
		return
	}
	if api, known := lifecycle.LookupGV(o.APIVersion, o.Kind); known && api.Namespaced() {
		o.Namespace = namespace
	}
}

// objects returns the Kubernetes objects in a document: the object itself, or
// the items of a list, like kubectl. It returns nil if the document is not a
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

// appendItems appends the objects in a list, including the objects in nested
// lists. Parsers limit the depth of nesting.
func appendItems(all []*Object, list *wire.Value) []*Object {
	// Items of a list such as PodList may have no apiVersion and kind, because
	// the list's kind determines them (apimachinery, unstructured/helpers.go,
	// decodeToList).
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

// objectOf returns the object in a value. The arguments apiVersion and kind are
// the defaults of missing fields. It returns nil if one is still missing.
func objectOf(v *wire.Value, apiVersion, kind string) *Object {
	if v == nil || v.Kind != wire.Map {
		return nil
	}
	o := &Object{Root: v}
	av, k := v.Field("apiVersion"), v.Field("kind")
	o.APIVersion, o.Kind = stringOf(av), stringOf(k)
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

// stringOf returns a field's value if it is a string, and "" otherwise.
func stringOf(f *wire.Field) string {
	if f == nil {
		return ""
	}
	return f.Value.StringOr("")
}

// scalarText returns a string or a number as text. A server refuses a name that
// YAML reads as a number, but findings must contain the name.
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

// isBareList reports whether a document is a List without an API version.
// kubectl still reads its items (apimachinery, unstructured/helpers.go,
// decode).
func isBareList(root *wire.Value) bool {
	items := root.Get("items")
	return items != nil && items.Kind == wire.List && root.Get("kind").StringOr("") == "List" && isUnset(root.Field("apiVersion"))
}
