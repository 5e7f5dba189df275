package contention

import (
	"cmp"
	"maps"
	"slices"

	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/auditlog/tally"
)

// Attempts are requests that change nothing, but show what a program wants:
//
//   - A program such as Flux first sends an apply as a dry run. If the program
//     does not apply the object afterwards, it accepts the changes of other
//     writers.
//   - If the server refuses an update because of its version, this version
//     shows which state the program had read.

// attempt is a dry run, or an update that the server refused because of its
// version.
type attempt struct {
	at     int64
	writer uint32
	// refused is the version in a refused update; 0 for a dry run.
	refused uint64
}

// sentAttempt is an attempt that a worker passes to the collector, with its object.
type sentAttempt struct {
	object  uint64
	writer  *knownWriter
	at      int64
	refused uint64
}

// attempt records a dry run, or an update that was refused because of its version.
func (w *worker) attempt(e *auditlog.Event, how How, at int64, q *tally.Query, refused uint64) {
	if how != HowPatch && how != HowUpdate {
		return
	}
	var r write
	names := len(w.names)
	w.walk.status = e.Ref.Subresource.Is("status")
	w.identify(e, &r)
	w.names = w.names[:names]
	w.part.attempts = append(w.part.attempts, sentAttempt{r.object, w.writer(e, q), at, refused})
}

// attempts has the attempts of each object.
type attempts struct {
	byObject map[uint64][]attempt
	n        int
}

// maxAttempts is the largest number of attempts in a collector. Later attempts are
// dropped.
const maxAttempts = 1 << 18

// add adds an attempt.
func (l *attempts) add(object uint64, x attempt) {
	if l.n >= maxAttempts {
		if l.settle(); l.n >= maxAttempts {
			return
		}
	}
	if l.byObject == nil {
		l.byObject = map[uint64][]attempt{}
	}
	l.byObject[object] = append(l.byObject[object], x)
	l.n++
}

// settle sorts the attempts and removes copies.
func (l *attempts) settle() {
	l.n = 0
	for object, list := range l.byObject {
		slices.SortFunc(list, func(a, b attempt) int {
			return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.writer, b.writer), cmp.Compare(a.refused, b.refused))
		})
		list = slices.Compact(list)
		l.byObject[object] = list
		l.n += len(list)
	}
}

// merge adds the attempts of another collector. writers has the new number for
// each number of a writer in the other collector.
func (l *attempts) merge(o *attempts, writers []uint32) {
	for _, object := range slices.Sorted(maps.Keys(o.byObject)) {
		for _, x := range o.byObject[object] {
			if writers[x.writer] != noWriter {
				l.add(object, attempt{x.at, writers[x.writer], x.refused})
			}
		}
	}
}

// longestRelease is the longest time between a dry run and its apply, in
// microseconds. Programs need this time because they first send dry runs for
// all objects of a release.
const longestRelease = 120e6

// acceptsChange reports whether the writer p saw a change of the other writer
// and did not revert it. p sent a dry run after the change. The next write is
// by the other writer, or comes more than longestRelease after the dry run.
// isTurn selects the writes of the two writers.
func (c *Collector) acceptsChange(o *object, writes []observation, isTurn func(*observation) bool, p *party) bool {
	for _, x := range c.attempts.byObject[o.key()] {
		if x.refused != 0 || !c.sameProgram(x.writer, p.writer) {
			continue
		}
		n, _ := slices.BinarySearchFunc(writes, x.at, func(w observation, at int64) int { return cmp.Compare(w.at, at) })
		before, after := n-1, n
		for before >= 0 && !isTurn(&writes[before]) {
			before--
		}
		for after < len(writes) && !isTurn(&writes[after]) {
			after++
		}
		switch {
		case before < 0 || after == len(writes) || writes[before].writer == p.writer:
		case writes[after].writer != p.writer || writes[after].at-x.at > longestRelease:
			return true
		}
	}
	return false
}

// retries reports whether w repeats an update that the server refused because
// of its version. The refused update was based on the object before the write
// other. So the writer of w decided to write before it could see other, and w
// is not a response to other.
func (c *Collector) retries(o *object, w, other *observation) bool {
	if other.flags&flagStated == 0 {
		return false
	}
	return slices.ContainsFunc(c.attempts.byObject[o.key()], func(x attempt) bool {
		return x.refused != 0 && x.refused <= other.version && x.at >= other.at-maxSkew && x.at <= w.at+maxSkew && c.sameProgram(x.writer, w.writer)
	})
}

// dryRuns returns the number of dry runs by a writer's program. A program that
// sends more dry runs than writes compares the object with its desired state at
// intervals.
func (c *Collector) dryRuns(o *object, writer uint32) (n int) {
	for _, x := range c.attempts.byObject[o.key()] {
		if x.refused == 0 && c.sameProgram(x.writer, writer) {
			n++
		}
	}
	return n
}

// sameProgram reports whether two writers are one program of one user.
func (c *Collector) sameProgram(a, b uint32) bool {
	x, y := &c.writers[a], &c.writers[b]
	return x.User == y.User && x.Agent == y.Agent
}
