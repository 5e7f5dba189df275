package contention

import (
	"cmp"
	"maps"
	"slices"

	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/auditlog/tally"
)

// Requests that change nothing show what a program wants. Programs such as Flux try an apply by a
// dry run, and apply only if that changes something. After a dry run without a write, the program
// accepted the other writers' changes. An update that the server refuses because of its version
// shows which version the program had read when it decided to write.

// look is a dry run, or an update that was refused by a conflict.
type look struct {
	at     int64
	writer uint32
	// refused is the version that a refused update is based on; 0 for a dry run.
	refused uint64
}

// lookAt is a look that is passed from a worker to the collector.
type lookAt struct {
	object  uint64
	writer  *knownWriter
	at      int64
	refused uint64
}

// look records a dry run, or an update whose version was refused.
func (w *worker) look(e *auditlog.Event, how How, at int64, q *tally.Query, refused uint64) {
	if how != HowPatch && how != HowUpdate {
		return
	}
	var r write
	names := len(w.names)
	w.walk.status = e.Ref.Subresource.Is("status")
	w.identify(e, &r)
	w.names = w.names[:names]
	w.part.looks = append(w.part.looks, lookAt{r.object, w.writer(e, q), at, refused})
}

// looks has the looks of each object.
type looks struct {
	byObject map[uint64][]look
	n        int
}

// maxLooks is the maximum number of looks of a collector. Later ones are dropped.
const maxLooks = 1 << 18

// add adds a look.
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

// settle sorts the looks and removes copies.
func (l *looks) settle() {
	l.n = 0
	for object, list := range l.byObject {
		slices.SortFunc(list, func(a, b look) int {
			return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.writer, b.writer), cmp.Compare(a.refused, b.refused))
		})
		list = slices.Compact(list)
		l.byObject[object] = list
		l.n += len(list)
	}
}

// merge adds the looks of another collector, whose writers have other numbers.
func (l *looks) merge(o *looks, writers []uint32) {
	for _, object := range slices.Sorted(maps.Keys(o.byObject)) {
		for _, x := range o.byObject[object] {
			if writers[x.writer] != noWriter {
				l.add(object, look{x.at, writers[x.writer], x.refused})
			}
		}
	}
}

// applying is the maximum time, in microseconds, between a dry run and its apply: a program first
// tries all objects of a release.
const applying = 120e6

// tolerates reports whether a writer tried a write after a write of another writer, and then did
// not write. of selects the writes of both.
func (c *Collector) tolerates(o *object, writes []observation, of func(*observation) bool, p *party) bool {
	for _, x := range c.looks.byObject[o.key()] {
		if x.refused != 0 || !c.sameProgram(x.writer, p.writer) {
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

// retries reports whether a write repeats a refused one, so that its writer decided on it before
// another writer's last write: both are based on the same version. Then it is not an answer to that
// write.
func (c *Collector) retries(o *object, w, other *observation) bool {
	if other.flags&flagStated == 0 {
		return false
	}
	return slices.ContainsFunc(c.looks.byObject[o.key()], func(x look) bool {
		return x.refused != 0 && x.refused <= other.version && x.at >= other.at-maxSkew && x.at <= w.at+maxSkew && c.sameProgram(x.writer, w.writer)
	})
}

// sameProgram reports whether two writers are one program of one user.
func (c *Collector) sameProgram(a, b uint32) bool {
	x, y := &c.writers[a], &c.writers[b]
	return x.User == y.User && x.Agent == y.Agent
}
