package source

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/kubevet/kubevet/internal/treefile"
)

// maxKeptBuffer is the largest buffer that a Reader keeps for the next file, in
// bytes. Otherwise one large file would determine the memory of the whole run.
const maxKeptBuffer = 4 << 20

// Reader reads inputs one after the other into one buffer. It keeps the
// directory of the last input open, so it is fastest if the inputs are in the
// order of Expand. The zero value is ready to use. A Reader is not safe for
// concurrent use; each goroutine needs its own Reader.
type Reader struct {
	buf []byte
	// rootPath is the path of root. dir is the open directory of the inputs
	// with the origin from.
	rootPath  string
	from      *origin
	root, dir *os.Root
}

// Read returns the whole content of the input. The bytes are valid until the
// next call of Read. If the input has more than limit bytes, Read returns a
// *TooLargeError. If the input is a Stream, the limit+1 bytes that Read has
// taken from it are lost. A limit of zero or less means no limit. Other errors
// come from Input.Open and from reading.
func (r *Reader) Read(in Input, limit int64) ([]byte, error) {
	if in.from == nil {
		return nil, errors.New("reading an input that does not come from Expand")
	}
	if cap(r.buf) > maxKeptBuffer {
		r.buf = nil
	}
	var err error
	switch in.from.access {
	case byWalk, byTree:
		if err = r.enter(in.from); err == nil {
			r.buf, err = treefile.ReadIn(r.dir, filepath.Base(in.Path), r.buf, limit)
		}
	case byName:
		r.buf, err = treefile.Read(in.Path, r.buf, limit)
	case byStdin:
		r.buf, err = treefile.ReadAll(in.from.stdin, r.buf, limit)
	case byStream:
		var f *os.File
		if f, err = os.Open(in.Path); err == nil {
			r.buf, err = treefile.ReadAll(f, r.buf, limit)
			f.Close()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", printable(in.Name), bare(err))
	}
	return r.buf, nil
}

// enter opens the directory of an input, if it is not open.
func (r *Reader) enter(from *origin) (err error) {
	if r.from == from {
		return nil
	}
	if r.rootPath != from.root {
		if err := r.Close(); err != nil {
			return err
		}
	}
	if r.root == nil {
		if r.root, err = os.OpenRoot(from.root); err != nil {
			return err
		}
		r.rootPath = from.root
	}
	if err := r.leave(); err != nil {
		return err
	}
	if r.dir, err = r.root.OpenRoot(from.dir); err != nil {
		return err
	}
	r.from = from
	return nil
}

// leave closes the directory of the last input.
func (r *Reader) leave() error {
	dir := r.dir
	r.dir, r.from = nil, nil
	if dir == nil {
		return nil
	}
	return dir.Close()
}

// Close closes all open directories. The Reader can still be used afterwards.
func (r *Reader) Close() error {
	err := r.leave()
	if r.root != nil {
		err = errors.Join(err, r.root.Close())
	}
	r.root, r.rootPath = nil, ""
	return err
}
