package manifestlint

import (
	"bytes"
	"context"
	"iter"
	"slices"
	"sync/atomic"

	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Given is an object of the linted set that others are judged by: a custom
// resource definition, a namespace, a webhook configuration.
type Given struct {
	// Input is the name of the input that holds it, Document its 0-based
	// place there.
	Input    string
	Document int
	// Object gives its body by Tree.
	Object *Object
}

// GatherOptions configure Gather.
type GatherOptions struct {
	// Kinds are the kinds of objects to gather, whatever their group.
	Kinds []string
	// MaxDocument and Workers are those of the Linter's Options.
	MaxDocument, Workers int
	// NewReader makes a worker's way of reading whole inputs; nil: by Open.
	NewReader func() Reader
	// Old is that of the Linter's Options.
	Old func(input string, o *Object) *wire.Value
	// Trouble, if not nil, is told in order of what could not be read or
	// parsed and might have held such an object.
	Trouble func(Event)
	// Next, if not nil, is the linter that judges the same inputs next. With
	// readers that keep and give from one Memory it is spared to find out again
	// what Gather does.
	Next *Linter
	// Left, if not nil, is told how many objects were left out because those
	// before them were too large together.
	Left func(n int)
}

// The memory for gathered objects, in bytes: keptTrees of source text are kept
// as trees, ten times their size, of those that had to be parsed; the rest as
// text, maxPacked of it. Of what would take memory of its own, plainTexts stay as
// they are and the rest is compressed. What is found and not in order yet may be
// someTimes as much.
const (
	keptTrees  = 512 << 10
	maxPacked  = 64 << 20
	plainTexts = 16 << 20
	someTimes  = 4
)

// gathering is what was gathered so far, in bytes. What is known of an input in
// order is known at its end: what is found in it is made small before that.
type gathering struct {
	all                 []Given
	trees, packed, left int // of what is in order

	found, foundTrees atomic.Int64
	packs             packs
}

// hold makes an object small as soon as it is found. lasting says that its text
// is in memory anyway. It reports whether there is room for it at all.
func (g *gathering) hold(o *Object, lasting bool) bool {
	if api, ok := lifecycle.LookupGV(o.APIVersion, o.Kind); ok {
		o.APIVersion, o.Kind = api.GroupVersion(), api.Kind() // not strings of its own
	}
	if o.Root != nil {
		text := appendJSON(nil, o.Root)
		if g.foundTrees.Add(int64(len(text))) <= someTimes*keptTrees {
			return true
		}
		o.packed, o.Root, lasting = text, nil, false
	}
	found := g.found.Add(int64(len(o.packed)))
	switch {
	case found > someTimes*maxPacked:
		return false
	case lasting:
	case found > plainTexts:
		o.away, o.packed = g.packs.add(o.packed), nil
	default:
		o.packed = bytes.Clone(o.packed) // the next input takes its memory
	}
	return true
}

// pack keeps of the next object in order what Tree needs. It reports whether there
// is room for it.
func (g *gathering) pack(o *Object) bool {
	if o.Root != nil {
		o.packed = appendJSON(nil, o.Root)
		if g.trees += len(o.packed); g.trees <= keptTrees {
			o.packed = nil
			return true
		}
		o.Root = nil
		o.away, o.packed = g.packs.add(o.packed), nil
	}
	if g.packed += o.PackedSize(); g.packed > maxPacked {
		g.left++
		return false
	}
	return true
}

// Gather gives the objects of some kinds that the inputs hold, in their order.
// It sees an object where a Linter would judge one: not in templates, not in
// what a kustomization patches with, in lists and behind broken documents all
// the same. What cannot be read or parsed is passed over, since the Linter
// will report it. The only error is the context's.
//
// Inputs that do not spell a kind are only read: a text without the kind's
// name in plain letters has no such object, and one that hides it behind
// escapes is not worth parsing everything for.
func Gather(ctx context.Context, inputs iter.Seq[Input], o GatherOptions) ([]Given, error) {
	var g gathering
	_, err := g.linter(&o).Run(ctx, inputs, func(rules.Finding) error { return nil })
	return g.given(&o), err
}

// linter makes a linter that gathers by its events.
func (g *gathering) linter(o *GatherOptions) *Linter {
	l := New(Options{
		MaxDocument: o.MaxDocument, Workers: o.Workers, NewReader: o.NewReader, Old: o.Old,
		Enabled: func(string) bool { return false },
		Each: func(e Event) func(Event) error {
			if e.Object == nil && o.Trouble != nil && e.trouble() {
				return func(e Event) error {
					o.Trouble(e)
					return nil
				}
			}
			if e.Object == nil || !slices.Contains(o.Kinds, e.Object.Kind) {
				return nil
			}
			room := g.hold(e.Object, e.lasting)
			return func(e Event) error {
				if !room {
					g.left++
					return nil
				}
				moveLines(e.Object, e.Lines)
				if !g.pack(e.Object) {
					return nil
				}
				g.all = append(g.all, Given{Input: e.Input.Name, Document: e.Document, Object: e.Object})
				return nil
			}
		},
	})
	l.gather = newWanted(o.Kinds)
	if o.Next != nil {
		l.triggers = o.Next.triggers
	}
	return l
}

// given ends it and gives what was gathered.
func (g *gathering) given(o *GatherOptions) []Given {
	g.packs.full()
	if g.left > 0 && o.Left != nil {
		o.Left(g.left)
	}
	all := g.all
	g.all = nil // texts that were packed away keep g
	return all
}

// wanted are the kinds that a run gathers; nil where a run judges.
type wanted struct {
	kinds []string
	words [][]byte
}

func newWanted(kinds []string) *wanted {
	w := &wanted{kinds: kinds}
	for _, k := range kinds {
		w.words = append(w.words, []byte(k))
	}
	return w
}

// kind reports whether objects of a kind are gathered.
func (w *wanted) kind(kind string) bool { return slices.Contains(w.kinds, kind) }

// spelled reports whether a text may hold an object that is gathered.
func (w *wanted) spelled(text []byte) bool {
	for _, word := range w.words {
		if bytes.Contains(text, word) {
			return true
		}
	}
	return false
}

// passes takes the next document of a text if it certainly holds no object that is
// gathered and opens no block of a template: to find its end takes less than to
// skim it.
func (w *wanted) passes(split *splitter) bool {
	if json, _ := jsonText(split.rest()); json != nil {
		return false // several values may be several documents
	}
	before := *split
	d, ok := split.next()
	if ok && !w.spelled(d.data) && !markup(d.data) {
		return true
	}
	*split = before
	return false
}

// passOver counts the lines and documents of a block that has nothing to
// gather, so that the places of what follows stay right.
func (r *result) passOver(data []byte) {
	r.lines = bytes.Count(data, []byte{'\n'})
	if isJSONStream(data) {
		var scan jsonScan
		scan.lastValueEnd(data)
		r.docs = scan.values
		return
	}
	split := newSplitter(data)
	for _, ok := split.next(); ok; _, ok = split.next() {
		r.docs++
	}
}

// moveLines moves the places in an object that was read from the middle of an
// input.
func moveLines(o *Object, lines int) {
	if lines == 0 {
		return
	}
	if o.packedAt.Line > 0 {
		o.packedAt.Line += lines
	}
	for _, s := range []*Span{&o.APIVersionAt, &o.KindAt} {
		s.Pos.Line += lines
		s.End.Line += lines
	}
	moveValue(o.Root, lines, map[*wire.Value]bool{})
}

// moveValue moves a value once, however often an alias leads to it.
func moveValue(v *wire.Value, lines int, moved map[*wire.Value]bool) {
	if v == nil || moved[v] {
		return
	}
	moved[v] = true
	v.Pos.Line += lines
	v.End.Line += lines
	for i := range v.Fields {
		f := &v.Fields[i]
		f.Pos.Line += lines
		f.End.Line += lines
		moveValue(f.Value, lines, moved)
	}
	for _, item := range v.Items {
		moveValue(item, lines, moved)
	}
}
