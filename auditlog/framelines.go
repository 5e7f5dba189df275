package auditlog

import (
	"bytes"
	"fmt"
	"io"
	"slices"
)

// lineFramer splits a stream into lines. It reads directly into the blocks, and
// copies only the line at the end of a block.
type lineFramer struct {
	w     *window
	carry []byte // the beginning of the next line
	off   int64  // offset of carry in the stream
	begun bool
	// escaped says how the lines are escaped.
	escaped escaping
	skip    bool // drop the rest of a line that is too long
}

func (f *lineFramer) next(b *block) error {
	b.reset()
	b.records, b.escaped = nil, f.escaped
	if !f.begun {
		// Begin with the text that newFramer read to recognise the format.
		f.begun = true
		f.off = f.w.off
		f.carry = append(f.carry, f.w.bytes()...)
	}
	b.off = f.off
	data := append(b.data, f.carry...)
	f.carry = f.carry[:0]
	tried := 0 // data[:tried] has no line break
	for {
		if f.skip {
			n := bytes.IndexByte(data, '\n')
			if n >= 0 {
				f.skip = false
				n++
			} else {
				n = len(data)
			}
			b.off += int64(n)
			data = append(data[:0], data[n:]...)
			tried = 0
		}
		if len(data) >= blockSize || f.w.err != nil {
			end := len(data)
			if f.w.err == nil {
				end = tried + bytes.LastIndexByte(data[tried:], '\n') + 1
				if end == tried {
					end = 0
				}
			}
			if end > 0 || f.w.err != nil {
				b.data = data[:end]
				f.carry = append(f.carry, data[end:]...)
				f.off = b.off + int64(end)
				if err := f.w.failure(); err != nil {
					return err
				}
				if f.w.err != nil {
					return io.EOF
				}
				return nil
			}
			tried = len(data)
			if len(data) > maxRecord {
				b.data, f.skip = data[:0], true
				b.bad = append(b.bad, Damage{Text: fmt.Sprintf("a line of more than %d MiB is left out", maxRecord>>20)})
				f.off = b.off + int64(len(data))
				return nil
			}
		}
		if cap(data)-len(data) < blockSize/4 {
			data = slices.Grow(data, max(blockSize+blockSize/4-len(data), len(data)))
		}
		n, err := io.ReadAtLeast(f.w.r, data[len(data):cap(data)], 1)
		data, f.w.err = data[:len(data)+n], err
	}
}
