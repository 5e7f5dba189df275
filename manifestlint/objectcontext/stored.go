package objectcontext

import (
	"cmp"
	"context"
	"iter"
	"strings"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Stored has the objects of a cluster by their identity: group, kind, namespace
// and name. It is immutable and safe for concurrent use. A nil *Stored has no
// objects.
type Stored struct {
	objects map[identity][]stored
	leftOut int
	repeats []Repeat
}

// Repeat is an object of which several inputs have a stored version.
type Repeat struct {
	Object *rules.ObjectRef
	// First and Last are the first and the last input with the object.
	First, Last string
}

// identity identifies an object in a cluster. It has no version, because all
// versions of a group have the same objects.
type identity struct{ group, kind, namespace, name string }

// stored is one object in JSON, which takes a tenth of the tree's memory.
type stored struct {
	input string
	body  []byte
}

// StoreOptions configure Store.
type StoreOptions struct {
	// MaxDocument, Workers and NewReader are passed to the Linter: see
	// manifestlint.Options.
	MaxDocument, Workers int
	// MaxBytes is the largest total size of the objects, in bytes of JSON; 0
	// means DefaultMaxStored.
	MaxBytes  int64
	NewReader func() manifestlint.Reader
	// Trouble is called in order for inputs and documents that could not be read
	// or parsed. It may be nil.
	Trouble func(manifestlint.Event)
}

// DefaultMaxStored is the size of a hundred thousand objects of 3 KB, in bytes.
const DefaultMaxStored = 300 << 20

// Store reads the objects of inputs. It skips objects without a name, which
// have no identity, and documents that a Linter would not check. The only error
// is the error of ctx.
func Store(ctx context.Context, inputs iter.Seq[manifestlint.Input], o StoreOptions) (*Stored, error) {
	s := &Stored{objects: map[identity][]stored{}}
	used, limit := int64(0), cmp.Or(o.MaxBytes, DefaultMaxStored)
	l := manifestlint.New(manifestlint.Options{
		MaxDocument: o.MaxDocument, Workers: o.Workers, NewReader: o.NewReader, NoScripts: true,
		Enabled: func(string) bool { return false },
		Each: func(e manifestlint.Event) func(manifestlint.Event) error {
			if e.Object == nil {
				return reportTrouble(e, o.Trouble)
			}
			id, ok := identityOf(e.Object)
			if !ok {
				return nil
			}
			ref, body := e.Object.Ref(), AppendJSON(nil, e.Object.Root)
			return func(e manifestlint.Event) error {
				if used += int64(len(body)); used > limit {
					body = nil
				}
				s.add(id, ref, e.Input.Name, body)
				return nil
			}
		},
	})
	_, err := l.Run(ctx, inputs, func(rules.Finding) error { return nil })
	return s, err
}

func (s *Stored) add(id identity, ref *rules.ObjectRef, input string, body []byte) {
	if body == nil {
		s.leftOut++
		return
	}
	before := s.objects[id]
	if len(before) == 1 {
		s.repeats = append(s.repeats, Repeat{ref, before[0].input, input})
	}
	s.objects[id] = append(before, stored{input, body})
}

// identityOf returns an object's identity. It returns false if the object has
// no name or only a generateName.
func identityOf(o *manifestlint.Object) (identity, bool) {
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

// Of returns the stored object that an object in an input updates; nil for
// none. If there are several, it returns the one from an input with this name,
// as for two overlays of one base, or else the last one.
func (s *Stored) Of(input string, o *manifestlint.Object) *wire.Value {
	if s == nil || len(s.objects) == 0 {
		return nil
	}
	id, ok := identityOf(o)
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

// Left returns the number of objects that were left out because of
// StoreOptions.MaxBytes.
func (s *Stored) Left() int { return s.leftOut }

// Len returns the number of objects.
func (s *Stored) Len() int {
	n := 0
	for _, all := range s.objects {
		n += len(all)
	}
	return n
}

// Repeats returns the objects that are stored several times, in the order of
// their second occurrence.
func (s *Stored) Repeats() []Repeat { return s.repeats }
