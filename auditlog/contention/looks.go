package contention

import (
	"cmp"
	"maps"
	"slices"

	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/auditlog/tally"
)

// Programs such as Flux try an apply by a dry run, and apply only if that changes
// something. A dry run without a write shows that the program leaves the object as
// the others wrote it.

// look is a dry run.
type look struct {
	at     int64
	writer uint32
}

// lookAt is a dry run on its way from a worker to the collector.
type lookAt struct {
	object uint64
	writer *knownWriter
	at     int64
}

// look notes a dry run.
func (w *worker) look(e *auditlog.Event, how How, at int64, q *tally.Query) {
	if how != HowPatch && how != HowUpdate {
		return
	}
	var r write
	names := len(w.names)
	w.walk.status = e.Ref.Subresource.Is("status")
	w.identify(e, &r)
	w.names = w.names[:names]
	w.part.looks = append(w.part.looks, lookAt{r.object, w.writer(e, q), at})
}

// looks are the dry runs by object.
type looks struct {
	byObject map[uint64][]look
	n        int
}

// maxLooks bounds the dry runs that a collector keeps. Later ones are left out.
const maxLooks = 1 << 18

// add adds a dry run.
func (l *looks) add(object uint64, x look) {
	if l.n >= maxLooks {
		if l.settle(); l.n >= maxLooks {
			return
		}
	}
	if l.byObject == nil {
		l.byObject = map[uint64][]look{}
	}
	l.byObject[object] = append(l.byObject[object], x)
	l.n++
}

// settle sorts the dry runs and removes copies.
func (l *looks) settle() {
	l.n = 0
	for object, list := range l.byObject {
		slices.SortFunc(list, func(a, b look) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.writer, b.writer)) })
		list = slices.Compact(list)
		l.byObject[object] = list
		l.n += len(list)
	}
}

// merge adds the dry runs of another collector, whose writers have other numbers.
func (l *looks) merge(o *looks, writers []uint32) {
	for _, object := range slices.Sorted(maps.Keys(o.byObject)) {
		for _, x := range o.byObject[object] {
			if writers[x.writer] != noWriter {
				l.add(object, look{x.at, writers[x.writer]})
			}
		}
	}
}

// applying is the time, in microseconds, within which a program applies what it
// tried: it first tries all objects of a release.
const applying = 120e6

// tolerates reports whether a writer tried a write after another one had written,
// and then did not write. of has the writes of both.
func (c *Collector) tolerates(o *object, writes []observation, of func(*observation) bool, p *party) bool {
	for _, x := range c.looks.byObject[o.key()] {
		if !c.sameProgram(x.writer, p.writer) {
			continue
		}
		n, _ := slices.BinarySearchFunc(writes, x.at, func(w observation, at int64) int { return cmp.Compare(w.at, at) })
		before, after := n-1, n
		for before >= 0 && !of(&writes[before]) {
			before--
		}
		for after < len(writes) && !of(&writes[after]) {
			after++
		}
		switch {
		case before < 0 || after == len(writes) || writes[before].writer == p.writer:
		case writes[after].writer != p.writer || writes[after].at-x.at > applying:
			return true
		}
	}
	return false
}

// sameProgram reports whether two writers are one program of one user.
func (c *Collector) sameProgram(a, b uint32) bool {
	x, y := &c.writers[a], &c.writers[b]
	return x.User == y.User && x.Agent == y.Agent
}
