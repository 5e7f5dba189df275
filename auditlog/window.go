package auditlog

import (
	"errors"
	"io"
)

// window is the part of a stream that is in memory. It begins with the first
// byte that is still needed, and ends with the last byte that was read.
type window struct {
	r     io.Reader
	buf   []byte
	start int   // offset in buf of the first byte that is needed
	off   int64 // offset of buf[start] in the stream
	err   error // error that ended reading; io.EOF at the end
}

// blockSize is the number of bytes in a block.
const blockSize = 1 << 18

// wholeWindow returns a window for a text that is in memory.
func wholeWindow(text []byte) *window { return &window{buf: text, err: io.EOF} }

// bytes returns the text in memory.
func (w *window) bytes() []byte { return w.buf[w.start:] }

// drop removes the first n bytes.
func (w *window) drop(n int) {
	w.start += n
	w.off += int64(n)
}

// more reads more of the stream. It returns false at the end of the stream, or
// if reading fails.
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

// failure returns the error that ended reading. It returns nil at the end of
// the stream.
func (w *window) failure() error {
	if errors.Is(w.err, io.EOF) {
		return nil
	}
	return w.err
}
