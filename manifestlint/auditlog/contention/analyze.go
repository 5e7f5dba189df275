package contention

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// wholePath stands for the object as a whole, which is there or not.
const wholePath = 1

// reversal is one write that gave fields a value back, or made an object anew,
// or deleted it again.
type reversal struct {
	at       int64
	writer   uint32
	how      How
	evidence Evidence
	paths    []uint64
}

// fieldState is what is known of a field while an object's writes are gone
// through.
type fieldState struct {
	known         bool
	value, before uint64
	// setter gave it the value, at that time; -1 where that is not known.
	// beforeKnown says that before is what the value was until then.
	setter      int64
	at          int64
	beforeKnown bool
	// undone is whose value the last change took back, -1 for nobody's.
	undone int64
	// own has the values that each writer gave the field, the latest last.
	own map[uint32][]uint64
}

// flapWindow is how soon a writer takes back its own value if it flaps. What
// takes longer may be a schedule. In microseconds.
const flapWindow = 3600 * 1e6

// maxOwn bounds fieldState.own.
const maxOwn = 8

// pathFight counts what happened to one field.
type pathFight struct {
	reversals int64
	flaps     int64 // of one writer alone
	by        map[uint32]int64
	hooked    bool // a webhook put it back
	last      uint32
}

// war goes through the writes of one object.
type war struct {
	o *object
	t Thresholds

	fields map[uint64]*fieldState
	paths  map[uint64]*pathFight
	turns  []reversal // between writers
	flaps  []reversal // of one
	loser  map[uint32]map[uint64]bool

	// of the write that is looked at
	w       *observation
	reverts []uint64
	flapped []uint64

	webhook func(writer uint32) bool
}

// maxSkew is how far the clocks of a cluster's servers are apart at most, in
// microseconds.
const maxSkew = 5e6

// ordered gives the writes in the order in which the server carried them out:
// by time, and those whose versions are known among each other by version, as
// far as clocks may be wrong. Versions of different clusters, or from before a
// restored backup, do not compare.
func ordered(writes []observation) []observation {
	out := slices.Clone(writes)
	var at []int // the versioned ones
	for i := range out {
		if out[i].version != 0 {
			at = append(at, i)
		}
	}
	for i := range at {
		for j := i; j > 0; j-- {
			a, b := &out[at[j-1]], &out[at[j]]
			if a.version <= b.version || b.at-a.at > maxSkew {
				break
			}
			*a, *b = *b, *a
		}
	}
	return out
}

// fight goes through the writes and counts what is reverted.
func (x *war) fight(writes []observation) {
	var last delta // of the last whole state
	var lastKnown bool
	touched := map[uint64]bool{} // since then
	for i := range writes {
		w := &writes[i]
		x.w, x.reverts, x.flapped = w, nil, nil
		switch {
		case w.how == HowCreate || w.flags&flagMade != 0:
			x.anew(w, 1)
			lastKnown = false
		case w.how == HowDelete:
			x.anew(w, 0)
			lastKnown = false
		default:
			if f := x.field(wholePath); !f.known {
				f.known, f.value, f.setter = true, 1, -1
			}
		}
		d, has := x.o.state(w)
		hooks := x.o.hooks[w.hooks]
		switch {
		case !has:
		case w.kind == kindFull || w.kind == kindSent:
			paths := touched
			if lastKnown {
				for _, l := range last {
					paths[l.path] = true
				}
				for _, l := range d {
					paths[l.path] = true
				}
			} else {
				for _, m := range [...]map[uint64]delta{x.o.states, x.o.parts} {
					for _, all := range m {
						for _, l := range all {
							paths[l.path] = true
						}
					}
				}
				for _, h := range x.o.hooks {
					for _, s := range h {
						for _, l := range s.leaves {
							paths[l.path] = true
						}
					}
				}
			}
			for _, p := range slices.Sorted(maps.Keys(paths)) {
				v, ok := d.get(p)
				if !ok {
					v = baseValue(x.o.base, p)
				}
				if w.kind == kindSent && v == 0 && !x.settled(p) {
					continue // perhaps a default that the client leaves to the server
				}
				x.set(p, v, x.author(p, v, w.writer, hooks), false)
			}
			clear(touched)
			last, lastKnown = d, true
		case w.kind == kindStated:
			for _, l := range d {
				x.set(l.path, l.value, x.author(l.path, l.value, w.writer, hooks), true)
				touched[l.path] = true
			}
		}
		for _, h := range hooks {
			for _, l := range h.leaves {
				if w.kind != kindFull {
					x.set(l.path, l.value, h.writer, true)
					touched[l.path] = true
				}
			}
		}
		x.hooked(w, has, hooks)
		if len(x.flapped) > 0 {
			x.flaps = append(x.flaps, reversal{w.at, w.writer, w.how, evidence(w), x.flapped})
		}
	}
}

