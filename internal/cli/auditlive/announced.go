package auditlive

import (
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"

	"github.com/kubevet/kubevet/internal/auditreport"
)

// maxAnnounced is the maximal number of announced findings in memory. After that, new
// findings are not announced.
const maxAnnounced = 1 << 17

// Announced is the set of findings that were announced. The zero value is an empty set.
type Announced struct {
	keys map[uint64]struct{}
}

// New returns the findings of a document that were not announced before. It adds them to
// the set.
func (a *Announced) New(d *auditreport.Document) []auditreport.News {
	var out []auditreport.News
	for _, n := range d.News() {
		if a.add(n.Key) {
			out = append(out, n)
		}
	}
	return out
}

// add adds a key to the set and reports whether it was new.
func (a *Announced) add(key string) bool {
	sum := sha256.Sum256([]byte(key))
	k := binary.LittleEndian.Uint64(sum[:])
	if _, known := a.keys[k]; known || len(a.keys) >= maxAnnounced {
		return false
	}
	if a.keys == nil {
		a.keys = map[uint64]struct{}{}
	}
	a.keys[k] = struct{}{}
	return true
}

// Keys returns the set in the form that Restore takes.
func (a *Announced) Keys() []uint64 { return slices.Sorted(maps.Keys(a.keys)) }

// Restore replaces the set by the result of an earlier Keys.
func (a *Announced) Restore(keys []uint64) {
	a.keys = map[uint64]struct{}{}
	for _, k := range keys[:min(len(keys), maxAnnounced)] {
		a.keys[k] = struct{}{}
	}
}
