package contention

import (
	"slices"
	"strings"
)

// program has the properties of a client in a log, except for its addresses.
type program struct{ user, agent, manager string }

// identify replaces all writers that are one program by the first of them in
// writes. A delete has no field manager, so it belongs to the first writer with
// its user and agent. All subcommands of kubectl count as one manager.
func (c *Collector) identify(writes []observation) {
	first := map[program]uint32{}
	is := func(p program, id uint32) uint32 {
		if known, ok := first[p]; ok {
			return known
		}
		first[p] = id
		return id
	}
	for i := range writes {
		if w := &writes[i]; w.how != HowDelete {
			x := &c.writers[w.writer]
			p := program{x.User, x.Agent, x.Manager}
			if x.Agent == "kubectl" && strings.HasPrefix(x.Manager, "kubectl") {
				p.manager = "kubectl"
			}
			w.writer = is(p, w.writer)
			is(program{x.User, x.Agent, unknownManager}, w.writer)
		}
	}
	for i := range writes {
		if w := &writes[i]; w.how == HowDelete {
			x := &c.writers[w.writer]
			w.writer = is(program{x.User, x.Agent, unknownManager}, w.writer)
		}
	}
}

// unknownManager is the manager of a delete. A field manager cannot contain
// this control character.
const unknownManager = "\x00"

// interactive are the programs that people use.
var interactive = []string{"kubectl", "oc", "k9s", "Lens", "OpenLens", "Mozilla"}

// person reports whether a writer seems to be a person at a terminal or a
// dashboard.
func person(w *Writer) bool {
	name, _, _ := strings.Cut(w.Agent, " ")
	return !strings.HasPrefix(w.User, "system:") && slices.Contains(interactive, name)
}
