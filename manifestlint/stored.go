package manifestlint

import (
	"cmp"
	"context"
	"encoding/json"
	"iter"
	"strings"
	"sync/atomic"

	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Stored are objects as a cluster has them, found by their identity: group,
// kind, namespace and name. It is immutable and safe for concurrent use. A nil
// *Stored has none.
type Stored struct {
	objects map[identity][]stored
	left    int
	repeats []Repeat
}

// Repeat says that stored objects of one identity stand in several places.
type Repeat struct {
	Object *rules.ObjectRef
	// First and Last are the inputs of the first and the last of them.
	First, Last string
}

// identity is what makes two objects the same one to a server, of whatever
// version of their group.
type identity struct{ group, kind, namespace, name string }

// stored is one object as JSON: a tenth of the size of its tree.
type stored struct {
	input string
	body  []byte
}

// StoreOptions configure Store.
type StoreOptions struct {
	// MaxDocument and Workers are those of the Linter's Options.
	MaxDocument, Workers int
	// MaxBytes bounds the memory for the objects, as JSON; 0 stands for
	// DefaultMaxStored.
	MaxBytes int64
	// NewReader makes a worker's way of reading whole inputs; nil: by Open.
	NewReader func() Reader
	// Trouble, if not nil, is told in order of what could not be read or
	// parsed.
	Trouble func(Event)
}

// DefaultMaxStored is enough for a hundred thousand objects of 3 KB.
const DefaultMaxStored = 300 << 20

// Store reads the objects of inputs. An object without a name of its own has no
// identity and is passed over; so are documents that a Linter would not judge.
// The only error is the context's.
func Store(ctx context.Context, inputs iter.Seq[Input], o StoreOptions) (*Stored, error) {
	s := &Stored{objects: map[identity][]stored{}}
	var used atomic.Int64
	limit := cmp.Or(o.MaxBytes, DefaultMaxStored)
	l := New(Options{
		MaxDocument: o.MaxDocument, Workers: o.Workers, NewReader: o.NewReader, Bodies: true,
		Enabled: func(string) bool { return false },
		Each: func(e Event) func(Event) error {
			if e.Object == nil {
				if o.Trouble == nil || !e.trouble() {
					return nil
				}
				return func(e Event) error {
					o.Trouble(e)
					return nil
				}
			}
			id, ok := identify(e.Object)
			if !ok || e.Object.Root == nil {
				return nil
			}
			ref := e.Object.Ref()
			// The worker that is over the limit counts what it leaves out; which
			// objects these are depends on the order of the workers, that there
			// are some does not.
			body := appendJSON(nil, e.Object.Root)
			if used.Add(int64(len(body))) > limit {
				body = nil
			}
			return func(e Event) error {
				s.add(id, ref, e.Input.Name, body)
				return nil
			}
		},
	})
	_, err := l.Run(ctx, inputs, func(rules.Finding) error { return nil })
	return s, err
}

// trouble reports whether an event is about what could not be read or parsed.
func (e *Event) trouble() bool {
	if e.Err != nil {
		return true
	}
	switch e.NotJudged.Reason {
	case rules.SkipBroken, rules.SkipTooLarge, rules.SkipBinary:
		return true
	}
	return false
}

func (s *Stored) add(id identity, ref *rules.ObjectRef, input string, body []byte) {
	if body == nil {
		s.left++
		return
	}
	before := s.objects[id]
	if len(before) == 1 {
		s.repeats = append(s.repeats, Repeat{ref, before[0].input, input})
	}
	s.objects[id] = append(before, stored{input, body})
}

// identify gives an object's identity; false where it has none yet.
func identify(o *Object) (identity, bool) {
	if o.Name == "" || strings.HasSuffix(o.Name, "*") {
		return identity{}, false
	}
	group, _, ok := strings.Cut(o.APIVersion, "/")
	if !ok {
		group = ""
	}
	id := identity{group, o.Kind, cmp.Or(o.Namespace, "default"), o.Name}
	if api, known := lifecycle.LookupGV(o.APIVersion, o.Kind); known && !api.Namespaced() {
		id.namespace = ""
	}
	return id, true
}

// Of gives the stored object that an object of an input updates, or nil if
// there is none. Of several, that of an input of the same name counts, as two
// overlays of one base need it, else the last.
func (s *Stored) Of(input string, o *Object) *wire.Value {
	if s == nil || len(s.objects) == 0 {
		return nil
	}
	id, ok := identify(o)
	if !ok {
		return nil
	}
	all := s.objects[id]
	if len(all) == 0 {
		return nil
	}
	at := len(all) - 1
	for i := at; i >= 0; i-- {
		if all[i].input == input {
			at = i
			break
		}
	}
	v, err := wire.JSON(all[at].body)
	if err != nil {
		return nil
	}
	return v
}

// Left is how many objects were left out because of the memory that they
// need.
func (s *Stored) Left() int { return s.left }

// Len is how many objects there are.
func (s *Stored) Len() int {
	n := 0
	for _, all := range s.objects {
		n += len(all)
	}
	return n
}

// Repeats are the identities that several objects have, in the order of the
// second of each.
func (s *Stored) Repeats() []Repeat { return s.repeats }

// appendJSON writes a value as JSON.
func appendJSON(b []byte, v *wire.Value) []byte {
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
			b = appendJSON(b, v.Fields[i].Value)
		}
		return append(b, '}')
	case wire.List:
		b = append(b, '[')
		for i, item := range v.Items {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSON(b, item)
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
				panic("manifestlint: a string that is no JSON: " + err.Error())
			}
			return append(b, quoted...)
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}
