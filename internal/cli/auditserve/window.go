package auditserve

import (
	"crypto/sha256"
	"encoding/binary"
	"time"

	"github.com/kubevet/kubevet/auditlog"
)

const (
	// windowEvents and windowTime limit one generation of a window. An API server sends a
	// batch again for a few minutes at most.
	windowEvents = 1 << 19
	windowTime   = 10 * time.Minute
)

// window has the IDs of the last events, so that an event that is sent again is not counted
// twice. It has at least the events of the last windowTime, or the last windowEvents events
// if these are fewer. The zero value is empty.
type window struct {
	now, before map[uint64]struct{}
	begun       time.Time // start of the generation now
}

// eventKey returns a key that identifies an event. Clients may choose the audit ID of a
// request. So the key also depends on the times, which the server sets. buf is a buffer
// that eventKey may overwrite. grown is the buffer to pass to the next call.
func eventKey(e *auditlog.Event, buf []byte) (key uint64, grown []byte) {
	buf = append(e.AuditID.AppendTo(buf[:0]), 0, byte(e.Stage))
	buf = append(e.Received.AppendTo(buf), 0)
	buf = e.Stamp.AppendTo(buf)
	sum := sha256.Sum256(buf)
	return binary.LittleEndian.Uint64(sum[:]), buf
}

// has reports whether the window has an event.
func (w *window) has(key uint64) bool {
	if _, ok := w.now[key]; ok {
		return true
	}
	_, ok := w.before[key]
	return ok
}

// add adds events. at is the current time.
func (w *window) add(keys []uint64, at time.Time) {
	if w.now == nil || len(w.now) >= windowEvents || at.Sub(w.begun) >= windowTime {
		w.before, w.now, w.begun = w.now, map[uint64]struct{}{}, at
	}
	for _, k := range keys {
		w.now[k] = struct{}{}
	}
}

// encode returns the keys of all events, eight bytes each.
func (w *window) encode() []byte {
	out := make([]byte, 0, 8*(len(w.before)+len(w.now)))
	for _, m := range []map[uint64]struct{}{w.before, w.now} {
		for k := range m {
			out = binary.LittleEndian.AppendUint64(out, k)
		}
	}
	return out
}

// decode sets the window to the events of an earlier encode. at is the current time.
func (w *window) decode(data []byte, at time.Time) {
	*w = window{now: map[uint64]struct{}{}, begun: at}
	for ; len(data) >= 8; data = data[8:] {
		w.now[binary.LittleEndian.Uint64(data)] = struct{}{}
	}
}
