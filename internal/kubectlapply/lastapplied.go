package kubectlapply

import (
	"encoding/json"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// lastApplied is the annotation in which kubectl apply keeps what it sent.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// maxAnnotations is how many bytes a server takes in all annotations of an
// object (apimachinery, TotalAnnotationSizeLimitB).
const maxAnnotations = 256 << 10

// maxSent bounds what is written of an object whose aliases would make it
// endless. No server takes that much.
const maxSent = 4 << 20

// applied gives an object as kubectl apply sends it, where that matters: with
// the annotation that holds all of it (kubectl/pkg/util/apply.go, 1.32 to 1.37).
// Together with the annotations that it holds, it must be half of what a server
// takes before the server may refuse it; other objects are given as they are.
func applied(o *manifestlint.Object, namespace string) *manifestlint.Object {
	metadata := o.Root.Get("metadata")
	if metadata == nil || metadata.Kind != wire.Map {
		return o
	}
	// What kubectl adds before it looks.
	sent := with(metadata, "annotations", annotationsOf(metadata))
	if namespace != "" && metadata.Get("namespace") == nil {
		sent = with(sent, "namespace", &wire.Value{Kind: wire.String, Text: namespace})
	}
	text := append(appendApplied(nil, with(o.Root, "metadata", sent)), '\n')
	if len(text) <= maxAnnotations/2 {
		return o
	}
	annotations := with(annotationsOf(metadata), lastApplied, &wire.Value{Kind: wire.String, Text: string(text), Pos: metadata.Pos, End: metadata.End})
	annotations.Pos, annotations.End = metadata.Pos, metadata.End
	whole := *o
	whole.Root = with(o.Root, "metadata", with(metadata, "annotations", annotations))
	return &whole
}

// annotationsOf are the annotations without what kubectl wrote at another time.
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

// with is a map with a field set.
func with(m *wire.Value, name string, value *wire.Value) *wire.Value {
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

// appendApplied writes a value as encoding/json does, as kubectl asks it to:
// without spaces, and with the letters escaped that HTML knows. Of the order of
// the fields nothing depends.
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
	return append(b, v.Text...) // a number, true or false
}

func appendText(b []byte, s string) []byte {
	quoted, err := json.Marshal(s)
	if err != nil {
		panic("a string that is no JSON: " + err.Error()) // every string is
	}
	return append(b, quoted...)
}
