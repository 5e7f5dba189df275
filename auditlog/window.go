package auditlog

import (
	"errors"
	"io"
)

// window is a stretch of a stream that is in memory: everything from the first
// byte that is still wanted to the last that was read.
type window struct {
	r     io.Reader
	buf   []byte
	start int   // first byte of buf that is wanted
	off   int64 // of buf[start] in the stream
	err   error // why no more comes; io.EOF at the end
}

// blockSize is how much of a stream is handed on at a time.
const blockSize = 1 << 20

// bytes returns the text in memory.
func (w *window) bytes() []byte { return w.buf[w.start:] }

// drop forgets the first n bytes.
func (w *window) drop(n int) {
	w.start += n
	w.off += int64(n)
}

// more reads on, behind what is in memory. It reports false at the end of the
// stream and where reading fails.
func (w *window) more() bool {
	if w.err != nil {
		return false
	}
	if w.start > 0 && cap(w.buf)-len(w.buf) < blockSize/2 {
		n := copy(w.buf, w.buf[w.start:])
		w.buf, w.start = w.buf[:n], 0
	}
	if cap(w.buf)-len(w.buf) < blockSize/2 {
		grown := make([]byte, len(w.buf), max(2*cap(w.buf), blockSize))
		copy(grown, w.buf)
		w.buf = grown
	}
	for range 100 {
		n, err := w.r.Read(w.buf[len(w.buf):cap(w.buf)])
		w.buf = w.buf[:len(w.buf)+n]
		w.err = err
		if n > 0 {
			return true
		}
		if err != nil {
			return false
		}
	}
	w.err = io.ErrNoProgress
	return false
}

// failure is why reading stopped, nil at the end of the stream.
func (w *window) failure() error {
	if errors.Is(w.err, io.EOF) {
		return nil
	}
	return w.err
}
