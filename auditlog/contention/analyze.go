package contention

import (
	"maps"
	"slices"
	"strings"
)

// analysis is the state of analyzing the writes of one object in the order of
// their times.
type analysis struct {
	o *object
	t Thresholds

	fields map[uint64]*fieldState
	paths  map[uint64]*pathFight
	turns  []reversal          // reversals of another writer's value
	flaps  []reversal          // reversals of the writer's own value
	inside map[uint64][]uint64 // fields below each field
	// lostFields has the fields of each writer that others reverted.
	lostFields map[uint32]map[uint64]bool

	// w is the current write. flapped are the fields in which it reverted its
	// writer's own value.
	w       *observation
	flapped []uint64

	writer   func(id uint32) *Writer
	pathText func(path uint64) string
}

// inMetadata reports whether a field is in the metadata, for which servers have
// no defaults.
func (x *analysis) inMetadata(path uint64) bool {
	return strings.HasPrefix(x.pathText(path), "metadata.")
}

// fight counts the reversals in writes.
func (x *analysis) fight(writes []observation) {
	var last delta // values after the last write that has all fields
	var lastKnown bool
	touched := map[uint64]bool{} // fields written since last
	// unseen describes the writes after last whose fields are unknown. by is
	// their writer; -1 for several writers.
	var unseen struct {
		any bool
		by  int64
	}
	for i := range writes {
		w := &writes[i]
		x.w, x.flapped = w, nil
		switch {
		case w.how == HowCreate || w.flags&flagMade != 0:
			x.recreate(w, 1)
			lastKnown = false
		case w.how == HowDelete:
			x.recreate(w, 0)
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
				usePaths(paths, last)
				usePaths(paths, d)
			} else {
				x.o.changingPaths(paths)
			}
			for _, p := range slices.Sorted(maps.Keys(paths)) {
				v, ok := d.get(p)
				if !ok {
					v = baseValue(x.o.base, p)
				}
				if w.kind == kindSent && v == 0 && w.flags&flagTemplate != 0 && !x.settled(p) && !x.inMetadata(p) {
					continue // a template may lack a default, which the server then sets again
				}
				if unseen.any && unseen.by != int64(w.writer) && (w.kind == kindFull || w.flags&flagTemplate == 0) {
					x.learn(p, v) // the field may have had this value before
					continue
				}
				x.set(p, v, x.author(p, v, w.writer, hooks), false)
			}
			clear(touched)
			last, lastKnown, unseen.any = d, true, false
		case w.kind == kindStated:
			for _, l := range x.withRemoved(d) {
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
		x.countHooked(w, has, hooks)
		if len(x.flapped) > 0 {
			x.flaps = append(x.flaps, reversal{w.at, w.writer, w.how, evidence(w), x.flapped})
		}
	}
}

// changingPaths adds the fields that are not equal in all states of the object.
func (o *object) changingPaths(paths map[uint64]bool) {
	for _, states := range [...]map[uint64]delta{o.states, o.parts} {
		for _, d := range states {
			usePaths(paths, d)
		}
	}
	for _, h := range o.hooks {
		for _, s := range h {
			usePaths(paths, s.leaves)
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

// evidence returns how certain the effect of a write is.
func evidence(w *observation) Evidence {
	switch {
	case w.flags&flagAnswer != 0:
		return Exact
	case w.kind != kindNone:
		return Partial
	}
	return Probable
}

// author returns the writer that set a field in a request. This is the webhook
// that set it to value, or else the sender.
func (x *analysis) author(path, value uint64, writer uint32, hooks []hookState) uint32 {
	for _, h := range hooks {
		for _, l := range h.leaves {
			if l.path == path && l.value == value {
				return h.writer
			}
		}
	}
	return writer
}

// settled reports whether a field is absent or was set by a known writer. Any
// other field may have a default of the server, which restores it after an
// update without the field.
func (x *analysis) settled(path uint64) bool {
	f := x.fields[path]
	return f != nil && f.known && (f.setter >= 0 || f.value == 0)
}

func (x *analysis) field(path uint64) *fieldState {
	f := x.fields[path]
	if f == nil {
		f = &fieldState{setter: -1, revertedWriter: -1}
		x.fields[path] = f
	}
	return f
}

// recreate records that the object was created or deleted, and removes the
// states of its fields.
func (x *analysis) recreate(w *observation, value uint64) {
	whole := x.fields[wholePath]
	clear(x.fields)
	if whole != nil {
		x.fields[wholePath] = whole
	}
	x.set(wholePath, value, w.writer, true)
}

// set records that a write set a field to a value. stated is true if the
// request names the field, and false if only the resulting object shows the
// value.
func (x *analysis) set(path, value uint64, writer uint32, stated bool) {
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
	mine := f.values[writer]
	other := f.setter >= 0 && f.setter != int64(writer)
	inTime := x.w.at-f.at <= x.t.Window
	// A reversal restores the last value that this writer set. If the log has
	// no value of this writer, the value before the last change counts.
	before := f.beforeKnown && value == f.before
	leftSet := len(mine) > 0 && mine[len(mine)-1] != 0 // the last write of this writer did not remove the field
	same := len(mine) == 0 && before || len(mine) > 0 && mine[len(mine)-1] == value
	switch {
	case !inTime || path == wholePath && value != 0 && x.w.at-f.at > recreateWindow:
		f.revertedWriter = -1
		if path == wholePath {
			f.values = nil // another object with the same name
		}
	case other && same:
		x.revert(path, f, value, writer, true)
		f.revertedWriter = f.setter
	case other && value != 0 && f.value == 0 && f.removed:
		// The field is a request to a controller. The controller removes it
		// after serving it.
		f.revertedWriter = -1
	case other && (f.revertedWriter == int64(writer) || value != 0 && f.value == 0 && leftSet):
		// The writer restores its value, or it sets another value after someone
		// removed its value.
		x.revert(path, f, value, writer, f.value == 0)
		f.revertedWriter = f.setter
	case f.setter == int64(writer):
		f.steps++
		x.changeOwn(path, f, value, before)
		f.revertedWriter = -1
	default:
		f.revertedWriter = -1
	}
	f.removed = value == 0 && (x.w.how == HowMergePatch || x.w.how == HowJSONPatch)
	f.before, f.beforeKnown = f.value, true
	f.value, f.setter, f.at, f.instance, f.returned = value, int64(writer), x.w.at, x.w.instance, slices.Contains(mine, value)
	f.remember(writer, value)
}

// changeOwn counts a change of a value by the writer that set it. The change is
// a release if it clears the value, like the holder of a lock. It is a flap if
// before is set: the new value is the one before the last change.
func (x *analysis) changeOwn(path uint64, f *fieldState, value uint64, before bool) {
	if cleared(value) && !cleared(f.value) {
		x.path(path).releases++
	}
	if value == zeroReplicas || f.value == zeroReplicas {
		return // scaled to 0 and back
	}
	window := int64(flapWindow)
	if x.w.how == HowScale {
		window = scaleWindow
	}
	if !before || !x.flapCounts(path) || x.w.at-f.at > window {
		return
	}
	p := x.path(path)
	p.scales = p.scales || x.w.how == HowScale
	p.flaps++
	if f.returned {
		p.bothWays++
	}
	x.flapped = append(x.flapped, path)
	if p.instances == nil {
		p.instances = map[uint64]uint8{}
	}
	for _, s := range [...]struct {
		value    uint64
		instance uint8
	}{{value, x.w.instance}, {f.value, f.instance}} {
		if known, ok := p.instances[s.value]; ok && known != s.instance {
			p.mixed = true
		}
		p.instances[s.value] = s.instance
	}
}

// learn records the value of a field after writes with unknown fields. The
// writer of the value is unknown.
func (x *analysis) learn(path, value uint64) {
	f := x.field(path)
	if f.known && f.value == value {
		return
	}
	f.known, f.value, f.at, f.setter, f.revertedWriter = true, value, x.w.at, -1, -1
	f.beforeKnown, f.removed = false, false
}

// flapCounts reports whether a flap of the current writer counts. Flaps of
// components of Kubernetes do not count, except for scaling, because their
// values follow the state of the cluster.
func (x *analysis) flapCounts(path uint64) bool {
	return path != wholePath && (x.w.how == HowScale || !partOfKubernetes(x.writer(x.w.writer).User))
}

func (x *analysis) path(path uint64) *pathFight {
	p := x.paths[path]
	if p == nil {
		p = &pathFight{by: map[uint32]int64{}}
		x.paths[path] = p
	}
	return p
}

// revert counts a reversal of a field by the current write. firm is explained
// at pathFight.firm.
func (x *analysis) revert(path uint64, f *fieldState, value uint64, writer uint32, firm bool) {
	p := x.path(path)
	p.reversals++
	p.by[writer]++
	if firm {
		p.firm++
	}
	p.answers = append(p.answers, answer{x.w.at - f.at, value, writer, x.w.how, x.w.flags, firm})
	if f.setter >= 0 {
		x.addLost(uint32(f.setter), path)
	}
	if n := len(x.turns); n > 0 && x.turns[n-1].writer == writer && x.turns[n-1].at == x.w.at {
		x.turns[n-1].paths = append(x.turns[n-1].paths, path)
		return
	}
	how := x.w.how
	if x.writer(writer).Webhook {
		how = HowWebhook
	}
	x.turns = append(x.turns, reversal{x.w.at, writer, how, evidence(x.w), []uint64{path}})
}

// addLost records that another writer reverted a field of this writer.
func (x *analysis) addLost(writer uint32, path uint64) {
	if x.lostFields[writer] == nil {
		x.lostFields[writer] = map[uint64]bool{}
	}
	x.lostFields[writer][path] = true
}

// countHooked counts reversals by webhooks that the resulting object does not
// show. In such a request, a client removes or changes a field and a webhook
// restores it, so that the field keeps its value.
func (x *analysis) countHooked(w *observation, has bool, hooks []hookState) {
	if !has || w.kind != kindFull {
		return
	}
	for _, h := range hooks {
		for _, l := range h.leaves {
			f := x.field(l.path)
			if !f.known || f.value != l.value || f.at == w.at && f.setter == int64(h.writer) {
				continue // the change is visible and was counted
			}
			if f.setter != int64(h.writer) {
				f.setter, f.at = int64(h.writer), w.at
				continue
			}
			if w.at-f.at <= x.t.Window {
				x.path(l.path).hooked = true
				x.revert(l.path, f, l.value, h.writer, true)
				x.addLost(w.writer, l.path)
			}
			f.at = w.at
		}
	}
}

// foughtFields returns the fields that several writers revert often enough.
func (x *analysis) foughtFields() []uint64 {
	var out []uint64
	for path, p := range x.paths {
		enough := int64(x.t.MinReversals)
		if !slices.ContainsFunc(p.answers, func(a answer) bool { return !person(x.writer(a.writer)) }) {
			enough *= 2 // people try things several times, or change their minds
		}
		switch {
		case p.reversals < enough, len(p.by) < 2 && !p.hooked:
		case p.firm < enough && p.reversals < 2*enough:
		case p.reversals <= 2*p.releases, x.served(path, p), x.phases(p), x.progresses(path, p):
		default:
			out = append(out, path)
		}
	}
	return out
}

// flappingFields returns the fields that a single writer reverts often enough.
func (x *analysis) flappingFields() []uint64 {
	var out []uint64
	for path, p := range x.paths {
		enough := int64(x.t.MinReversals)
		if p.scales {
			enough *= turnsFactor // the load can rise and fall a few times without a fight
		}
		if p.flaps >= enough && 3*p.bothWays >= p.flaps && (p.releases == 0 || p.processPerValue()) {
			out = append(out, path)
		}
	}
	return out
}