func baseValue(base *leafSet, path uint64) uint64 {
	if base == nil {
		return 0
	}
	v, _ := delta(base.leaves).get(path)
	return v
}

// evidence is how certain it is what a write did.
func evidence(w *observation) Evidence {
	switch {
	case w.flags&flagAnswer != 0:
		return Exact
	case w.kind != kindNone:
		return Partial
	}
	return Probable
}

// author is who made a field what it is after a write: one of the webhooks, or
// who sent it.
func (x *war) author(path, value uint64, writer uint32, hooks []hookState) uint32 {
	for _, h := range hooks {
		for _, l := range h.leaves {
			if l.path == path && l.value == value {
				return h.writer
			}
		}
	}
	return writer
}

// settled reports whether somebody gave a field its value in so many words, so
// that its absence means something.
func (x *war) settled(path uint64) bool {
	f := x.fields[path]
	return f != nil && f.known && (f.setter >= 0 || f.value == 0)
}

func (x *war) field(path uint64) *fieldState {
	f := x.fields[path]
	if f == nil {
		f = &fieldState{setter: -1, undone: -1}
		x.fields[path] = f
	}
	return f
}

// anew makes the object, or deletes it. What its fields were is of no more
// meaning.
func (x *war) anew(w *observation, value uint64) {
	whole := x.fields[wholePath]
	clear(x.fields)
	if whole != nil {
		x.fields[wholePath] = whole
	}
	x.set(wholePath, value, w.writer, true)
}

// set gives a field a value. stated says that its writer names the field,
// rather than that it was found to have changed.
func (x *war) set(path, value uint64, writer uint32, stated bool) {
	f := x.field(path)
	if !f.known {
		f.known, f.value, f.at, f.setter = true, value, x.w.at, -1
		if stated {
			f.setter = int64(writer)
			f.remember(writer, value)
		}
		return
	}
	if f.value == value {
		return
	}
	mine := f.own[writer]
	other := f.setter >= 0 && f.setter != int64(writer)
	inTime := x.w.at-f.at <= x.t.Window
	switch {
	case !inTime:
		f.undone = -1
	case other && (f.beforeKnown && value == f.before || slices.Contains(mine, value) ||
		value != 0 && f.value == 0 && slices.ContainsFunc(mine, func(v uint64) bool { return v != 0 }) ||
		f.undone == int64(writer)):
		// It was so before, or this writer had it so, or puts back with another
		// value what was taken away, or insists.
		x.revert(path, writer, uint32(f.setter))
		f.undone = f.setter
	case f.setter == int64(writer) && path != wholePath && x.w.how != HowScale && (f.beforeKnown && value == f.before || slices.Contains(mine, value)) && x.w.at-f.at <= flapWindow:
		x.flapped = append(x.flapped, path)
		x.path(path).flaps++
		f.undone = -1
	default:
		f.undone = -1
	}
	f.before, f.beforeKnown = f.value, true
	f.value, f.setter, f.at = value, int64(writer), x.w.at
	f.remember(writer, value)
}

func (f *fieldState) remember(writer uint32, value uint64) {
	if f.own == nil {
		f.own = map[uint32][]uint64{}
	}
	own := f.own[writer]
	if i := slices.Index(own, value); i >= 0 {
		own = slices.Delete(own, i, i+1)
	} else if len(own) == maxOwn {
		own = slices.Delete(own, 0, 1)
	}
	f.own[writer] = append(own, value)
}

func (x *war) path(path uint64) *pathFight {
	p := x.paths[path]
	if p == nil {
		p = &pathFight{by: map[uint32]int64{}}
		x.paths[path] = p
	}
	return p
}

// revert counts that a writer took back another's value.
func (x *war) revert(path uint64, writer, of uint32) {
	p := x.path(path)
	p.reversals++
	p.by[writer]++
	p.last = writer
	if x.loser[of] == nil {
		x.loser[of] = map[uint64]bool{}
	}
	x.loser[of][path] = true
	if n := len(x.turns); n > 0 && x.turns[n-1].writer == writer && x.turns[n-1].at == x.w.at {
		x.turns[n-1].paths = append(x.turns[n-1].paths, path)
		return
	}
	how := x.w.how
	if x.webhook(writer) {
		how = HowWebhook
	}
	x.turns = append(x.turns, reversal{x.w.at, writer, how, evidence(x.w), []uint64{path}})
}

