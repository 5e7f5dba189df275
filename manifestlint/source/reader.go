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
// directory of the last input open, so the order of Expand is the fastest. The
// zero value is ready to use. It is not safe for concurrent use.
type Reader struct {
	buffer []byte
	// rootPath is the path of root. current is the origin of the last input, and
	// dir its open directory.
	rootPath  string
	current   *origin
	root, dir *os.Root
}

// Read returns the whole content of the input. The bytes are valid until the
// next call of Read. A limit of zero or less means no limit. If the input has
// more than limit bytes, Read returns a *TooLargeError, and the bytes that it
// has read from a Stream are lost. Other errors come from Input.Open and from
// reading.
func (r *Reader) Read(in Input, limit int64) ([]byte, error) {
	if in.from == nil {
		return nil, errors.New("reading an input that does not come from Expand")
	}
	if cap(r.buffer) > maxKeptBuffer {
		r.buffer = nil
	}
	var err error
	switch in.from.access {
	case byWalk, byTree:
		if err = r.enter(in.from); err == nil {
			r.buffer, err = treefile.ReadIn(r.dir, filepath.Base(in.Path), r.buffer, limit)
		}
	case byName:
		r.buffer, err = treefile.Read(in.Path, r.buffer, limit)
	case byStdin:
		r.buffer, err = treefile.ReadAll(in.from.stdin, r.buffer, limit)
	case byStream:
		var f *os.File
		if f, err = os.Open(in.Path); err == nil {
			r.buffer, err = treefile.ReadAll(f, r.buffer, limit)
			f.Close()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", printable(in.Name), withoutPath(err))
	}
	return r.buffer, nil
}

// enter opens the directory of an input, if it is not open.
func (r *Reader) enter(from *origin) (err error) {
	if r.current == from {
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
	if r.dir, err = r.root.OpenRoot(from.dirInRoot); err != nil {
		return err
	}
	r.current = from
	return nil
}

func (r *Reader) leave() error {
	dir := r.dir
	r.dir, r.current = nil, nil
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
