package auditserve

import (
	"crypto/sha256"
	"encoding/binary"
	"time"

	"github.com/kubevet/kubevet/auditlog"
)

const (
	// windowEvents and windowTime bound a generation of a window. API servers resend
	// a batch for a few minutes at most.
	windowEvents = 1 << 19
	windowTime   = 10 * time.Minute
)

// window remembers the last events, so that events that are sent again do not count
// twice: at least those of the last windowTime, or the last windowEvents. The zero
// value is empty.
type window struct {
	now, before map[uint64]struct{}
	begun       time.Time // of now
}

// eventKey identifies an event. Clients may choose the audit ID of a request, so the key
// has also the times, which the server sets.
func eventKey(e *auditlog.Event, buf []byte) (key uint64, grown []byte) {
	buf = append(e.AuditID.AppendTo(buf[:0]), 0, byte(e.Stage))
	buf = append(e.Received.AppendTo(buf), 0)
	buf = e.Stamp.AppendTo(buf)
	sum := sha256.Sum256(buf)
	return binary.LittleEndian.Uint64(sum[:]), buf
}

// has reports whether an event is remembered.
func (w *window) has(key uint64) bool {
	if _, ok := w.now[key]; ok {
		return true
	}
	_, ok := w.before[key]
	return ok
}

// add remembers events. at is the current time.
func (w *window) add(keys []uint64, at time.Time) {
	if w.now == nil || len(w.now) >= windowEvents || at.Sub(w.begun) >= windowTime {
		w.before, w.now, w.begun = w.now, map[uint64]struct{}{}, at
	}
	for _, k := range keys {
		w.now[k] = struct{}{}
	}
}

// encode returns the remembered events, eight bytes each.
func (w *window) encode() []byte {
	out := make([]byte, 0, 8*(len(w.before)+len(w.now)))
	for _, m := range []map[uint64]struct{}{w.before, w.now} {
		for k := range m {
			out = binary.LittleEndian.AppendUint64(out, k)
		}
	}
	return out
}

// decode remembers the events that encode returned. at is the current time.
func (w *window) decode(data []byte, at time.Time) {
	*w = window{now: map[uint64]struct{}{}, begun: at}
	for ; len(data) >= 8; data = data[8:] {
		w.now[binary.LittleEndian.Uint64(data)] = struct{}{}
	}
}
