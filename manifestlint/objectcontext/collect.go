// Package objectcontext collects context objects, which the checks of other
// objects need: custom resource definitions, namespaces and webhook
// configurations among the inputs, and the stored objects that the inputs
// update.
package objectcontext

import (
	"context"
	"encoding/json"
	"iter"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Object is one context object.
type Object struct {
	// Input is the name of the input that contains the object.
	Input string
	// Object is the object without Root and JSON. Body returns its body.
	manifestlint.Object
	// Group and Defines are the group and the kind in a custom resource
	// definition; "" for other objects.
	Group, Defines string
	// Given is set if the user said that the cluster has the object. For other
	// objects, the cluster may have another version.
	Given bool

	body []byte // JSON of the body, which takes a tenth of the tree's memory
}

// New returns a context object. It keeps the body of o only as JSON.
func New(input string, o *manifestlint.Object) Object {
	object := Object{Input: input, Object: *o, body: AppendJSON(nil, o.Root)}
	object.Root, object.JSON, object.Duplicates = nil, nil, nil
	ref := o.Ref() // copies of the strings, so that the document is not kept
	object.APIVersion, object.Kind, object.Namespace, object.Name = ref.APIVersion, ref.Kind, ref.Namespace, ref.Name
	if o.Kind == "CustomResourceDefinition" {
		spec := o.Root.Get("spec")
		object.Group = strings.Clone(spec.Get("group").StringOr(""))
		object.Defines = strings.Clone(spec.At("names", "kind").StringOr(""))
	}
	return object
}

// Body returns the object's body. Each call parses the body again.
func (o *Object) Body() *wire.Value {
	v, err := wire.JSON(o.body)
	if err != nil {
		return nil // impossible, because AppendJSON wrote the body
	}
	return v
}

// Size returns the size of the body, in bytes of JSON.
func (o *Object) Size() int { return len(o.body) }

// SameBody reports whether two objects have exactly the same body.
func (o *Object) SameBody(p *Object) bool { return slices.Equal(o.body, p.body) }

// MaxCollected is the largest total size of the bodies that Collect keeps, in
// bytes.
const MaxCollected = 64 << 20

// Options configure Collect.
type Options struct {
	// Kinds are the kinds of objects to collect, in all API groups.
	Kinds []string
	// MaxDocument, Workers, NewReader and Old are passed to the Linter: see
	// manifestlint.Options.
	MaxDocument, Workers int
	NewReader            func() manifestlint.Reader
	Old                  func(input string, o *manifestlint.Object) *wire.Value
	// Further returns more kinds to collect, depending on the collected
	// objects. The inputs are then read a second time. Further may be nil.
	Further func(collected []Object) []string
	// Trouble is called in order for inputs and documents that could not be read
	// or parsed and may contain context objects. It may be nil.
	Trouble func(manifestlint.Event)
	// Left is called with the number of objects that were left out because of
	// MaxCollected. It may be nil.
	Left func(n int)
}

// Collect returns the objects of some kinds, in the order of the inputs. Like a
// Linter, it finds objects in lists and after broken documents, but not in
// templates or in patches of a kustomization. It skips documents that cannot be
// read or parsed, because the Linter reports them later. The only error is the
// error of ctx.
//
// Only documents that contain the name of a kind without escapes are parsed. An
// object with escapes in its kind is not found.
func Collect(ctx context.Context, inputs iter.Seq[manifestlint.Input], o Options) ([]Object, error) {
	c := collection{Options: o}
	err := c.collect(ctx, inputs)
	if err == nil && o.Further != nil {
		if c.Kinds = o.Further(c.all); len(c.Kinds) > 0 {
			c.Trouble = nil // it was called for these events in the first pass
			err = c.collect(ctx, inputs)
		}
	}
	if c.leftOut > 0 && o.Left != nil {
		o.Left(c.leftOut)
	}
	return c.all, err
}

type collection struct {
	Options
	all           []Object
	size, leftOut int
}

// collect adds the objects whose kinds are in o.Kinds.
func (o *collection) collect(ctx context.Context, inputs iter.Seq[manifestlint.Input]) error {
	l := manifestlint.New(manifestlint.Options{
		MaxDocument: o.MaxDocument, Workers: o.Workers, NewReader: o.NewReader, Old: o.Old,
		Enabled: func(string) bool { return false }, NoScripts: true,
		Mentioning: o.Kinds,
		Each: func(e manifestlint.Event) func(manifestlint.Event) error {
			if e.Object == nil {
				return reportTrouble(e, o.Trouble)
			}
			if !slices.Contains(o.Kinds, e.Object.Kind) {
				return nil
			}
			object := New(e.Input.Name, e.Object)
			return func(manifestlint.Event) error {
				if o.size += object.Size(); o.size > MaxCollected {
					o.size -= object.Size()
					o.leftOut++
					return nil
				}
				o.all = append(o.all, object)
				return nil
			}
		},
	})
	_, err := l.Run(ctx, inputs, func(rules.Finding) error { return nil })
	return err
}

// reportTrouble returns a function that passes its event to report. It returns
// nil if report is nil, or if e is not about unreadable input.
func reportTrouble(e manifestlint.Event, report func(manifestlint.Event)) func(manifestlint.Event) error {
	if report == nil || !e.Unreadable() {
		return nil
	}
	return func(e manifestlint.Event) error {
		report(e)
		return nil
	}
}

// AppendJSON appends the JSON text of a value.
func AppendJSON(b []byte, v *wire.Value) []byte {
	if v == nil {
		return append(b, "null"...)
	}
	switch v.Kind {
	case wire.Map:
		b = append(b, '{')
		for i := range v.Fields {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendString(b, v.Fields[i].Name), ':')
			b = AppendJSON(b, v.Fields[i].Value)
		}
		return append(b, '}')
	case wire.List:
		b = append(b, '[')
		for i, item := range v.Items {
			if i > 0 {
				b = append(b, ',')
			}
			b = AppendJSON(b, item)
		}
		return append(b, ']')
	case wire.String:
		return appendString(b, v.Text)
	case wire.Null:
		return append(b, "null"...)
	}
	return append(b, v.Text...) // a number, true or false
}

func appendString(b []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= 0x80 {
			quoted, err := json.Marshal(s)
			if err != nil {
				panic("objectcontext: a string that is not JSON: " + err.Error())
			}
			return append(b, quoted...)
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}
