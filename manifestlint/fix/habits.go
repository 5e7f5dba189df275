package fix

// habits count how a document is written: by how many columns maps in maps are
// indented, and lists in maps, and how often each quote is used.
type habits struct {
	steps, dashes  [9]int
	single, double int
}

// tally counts a value, or with -1 takes it out of the count.
func (l *layout) tally(n *node, by int) {
	switch n.quote {
	case '\'':
		l.single += by
	case '"':
		l.double += by
	}
	for i := range n.entries {
		l.tallyEntry(n, &n.entries[i], by)
	}
}

// tallyEntry is tally for an entry of a collection.
func (l *layout) tallyEntry(n *node, e *entry, by int) {
	v := e.value
	if !n.flow && n.shape == mapping && !v.flow && len(v.entries) > 0 && l.lineOf(v.body) > l.lineOf(e.start) {
		column := e.start - l.lineStart(e.start)
		if d := v.body - l.lineStart(v.body) - column; d >= 0 && d < len(l.steps) {
			if v.shape == mapping {
				l.steps[d] += by
			} else {
				l.dashes[d] += by
			}
		}
	}
	l.tally(v, by)
}

// settle takes up the habits that the count shows.
func (l *layout) settle() {
	l.step, l.dash, l.quote = 2, 0, '"'
	if l.single > l.double {
		l.quote = '\''
	}
	if most := most(l.steps[1:]) + 1; l.steps[most] > 0 {
		l.step = most
	}
	if most := most(l.dashes[:]); l.dashes[most] > 0 {
		l.dash = most
	}
}

// most gives the index of the greatest number, of equal ones the first.
func most(counts []int) int {
	best := 0
	for i, n := range counts {
		if n > counts[best] {
			best = i
		}
	}
	return best
}
