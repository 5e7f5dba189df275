package scripts

import "maps"

// env is what is known where a statement stands.
type env struct {
	vars map[string]*variable
	// params are the positional parameters, if they are known.
	params []text
	known  bool
	// files are what was written to files, by their names; aliases are the
	// texts of aliases.
	files   map[string]text
	aliases map[string]text
}

func newEnv() *env {
	return &env{vars: map[string]*variable{}, files: map[string]text{}, aliases: map[string]text{}}
}

// clone gives a copy. Variables are values: a change replaces them.
func (e *env) clone() *env {
	return &env{maps.Clone(e.vars), e.params, e.known, maps.Clone(e.files), maps.Clone(e.aliases)}
}

// variable is what a variable may hold.
type variable struct {
	// alts are the values that it may have. A scalar is a list of one.
	alts [][]text
	// open says that it may have others, too, or not be set.
	open bool
	// overflow says that some of alts were left out.
	overflow bool
}

func unknownVariable() *variable {
	return &variable{alts: [][]text{{{s: hole, spans: []span{{}}}}}, open: true}
}

// add adds a value, unless it has that already.
func (v *variable) add(value []text) {
	for _, had := range v.alts {
		if sameTexts(had, value) {
			return
		}
	}
	if len(v.alts) >= maxAlts {
		v.overflow, v.open = true, true
		return
	}
	v.alts = append(v.alts, value)
}

func sameTexts(a, b []text) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].s != b[i].s || a[i].all() != b[i].all() {
			return false
		}
	}
	return true
}

// merge makes the env what it is behind branches of which one was taken, or
// perhaps none unless they are closed.
func (e *env) merge(ends []*env, closed bool) {
	if closed && len(ends) > 0 {
		*e = *ends[0]
		ends = ends[1:]
	}
	for _, end := range ends {
		e.join(end)
	}
}

// join makes the env what it is if another one may hold as well.
func (e *env) join(o *env) {
	for name, there := range o.vars {
		here, ok := e.vars[name]
		if ok && here == there {
			continue
		}
		joined := &variable{open: there.open || !ok || here.open}
		if ok {
			for _, value := range here.alts {
				joined.add(value)
			}
		}
		for _, value := range there.alts {
			joined.add(value)
		}
		e.vars[name] = joined
	}
	for name, here := range e.vars {
		if _, ok := o.vars[name]; !ok && !here.open {
			e.vars[name] = &variable{alts: here.alts, open: true}
		}
	}
	for name, t := range o.files {
		e.files[name] = t
	}
	for name, t := range o.aliases {
		e.aliases[name] = t
	}
}
