package auditlive

import (
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"

	"github.com/kubevet/kubevet/internal/auditreport"
)

// maxAnnounced bounds the findings that are remembered as announced. Further ones are
// not announced.
const maxAnnounced = 1 << 17

// Announced remembers which findings were announced. The zero value has none.
type Announced struct {
	keys map[uint64]struct{}
}

// New returns the findings of a document that were not announced before, and remembers
// them.
func (a *Announced) New(d *auditreport.Document) []auditreport.News {
	var out []auditreport.News
	for _, n := range d.News() {
		if a.add(n.Key) {
			out = append(out, n)
		}
	}
	return out
}

// add remembers a key and reports whether it is new.
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

// Keys returns the data for Restore.
func (a *Announced) Keys() []uint64 { return slices.Sorted(maps.Keys(a.keys)) }

// Restore remembers the findings that Keys returned.
func (a *Announced) Restore(keys []uint64) {
	a.keys = map[uint64]struct{}{}
	for _, k := range keys[:min(len(keys), maxAnnounced)] {
		a.keys[k] = struct{}{}
	}
}
