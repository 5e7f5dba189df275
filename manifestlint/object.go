package manifestlint

import (
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// objects gives the Kubernetes objects that a parsed document holds: itself,
// or its items if it is a list, as kubectl unrolls it. None: the document is
// not a Kubernetes object.
func objects(root *wire.Value) []*Object {
	o := objectOf(root, "", "")
	if o == nil {
		return nil
	}
	items := root.Get("items")
	if items == nil || items.Kind != wire.List {
		return []*Object{o}
	}
	all := make([]*Object, 0, len(items.Items))
	collect(root, &all, 0)
	return all
}

// maxListDepth bounds lists of lists; kubectl unrolls them too.
const maxListDepth = 16

func collect(list *wire.Value, all *[]*Object, depth int) {
	// The items of a typed list may leave out what the list says already
	// (apimachinery, unstructured/helpers.go, decodeToList).
	apiVersion := list.Get("apiVersion").StringOr("")
	kind := strings.TrimSuffix(list.Get("kind").StringOr(""), "List")
	for _, item := range list.Get("items").Items {
		if items := item.Get("items"); items != nil && items.Kind == wire.List && depth < maxListDepth {
			collect(item, all, depth+1)
			continue
		}
		if o := objectOf(item, apiVersion, kind); o != nil {
			if o.KindAt.Pos.Line == 0 {
				o.KindAt = Span{item.Pos, item.End}
				o.APIVersionAt = o.KindAt
			}
			*all = append(*all, o)
		}
	}
}

// objectOf gives the object that a value is, or nil if it has no apiVersion
// and kind, neither its own nor its list's.
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
	return o
}

func text(f *wire.Field) string {
	if f == nil {
		return ""
	}
	return f.Value.StringOr("")
}

// scalarText gives a string or a number as text: a name that YAML takes for a
// number is refused by the server, yet it is what the user calls the object.
func scalarText(v *wire.Value) string {
	if v != nil && (v.Kind == wire.String || v.Kind == wire.Number) {
		return v.Text
	}
	return ""
}

// headObject makes an object of what a skimmer kept; nil if it is none.
// firstLine is the line of the input on which the document begins.
func headObject(h *skimHead, firstLine int) *Object {
	o := &Object{}
	if !o.fromHead(h, firstLine) {
		return nil
	}
	return o
}

// fromHead sets all of an object to what a skimmer kept. It reports whether that
// is one.
func (o *Object) fromHead(h *skimHead, firstLine int) bool {
	if !h.object() {
		return false
	}
	*o = Object{APIVersionAt: h.apiVersion.span(firstLine), KindAt: h.kind.span(firstLine)}
	if o.API, o.Known = lifecycle.LookupGV(h.apiVersion.text, h.kind.text); o.Known {
		o.APIVersion, o.Kind = o.API.GroupVersion(), o.API.Kind() // no strings of their own
	} else {
		o.APIVersion, o.Kind = string(h.apiVersion.text), string(h.kind.text)
	}
	if len(h.namespace.text) > 0 {
		o.Namespace = string(h.namespace.text)
	}
	if len(h.name.text) > 0 {
		o.Name = string(h.name.text)
	} else if len(h.generateName.text) > 0 {
		o.Name = string(h.generateName.text) + "*"
	}
	return true
}

func (h *headValue) span(firstLine int) Span {
	pos := wire.Pos{Line: h.line + firstLine - 1, Column: h.column}
	return Span{pos, wire.Pos{Line: pos.Line, Column: pos.Column + h.width}}
}

// home gives an object of a kind that has namespaces the namespace that it is
// sent to where it names none itself.
func (o *Object) home(namespace string) {
	if o.Namespace != "" || namespace == "" {
		return
	}
	if api, known := lifecycle.LookupGV(o.APIVersion, o.Kind); known && api.Namespaced() {
		o.Namespace = namespace
	}
}
