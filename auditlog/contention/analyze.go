package contention

import (
	"maps"
	"slices"
)

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
	follows func(writer uint32) bool
	// metadata reports whether a field is one of metadata, which has no defaults.
	metadata func(path uint64) bool
}

// fight goes through the writes and counts what is reverted.
func (x *war) fight(writes []observation) {
	var last delta // of the last whole state
	var lastKnown bool
	touched := map[uint64]bool{} // since then
	// Whether there were writes since then of which nothing is known, and by whom
	// all of them are; -1 for several.
	var unseen struct {
		any bool
		by  int64
	}
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
		if !has && w.how != HowCreate && w.how != HowDelete && !(unseen.any && unseen.by == int64(w.writer)) {
			by := int64(w.writer)
			if unseen.any {
				by = -1
			}
			unseen.any, unseen.by = true, by
		}
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
				if w.kind == kindSent && v == 0 && !x.settled(p) && !x.metadata(p) {
					continue // perhaps a default that the client leaves to the server
				}
				if unseen.any && unseen.by != int64(w.writer) && (w.kind == kindFull || w.flags&flagTemplate == 0) {
					x.learn(p, v) // it may have been so before
					continue
				}
				x.set(p, v, x.author(p, v, w.writer, hooks), false)
			}
			clear(touched)
			last, lastKnown, unseen.any = d, true, false
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
	// It was so before, or this writer had it so.
	same := f.beforeKnown && value == f.before || slices.Contains(mine, value)
	returned := false
	switch {
	case !inTime || path == wholePath && value != 0 && x.w.at-f.at > anewWindow:
		f.undone = -1
		if path == wholePath {
			f.own = nil // another object of the same name
		}
	case other && same:
		x.revert(path, writer, uint32(f.setter), true)
		f.undone = f.setter
		returned = true
	case other && value != 0 && f.value == 0 && f.taken:
		// A request that was served, and the next one.
		f.undone = -1
	case other && (f.undone == int64(writer) || value != 0 && f.value == 0 && slices.ContainsFunc(mine, func(v uint64) bool { return v != 0 })):
		// This writer insists, or puts back with another value what was dropped.
		x.revert(path, writer, uint32(f.setter), f.value == 0)
		f.undone = f.setter
	case f.setter == int64(writer) && same:
		// What is set and taken away again by one is a lock, unless it comes back.
		if returned = value != 0 || f.returned; returned && x.flapper(path) && x.w.at-f.at <= flapWindow {
			x.flapped = append(x.flapped, path)
			x.path(path).flaps++
		}
		f.undone = -1
	default:
		f.undone = -1
	}
	f.taken = value == 0 && (x.w.how == HowMergePatch || x.w.how == HowJSONPatch)
	f.returned = returned
	f.before, f.beforeKnown = f.value, true
	f.value, f.setter, f.at = value, int64(writer), x.w.at
	f.remember(writer, value)
}

// learn notes a value that somebody gave a field in a write that is not known.
func (x *war) learn(path, value uint64) {
	f := x.field(path)
	if f.known && f.value == value {
		return
	}
	f.known, f.value, f.at, f.setter, f.undone = true, value, x.w.at, -1, -1
	f.beforeKnown, f.taken, f.returned = false, false, false
}

// flapper reports whether one writer that takes back its own value flaps: scaling
// is an autoscaler's work, and the parts of Kubernetes follow what happens.
func (x *war) flapper(path uint64) bool {
	return path != wholePath && x.w.how != HowScale && !x.follows(x.w.writer)
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
func (x *war) revert(path uint64, writer, of uint32, firm bool) {
	p := x.path(path)
	p.reversals++
	p.by[writer]++
	if firm {
		p.firm++
	}
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
				x.revert(l.path, h.writer, w.writer, true)
			}
			f.at = w.at
		}
	}
}

// fought gives the fields that writers keep reverting, the most reverted first.
func (x *war) fought() []uint64 {
	var out []uint64
	for path, p := range x.paths {
		enough := int64(x.t.MinReversals)
		if p.reversals >= enough && (len(p.by) > 1 || p.hooked) && (p.firm >= enough || p.reversals >= 2*enough) {
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
