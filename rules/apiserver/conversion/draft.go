package conversion

import (
	"fmt"
	"strconv"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// draft is a plan in the making. Each step is made at once, so that what is
// looked at is the object as the steps so far leave it.
type draft struct {
	*tree
	steps  []Step
	safety Safety
	notes  []note
	said   map[note]bool
	more   int // notes that were too many
}

// manyNotes is how many a plan has at most, besides one that counts the rest.
const manyNotes = 20

// note is a sentence with what the plan was brought down to when it was said.
type note struct {
	text   string
	safety Safety
}

func newDraft(root *wire.Value) *draft {
	return &draft{tree: newTree(root), safety: Safe, said: map[note]bool{}}
}

// plan closes the draft.
func (d *draft) plan(from, to lifecycle.API, message string) Plan {
	p := Plan{From: from, To: to, Steps: d.steps, Object: d.root, Safety: d.safety, Message: message}
	if p.Safety == Manual {
		p.Steps, p.Object, p.Message = nil, nil, ""
	}
	if d.more > 0 {
		d.notes = append(d.notes, note{fmt.Sprintf("There are %d more such remarks.", d.more), d.safety})
	}
	for _, n := range d.notes {
		// Where nothing is edited, what the edits would have done is no matter.
		if p.Safety != Manual || n.safety == Manual {
			p.Notes = append(p.Notes, n.text)
		}
	}
	return p
}

// review says that the plan is not safe, and why.
func (d *draft) review(format string, args ...any) { d.lower(Review, format, args...) }

// manual says that a human must decide before anything is edited.
func (d *draft) manual(format string, args ...any) { d.lower(Manual, format, args...) }

// note tells something that is no reason against the plan.
func (d *draft) note(format string, args ...any) { d.lower(Safe, format, args...) }

// lower tells something, each text once.
func (d *draft) lower(to Safety, format string, args ...any) {
	d.safety = min(d.safety, to)
	n := note{fmt.Sprintf(format, args...), to}
	switch {
	case d.said[n]:
	case len(d.said) >= manyNotes:
		d.more++
	default:
		d.said[n] = true
		d.notes = append(d.notes, n)
	}
}

// do makes a step. One that cannot be made means that the object is not of
// the shape that its API has, or says a thing twice.
func (d *draft) do(s Step) {
	if err := d.apply(s); err != nil {
		d.manual("The object cannot be converted: %s: %v.", s, err)
		return
	}
	d.steps = append(d.steps, s)
}

// at gives the value at a path, nil if there is none. Steps may
// change it: who goes on looking at its fields or items clones the list.
func (d *draft) at(p Path) *wire.Value { return p.Value(d.root) }

// has reports whether there is a value that is not null.
func (d *draft) has(p Path) bool { return !d.at(p).IsNull() }

// length is the number of items of the list at a path; 0 if there is none.
func (d *draft) length(p Path) int {
	if v := d.at(p); v != nil && v.Kind == wire.List {
		return len(v.Items)
	}
	return 0
}

// objects gives the items of a list that are maps. Servers take a null for one
// without fields, and refuse what else there is.
func (d *draft) objects(p Path) []Path {
	var all []Path
	for i := range d.length(p) {
		if isMap(d.at(p.Item(i))) {
			all = append(all, p.Item(i))
		} else {
			d.review("%s is no object.", p.Item(i))
		}
	}
	return all
}

// set gives the value at a path a new value. before is the field in front of
// which a new one is to be written.
func (d *draft) set(p Path, v *wire.Value, before string) {
	d.do(Step{Op: Set, Path: p, Value: v, Before: before})
}

// pin writes a default out where nothing is said.
func (d *draft) pin(p Path, v *wire.Value, before string) {
	if !d.has(p) {
		d.set(p, v, before)
	}
}

func (d *draft) remove(p Path) {
	if d.at(p) != nil {
		d.do(Step{Op: Delete, Path: p})
	}
}

// rename gives a field another name, if it is there; a null is the same as
// nothing and goes.
func (d *draft) rename(p Path, name string) {
	switch v := d.at(p); {
	case v == nil:
	case v.IsNull():
		d.remove(p)
	default:
		d.clear(p.Parent().Field(name))
		d.do(Step{Op: Rename, Path: p, Name: name})
	}
}

// move takes a value to another place, if it is there; a null goes.
func (d *draft) move(p, to Path) {
	switch v := d.at(p); {
	case v == nil:
	case v.IsNull():
		d.remove(p)
	default:
		d.clear(to)
		d.do(Step{Op: Move, Path: p, To: to})
	}
}

// clear takes a null out of the way.
func (d *draft) clear(p Path) {
	if v := d.at(p); v != nil && v.IsNull() {
		d.remove(p)
	}
}

// removeEmpty takes a map or list out that holds nothing.
func (d *draft) removeEmpty(p Path) {
	if v := d.at(p); v.IsNull() || len(v.Fields) == 0 && len(v.Items) == 0 && (v.Kind == wire.Map || v.Kind == wire.List) {
		d.remove(p)
	}
}

func isMap(v *wire.Value) bool { return v != nil && v.Kind == wire.Map }

func text(s string) *wire.Value { return &wire.Value{Kind: wire.String, Text: s} }

func number(n int64) *wire.Value {
	return &wire.Value{Kind: wire.Number, Text: strconv.FormatInt(n, 10)}
}

func truth(b bool) *wire.Value { return &wire.Value{Kind: wire.Bool, Text: strconv.FormatBool(b)} }

func list(items ...*wire.Value) *wire.Value { return &wire.Value{Kind: wire.List, Items: items} }

// object gives a map of names and values in turns.
func object(pairs ...any) *wire.Value {
	v := &wire.Value{Kind: wire.Map}
	for i := 0; i+1 < len(pairs); i += 2 {
		v.Fields = append(v.Fields, wire.Field{Name: pairs[i].(string), Value: pairs[i+1].(*wire.Value)})
	}
	return v
}

// isEmpty reports whether a value is what Go's decoder makes an empty string,
// a zero, false or nothing of.
func isEmpty(v *wire.Value) bool {
	if v.IsNull() {
		return true
	}
	switch v.Kind {
	case wire.String:
		return v.Text == ""
	case wire.Number:
		n, err := strconv.ParseFloat(v.Text, 64)
		return err == nil && n == 0
	case wire.Bool:
		return v.Text == "false"
	}
	return false
}
