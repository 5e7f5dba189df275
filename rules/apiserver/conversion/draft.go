package conversion

import (
	"fmt"
	"strconv"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// draft is an unfinished plan. Each step is applied immediately, so later steps
// see its result.
type draft struct {
	*tree
	steps   []Step
	safety  Safety
	notes   []note
	noted   map[note]bool
	omitted int // number of notes that were left out
}

// maxNotes is the maximum number of notes of a plan, without the note that says
// how many were left out.
const maxNotes = 20

// note is a sentence for the user. A plan with the note is at most as safe as
// safety.
type note struct {
	text   string
	safety Safety
}

func newDraft(root *wire.Value) *draft {
	return &draft{tree: newTree(root), safety: Safe, noted: map[note]bool{}}
}

// plan returns the finished plan. from and to are the two APIs.
func (d *draft) plan(from, to lifecycle.API, message string) Plan {
	p := Plan{From: from, To: to, Steps: d.steps, Safety: d.safety, Message: message}
	if p.Safety == Manual {
		p.Steps, p.Message = nil, ""
	}
	if d.omitted > 0 {
		d.notes = append(d.notes, note{fmt.Sprintf("There are %d more such remarks.", d.omitted), d.safety})
	}
	for _, n := range d.notes {
		// A manual plan edits nothing, so notes for a review do not matter.
		if p.Safety != Manual || n.safety == Manual {
			p.Notes = append(p.Notes, n.text)
		}
	}
	return p
}

// review lowers the plan's safety to Review and adds the reason to the notes.
func (d *draft) review(format string, args ...any) { d.lower(Review, format, args...) }

// manual lowers the plan's safety to Manual and adds a note with what a human
// must decide.
func (d *draft) manual(format string, args ...any) { d.lower(Manual, format, args...) }

// note adds a note that does not change the plan's safety.
func (d *draft) note(format string, args ...any) { d.lower(Safe, format, args...) }

// lower adds a note unless the plan already has the note. If the plan's safety is
// higher than limit, lower sets it to limit.
func (d *draft) lower(limit Safety, format string, args ...any) {
	d.safety = min(d.safety, limit)
	n := note{fmt.Sprintf(format, args...), limit}
	switch {
	case d.noted[n]:
	case len(d.noted) >= maxNotes:
		d.omitted++
	default:
		d.noted[n] = true
		d.notes = append(d.notes, n)
	}
}

// step applies a step. If this fails, the plan becomes Manual: the object does not
// have the shape of its API, or it sets a field twice.
func (d *draft) step(s Step) {
	if err := d.apply(s); err != nil {
		d.manual("The object cannot be converted: %s: %v.", s, err)
		return
	}
	d.steps = append(d.steps, s)
}

// value returns the value at a path, or nil. Steps may change the value. A loop
// over the value's Fields or Items that applies steps must range over a clone.
func (d *draft) value(p Path) *wire.Value { return p.Value(d.root) }

// has reports whether the value at a path is set and not null.
func (d *draft) has(p Path) bool { return !d.value(p).IsNull() }

// length returns the number of items of the list at a path, or 0 if there is no
// list.
func (d *draft) length(p Path) int {
	if v := d.value(p); v != nil && v.Kind == wire.List {
		return len(v.Items)
	}
	return 0
}

// objects returns the paths of the items of a list that are maps. For other items
// it adds a note: servers read null as an empty object and refuse the rest.
func (d *draft) objects(p Path) []Path {
	var all []Path
	for i := range d.length(p) {
		if isMap(d.value(p.Item(i))) {
			all = append(all, p.Item(i))
		} else {
			d.review("%s is no object.", p.Item(i))
		}
	}
	return all
}

// set sets the value at a path. If the field is new, it is written in front of
// the field whose name is before.
func (d *draft) set(p Path, v *wire.Value, before string) {
	d.step(Step{Op: Set, Path: p, Value: v, Before: before})
}

// writeDefault sets a field to its old default v if the field is not set. before
// is as in set.
func (d *draft) writeDefault(p Path, v *wire.Value, before string) {
	if !d.has(p) {
		d.set(p, v, before)
	}
}

func (d *draft) remove(p Path) {
	if d.value(p) != nil {
		d.step(Step{Op: Delete, Path: p})
	}
}

// rename renames a field if it is set, and removes it if it is null.
func (d *draft) rename(p Path, name string) {
	switch v := d.value(p); {
	case v == nil:
	case v.IsNull():
		d.remove(p)
	default:
		d.clear(p.Parent().Field(name))
		d.step(Step{Op: Rename, Path: p, Name: name})
	}
}

// move moves a value if it is set, and removes it if it is null.
func (d *draft) move(p, to Path) {
	switch v := d.value(p); {
	case v == nil:
	case v.IsNull():
		d.remove(p)
	default:
		d.clear(to)
		d.step(Step{Op: Move, Path: p, To: to})
	}
}

// clear removes the value at a path if it is null.
func (d *draft) clear(p Path) {
	if v := d.value(p); v != nil && v.IsNull() {
		d.remove(p)
	}
}

// removeEmpty removes the value at a path if it is null, an empty map or an empty
// list.
func (d *draft) removeEmpty(p Path) {
	if v := d.value(p); v.IsNull() || len(v.Fields) == 0 && len(v.Items) == 0 && (v.Kind == wire.Map || v.Kind == wire.List) {
		d.remove(p)
	}
}

func isMap(v *wire.Value) bool { return v != nil && v.Kind == wire.Map }

func text(s string) *wire.Value { return &wire.Value{Kind: wire.String, Text: s} }

func number(n int64) *wire.Value {
	return &wire.Value{Kind: wire.Number, Text: strconv.FormatInt(n, 10)}
}

func boolean(b bool) *wire.Value { return &wire.Value{Kind: wire.Bool, Text: strconv.FormatBool(b)} }

func list(items ...*wire.Value) *wire.Value { return &wire.Value{Kind: wire.List, Items: items} }

// object returns a map. pairs alternates between names and values.
func object(pairs ...any) *wire.Value {
	v := &wire.Value{Kind: wire.Map}
	for i := 0; i+1 < len(pairs); i += 2 {
		v.Fields = append(v.Fields, wire.Field{Name: pairs[i].(string), Value: pairs[i+1].(*wire.Value)})
	}
	return v
}

// isEmpty reports whether a value decodes to the zero value of a Go type: "", 0,
// false or nil.
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
