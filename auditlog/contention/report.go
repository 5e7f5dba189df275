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
	c.attempts.settle()
	known := c.clock.versions()
	r := Report{Forgotten: c.forgotten + c.singles.forgotten, Unread: c.unread, Writes: int64(c.singles.len())}
	objects := slices.Collect(maps.Values(c.objects))
	var made []uint64 // keys of objects that a single writer created several times
	c.singles.all(func(key uint64, x *singleObject) bool {
		hooked, stated, creates := false, false, 0
		for _, w := range x.writes {
			hooked = hooked || w.hooks != 0
			stated = stated || w.state != 0
			if w.how == HowCreate || w.flags&flagMade != 0 {
				creates++
			}
		}
		if creates > t.MinReversals && !hooked && !stated {
			made = append(made, key)
		}
		switch {
		case len(x.name) == 0, len(x.writes) > t.MinReversals && (hooked || stated):
			o, _, unread := c.fromSingle(x)
			r.Unread += unread
			r.Writes -= int64(len(x.writes))
			objects = append(objects, o)
		case hooked:
			r.Objects++
		}
		return true
	})
	deletes := collections(objects)
	for _, key := range made {
		x := c.singles.read(c.singles.find(key))
		at := c.scopes[x.writes[0].scope]
		if len(deletes[collection{at.group, at.resource, at.namespace}]) > 0 {
			o, _, _ := c.fromSingle(x)
			r.Writes -= int64(len(x.writes))
			objects = append(objects, o)
		}
	}
	slices.SortFunc(objects, func(a, b *object) int { return compareObjects(a.Object, b.Object) })
	for _, o := range objects {
		if o.Name == "" {
			continue
		}
		r.Writes += int64(len(o.writes))
		if o.several() {
			r.Objects++
		}
		f, open := c.fightsOver(o, deletes[collection{o.Group, o.Resource, o.Namespace}], &known, t)
		r.Fights = append(r.Fights, f...)
		if open != nil {
			r.Undecided++
			r.Turns = append(r.Turns, *open)
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
	slices.SortStableFunc(r.Turns, func(a, b Turns) int { return cmp.Compare(b.Turns, a.Turns) })
	r.Turns = r.Turns[:min(len(r.Turns), maxUndecided)]
	return r
}

// cleaned reports whether the leftovers are gone: a later apply by the same
// manager no longer found them.
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

// compareObjects compares two objects by group, resource, namespace and name.
func compareObjects(a, b Object) int {
	return cmp.Or(strings.Compare(a.Group, b.Group), strings.Compare(a.Resource, b.Resource), strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name))
}

// place returns the position of an event.
func (c *Collector) place(input, line uint32) Place { return Place{c.inputs[input], int(line)} }

// fightsOver returns the fights over one object, or turns that may be a fight.
// deletes are the deletes of the object's collection (see collections).
func (c *Collector) fightsOver(o *object, deletes []observation, known *versions, t Thresholds) ([]Fight, *Turns) {
	writes := withCollections(ordered(o.writes), deletes)
	if len(writes) <= t.MinReversals {
		return nil, nil
	}
	c.identify(writes)
	x := &analysis{
		o: o, t: t, fields: map[uint64]*fieldState{}, paths: map[uint64]*pathFight{}, lostFields: map[uint32]map[uint64]bool{},
		writer:   func(w uint32) *Writer { return &c.writers[w] },
		pathText: func(p uint64) string { return c.paths[p].text },
	}
	x.fight(writes)
	if strings.HasSuffix(o.Resource, statusOf) {
		return c.statusFight(o, x, writes), nil
	}
	if paths := x.foughtFields(); len(paths) > 0 {
		return []Fight{c.newFight(o, x, writes, paths, x.turns, false)}, nil
	}
	if paths := x.flappingFields(); len(paths) > 0 {
		if apart := x.sideBySide(paths); len(apart) > 0 {
			return []Fight{c.versionsFight(o, x, writes, apart)}, nil
		}
		return []Fight{c.newFight(o, x, writes, paths, x.flaps, true)}, nil
	}
	known.idle(writes)
	f, open := c.turns(o, writes, t)
	if f != nil {
		return []Fight{*f}, nil
	}
	return nil, open
}

// statusFight returns the fight over the fields of an object's status; nil if
// there is none. It leaves out fields that a single writer or a Kubernetes
// component reverts, because their values follow the state of the cluster.
func (c *Collector) statusFight(o *object, x *analysis, writes []observation) []Fight {
	paths := slices.DeleteFunc(x.foughtFields(), func(p uint64) bool {
		for w := range x.paths[p].by {
			if partOfKubernetes(c.writers[w].User) {
				return true
			}
		}
		return false
	})
	if len(paths) == 0 {
		return nil
	}
	return []Fight{c.newFight(o, x, writes, paths, x.turns, false)}
}
