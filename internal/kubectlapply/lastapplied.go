package kubectlapply

import (
	"encoding/json"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// lastApplied is the annotation in which kubectl apply stores the object that it has
// sent.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// maxAnnotations is the maximal size of all annotations of an object in bytes
// (apimachinery, TotalAnnotationSizeLimitB).
const maxAnnotations = 256 << 10

// maxSent is the maximal size of an encoded object in bytes. Recursive aliases could make
// an object larger, but no server accepts more.
const maxSent = 4 << 20

// withLastApplied returns an object as kubectl apply sends it, with the annotation that
// contains the object (kubectl/pkg/util/apply.go, 1.32 to 1.37). Small objects stay
// unchanged, because their annotations cannot exceed the server's limit.
func withLastApplied(o *manifestlint.Object, namespace string) *manifestlint.Object {
	metadata := o.Root.Get("metadata")
	if metadata == nil || metadata.Kind != wire.Map {
		return o
	}
	// kubectl adds the namespace before it creates the annotation.
	sent := withField(metadata, "annotations", annotationsOf(metadata))
	if namespace != "" && metadata.Get("namespace") == nil {
		sent = withField(sent, "namespace", &wire.Value{Kind: wire.String, Text: namespace})
	}
	text := append(appendApplied(nil, withField(o.Root, "metadata", sent)), '\n')
	if len(text) <= maxAnnotations/2 {
		return o
	}
	annotations := withField(annotationsOf(metadata), lastApplied, &wire.Value{Kind: wire.String, Text: string(text), Pos: metadata.Pos, End: metadata.End})
	annotations.Pos, annotations.End = metadata.Pos, metadata.End
	whole := *o
	whole.Root = withField(o.Root, "metadata", withField(metadata, "annotations", annotations))
	return &whole
}

func annotationsOf(metadata *wire.Value) *wire.Value {
	all := &wire.Value{Kind: wire.Map}
	if written := metadata.Get("annotations"); written != nil && written.Kind == wire.Map {
		for _, f := range written.Fields {
			if f.Name != lastApplied {
				all.Fields = append(all.Fields, f)
			}
		}
	}
	return all
}

// withField returns a copy of a map with a new value for a field.
func withField(m *wire.Value, name string, value *wire.Value) *wire.Value {
	changed := *m
	changed.Fields = make([]wire.Field, 0, len(m.Fields)+1)
	for _, f := range m.Fields {
		if f.Name != name {
			changed.Fields = append(changed.Fields, f)
		}
	}
	changed.Fields = append(changed.Fields, wire.Field{Name: name, Value: value})
	return &changed
}

// appendApplied encodes a value as JSON, like encoding/json with HTML escapes. The order
// of fields may differ.
func appendApplied(b []byte, v *wire.Value) []byte {
	switch {
	case len(b) > maxSent:
		return b
	case v == nil || v.Kind == wire.Null:
		return append(b, "null"...)
	case v.Kind == wire.Map:
		b = append(b, '{')
		for i := range v.Fields {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendText(b, v.Fields[i].Name), ':')
			b = appendApplied(b, v.Fields[i].Value)
		}
		return append(b, '}')
	case v.Kind == wire.List:
		b = append(b, '[')
		for i, item := range v.Items {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendApplied(b, item)
		}
		return append(b, ']')
	case v.Kind == wire.String:
		return appendText(b, v.Text)
	}
	return append(b, v.Text...) // the value is a number, true or false
}

func appendText(b []byte, s string) []byte {
	quoted, err := json.Marshal(s)
	if err != nil {
		panic("a string that is no JSON: " + err.Error()) // not possible: every string can be encoded
	}
	return append(b, quoted...)
}
