package contention

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Report returns the fights in the collected writes.
func (c *Collector) Report(t Thresholds) Report {
	t = t.Effective()
	c.settle()
	r := Report{Forgotten: c.forgotten + c.singles.forgotten, Unread: c.unread, Writes: int64(c.singles.len())}
	objects := slices.Collect(maps.Values(c.objects))
	c.singles.all(func(_ uint64, x *singleObject) bool {
		hooked, stated := false, false
		for _, w := range x.writes {
			hooked = hooked || w.hooks != 0
			stated = stated || w.state != 0
		}
		switch {
		case len(x.writes) > t.MinReversals && (hooked || stated):
			o, _, unread := c.fromSingle(x)
			r.Unread += unread
			r.Writes -= int64(len(x.writes))
			objects = append(objects, o)
		case hooked:
			r.Objects++
		}
		return true
	})
	slices.SortFunc(objects, func(a, b *object) int { return compareObjects(a.Object, b.Object) })
	for _, o := range objects {
		r.Writes += int64(len(o.writes))
		if o.several() {
			r.Objects++
		}
		f, undecided := c.fightsOver(o, t)
		r.Fights = append(r.Fights, f...)
		if undecided {
			r.Undecided++
		}
		if l := o.left; l != nil && !c.cleaned(o) {
			r.Leftovers = append(r.Leftovers, Leftover{
				Object: o.Object, Manager: l.manager, Update: l.update, Writer: c.writers[l.writer], Fields: l.fields, FieldsLeft: l.more,
				Last: l.at, At: c.place(l.input, l.line),
			})
		}
	}
	slices.SortStableFunc(r.Fights, func(a, b Fight) int {
		return cmp.Or(compareBool(a.Self, b.Self), cmp.Compare(b.Evidence, a.Evidence), compareBool(b.Ongoing, a.Ongoing), cmp.Compare(b.Reversals, a.Reversals), compareObjects(a.Object, b.Object))
	})
	return r
}

// cleaned reports whether a later apply of the manager that had left something
// over found nothing any more.
func (c *Collector) cleaned(o *object) bool {
	l := o.left
	for i := len(o.writes) - 1; i >= 0; i-- {
		w := &o.writes[i]
		if w.at < l.at {
			return false
		}
		applies := w.how == HowApply || w.how == HowForcedApply
		if applies && w.flags&flagAnswer != 0 && c.writers[w.writer].Manager == l.manager && (w.at > l.at || w.id > l.id) {
			return true
		}
	}
	return false
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

// compareObjects orders objects by group, resource, namespace and name.
func compareObjects(a, b Object) int {
	return cmp.Or(strings.Compare(a.Group, b.Group), strings.Compare(a.Resource, b.Resource), strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name))
}

// place returns the position of an event.
func (c *Collector) place(input, line uint32) Place { return Place{c.inputs[input], int(line)} }

// fightsOver returns the fights over one object.
func (c *Collector) fightsOver(o *object, t Thresholds) (out []Fight, undecided bool) {
	if len(o.writes) <= t.MinReversals {
		return nil, false
	}
	writes := ordered(o.writes)
	x := &war{
		o: o, t: t, fields: map[uint64]*fieldState{}, paths: map[uint64]*pathFight{}, loser: map[uint32]map[uint64]bool{},
		webhook:  func(w uint32) bool { return c.writers[w].Webhook },
		follows:  func(w uint32) bool { return partOfKubernetes(c.writers[w].User) },
		metadata: func(p uint64) bool { return strings.HasPrefix(c.paths[p].text, "metadata.") },
	}
	x.fight(writes)
	if paths := x.fought(); len(paths) > 0 {
		out = append(out, c.newFight(o, x, writes, paths, x.turns, false))
	} else if paths := x.flapping(); len(paths) > 0 {
		out = append(out, c.newFight(o, x, writes, paths, x.flaps, true))
	} else {
		var f *Fight
		if f, undecided = c.turns(o, writes, t); f != nil {
			out = append(out, *f)
		}
	}
	return out, undecided
}
