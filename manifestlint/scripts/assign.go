package scripts

import (
	"mvdan.cc/sh/v3/syntax"
)

// assign follows an assignment.
func (w *walker) assign(a *syntax.Assign, e *env) {
	if a.Value != nil {
		w.substitutions(a.Value, e)
	}
	if a.Array != nil {
		w.substitutions(a.Array, e)
	}
	if a.Name == nil || a.Naked {
		return
	}
	name := a.Name.Value
	if a.Index != nil {
		e.vars[name] = unknownVariable()
		return
	}
	v := &variable{}
	before := e.vars[name]
	for _, choice := range w.worlds(e, a) {
		value := w.assigned(a, e, choice)
		if !a.Append {
			v.add(value)
			continue
		}
		if before == nil {
			v.open = true
			v.add(grow([]text{{s: anyWords, spans: []span{{}}}}, value, a.Array != nil))
			continue
		}
		for i, had := range before.alts {
			if n, ok := choice[name]; ok && n != i {
				continue
			}
			v.add(grow(had, value, a.Array != nil))
		}
		v.open = v.open || before.open
	}
	e.vars[name] = v
}

// assigned gives the value that is assigned.
func (w *walker) assigned(a *syntax.Assign, e *env, choice world) []text {
	if a.Array == nil {
		t := w.join(a.Value, e, choice).keep()
		if t.cost() > maxText {
			return []text{made(hole, t.all())}
		}
		return []text{t}
	}
	var all []text
	for _, elem := range a.Array.Elems {
		if elem.Index != nil {
			return []text{made(anyWords, w.of(a).all())} // an associative array
		}
		for _, f := range w.fields(elem.Value, e, choice) {
			all = append(all, f.keep())
			if len(all) > maxWords {
				return []text{made(anyWords, w.of(a).all())}
			}
		}
	}
	return all
}

// grow appends to a value.
func grow(had, more []text, array bool) []text {
	if array {
		return append(had[:len(had):len(had)], more...)
	}
	if len(had) == 0 || len(more) == 0 {
		return append(had[:len(had):len(had)], more...)
	}
	t := had[0].plus(more[0])
	if t.cost() > maxText {
		t = made(hole, t.all())
	}
	return append([]text{t}, had[1:]...)
}