// hooked counts what webhooks put back within the very request that left it
// out: the object is as it was before, so that no change is seen.
func (x *war) hooked(w *observation, has bool, hooks []hookState) {
	if !has || w.kind != kindFull || w.how != HowUpdate {
		return
	}
	for _, h := range hooks {
		for _, l := range h.leaves {
			f := x.field(l.path)
			if !f.known || f.value != l.value || f.at == w.at && f.setter == int64(h.writer) {
				continue // it is new, and counted where the change was seen
			}
			if f.setter != int64(h.writer) {
				f.setter, f.at = int64(h.writer), w.at
				continue
			}
			if w.at-f.at <= x.t.Window {
				x.path(l.path).hooked = true
				x.revert(l.path, h.writer, w.writer)
			}
			f.at = w.at
		}
	}
}

// fought gives the fields that writers keep reverting, the most reverted first.
func (x *war) fought() []uint64 {
	var out []uint64
	for path, p := range x.paths {
		if p.reversals >= int64(x.t.MinReversals) && (len(p.by) > 1 || p.hooked) {
			out = append(out, path)
		}
	}
	return out
}

// flapping gives the fields that one writer alone flaps.
func (x *war) flapping() []uint64 {
	var out []uint64
	for path, p := range x.paths {
		if p.flaps >= int64(x.t.MinReversals) {
			out = append(out, path)
		}
	}
	return out
}

// Report finds the fights in what was collected.
func (c *Collector) Report(t Thresholds) Report {
	t = t.Effective()
	c.settle()
	r := Report{Forgotten: c.forgotten + c.singles.forgotten, Unread: c.unread}
	for _, o := range c.sorted() {
		r.Writes += int64(len(o.writes))
		several := o.several()
		if several {
			r.Objects++
		}
		f, undecided := c.judge(o, t)
		r.Fights = append(r.Fights, f...)
		if undecided {
			r.Undecided++
		}
		if l := o.left; l != nil {
			r.Leftovers = append(r.Leftovers, Leftover{
				Object: o.Object, Manager: l.manager, Update: l.update, Writer: c.writers[l.writer], Fields: l.fields, FieldsLeft: l.more,
				Last: l.at, At: c.place(l.input, l.line),
			})
		}
	}
	r.Writes += int64(c.singles.len())
	slices.SortStableFunc(r.Fights, func(a, b Fight) int {
		return cmp.Or(compareBool(a.Self, b.Self), cmp.Compare(b.Evidence, a.Evidence), compareBool(b.Ongoing, a.Ongoing), cmp.Compare(b.Reversals, a.Reversals), compareObjects(a.Object, b.Object))
	})
	return r
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

func compareObjects(a, b Object) int {
	return cmp.Or(strings.Compare(a.Group, b.Group), strings.Compare(a.Resource, b.Resource), strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name))
}

// sorted gives the objects by their names.
func (c *Collector) sorted() []*object {
	return slices.SortedFunc(maps.Values(c.objects), func(a, b *object) int { return compareObjects(a.Object, b.Object) })
}

func (c *Collector) place(input, line uint32) Place { return Place{c.inputs[input], int(line)} }

// judge finds what there is of one object.
func (c *Collector) judge(o *object, t Thresholds) (out []Fight, undecided bool) {
	if len(o.writes) <= t.MinReversals {
		return nil, false
	}
	writes := ordered(o.writes)
	x := &war{
		o: o, t: t, fields: map[uint64]*fieldState{}, paths: map[uint64]*pathFight{}, loser: map[uint32]map[uint64]bool{},
		webhook: func(w uint32) bool { return c.writers[w].Webhook },
	}
	x.fight(writes)
	if paths := x.fought(); len(paths) > 0 {
		out = append(out, c.made(o, x, writes, paths, x.turns, false))
	} else if paths := x.flapping(); len(paths) > 0 {
		out = append(out, c.made(o, x, writes, paths, x.flaps, true))
	} else {
		var f *Fight
		if f, undecided = c.turns(o, writes, t); f != nil {
			out = append(out, *f)
		}
	}
	return out, undecided
}
