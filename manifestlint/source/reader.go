package source

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// maxKeptBuffer is the largest buffer that a Reader keeps for the next file:
// one large file shall not fix the memory of the whole run.
const maxKeptBuffer = 4 << 20

// Reader reads inputs one after the other, with one buffer and few system
// calls. It keeps the directory of the last input open, so it is at its best
// with inputs in the order of Expand. The zero value is ready to use. A Reader
// is not safe for concurrent use; give each worker its own, and to each worker
// runs of inputs that stand together.
type Reader struct {
	buf []byte
	// in is the origin of which dir is the directory, below root.
	in        *origin
	root, dir folder
}

// Read returns the whole content of the input. The bytes are valid until the
// next Read. An input of more than limit bytes gives a *TooLargeError, and at
// most limit bytes of it are read (one more of a Stream, which is lost);
// a limit of zero or less is none. The other errors are those of Input.Open
// and of reading.
func (r *Reader) Read(in Input, limit int64) ([]byte, error) {
	if in.from == nil {
		return nil, errors.New("reading an input that does not come from Expand")
	}
	if cap(r.buf) > maxKeptBuffer {
		r.buf = nil
	}
	var err error
	switch in.from.access {
	case byWalk:
		if err = r.enter(in.from); err == nil {
			r.buf, err = r.dir.read(filepath.Base(in.Path), r.buf, limit)
		}
		err = replaced(err)
	case byName:
		r.buf, err = readPath(in.Path, r.buf, limit)
	case byStdin:
		r.buf, err = readAll(in.from.stdin, r.buf, limit)
	case byStream:
		var f *os.File
		if f, err = os.Open(in.Path); err == nil {
			r.buf, err = readAll(f, r.buf, limit)
			f.Close()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", printable(in.Name), bare(err))
	}
	return r.buf, nil
}

// enter opens the directory of an input, unless it is open already.
func (r *Reader) enter(from *origin) error {
	if r.in == from {
		return nil
	}
	if r.in != nil && r.in.root == from.root {
		r.in = nil
		r.dir.close()
		return r.descend(from)
	}
	if err := r.Close(); err != nil {
		return err
	}
	root, err := openFolder(from.root)
	if err != nil {
		return err
	}
	r.root = root
	return r.descend(from)
}

// descend opens the directory of an input below the root, which it closes if
// that fails.
func (r *Reader) descend(from *origin) error {
	dir, err := r.root.descend(from.dir)
	if err != nil {
		r.root.close()
		return err
	}
	r.in, r.dir = from, dir
	return nil
}

// Close closes what the Reader keeps open. The Reader can be used again.
func (r *Reader) Close() error {
	if r.in == nil {
		return nil
	}
	err := errors.Join(r.dir.close(), r.root.close())
	r.in = nil
	return err
}

// ReadFile reads a regular file by its path, through links, into the memory of
// buf as far as that suffices. What is no regular file is an error, and not
// waited for. Of the limit and of too large files the same holds as for
// Reader.Read. With an error the result has no bytes, but may have the memory.
func ReadFile(path string, buf []byte, limit int64) ([]byte, error) {
	return readPath(path, buf, limit)
}

// readAll reads up to the end into buf's memory, as far as it suffices.
func readAll(from io.Reader, buf []byte, limit int64) ([]byte, error) {
	buf = grow(buf[:0], 1)
	for {
		if len(buf) == cap(buf) {
			buf = grow(buf, 2*int64(cap(buf)))
		}
		room := buf[len(buf):cap(buf)]
		if limit > 0 {
			room = room[:min(int64(len(room)), limit+1-int64(len(buf)))]
		}
		n, err := from.Read(room)
		buf = buf[:len(buf)+n]
		if limit > 0 && int64(len(buf)) > limit {
			return buf[:0], &TooLargeError{limit}
		}
		if err == io.EOF {
			return buf, nil
		}
		if err != nil {
			return buf[:0], err
		}
	}
}

// grow returns a buffer with the same content and at least the capacity.
func grow(buf []byte, capacity int64) []byte {
	if int64(cap(buf)) >= capacity {
		return buf
	}
	// Most manifests fit into the first buffer that is made.
	larger := make([]byte, len(buf), max(capacity+capacity/4, 64<<10))
	copy(larger, buf)
	return larger
}
