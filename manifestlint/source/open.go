package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// errNotRegular is what opening a directory, a pipe, a device or an unexpected
// link gives where a regular file is wanted.
var errNotRegular = errors.New("not a regular file")

// origin is how an input is reached. Inputs of one directory share theirs.
type origin struct {
	access access
	// root is the physical path of the directory that reading never leaves,
	// dir the input's directory relative to it.
	root, dir string
	stdin     io.Reader
}

type access uint8

const (
	// byName is a file that the user named: it may be a link to anywhere.
	byName access = iota
	// byWalk is a file found below a directory.
	byWalk
	// byStream is what the user named and what is no regular file, such as
	// /dev/stdin or the shell's <(command).
	byStream
	// byStdin is standard input.
	byStdin
)

// Stream reports whether the input can be read only once and has no end that
// is known beforehand: standard input, a pipe, a device.
func (in Input) Stream() bool {
	return in.from != nil && (in.from.access == byStdin || in.from.access == byStream)
}

// Named reports whether the user named the input itself, rather than a
// directory that it is in.
func (in Input) Named() bool { return in.from == nil || in.from.access != byWalk }

// Open opens the input for reading. A file that was found in a directory is
// opened such that nobody who swaps a directory for a link meanwhile can make
// it lead elsewhere, and it must still be a regular file; only what the user
// named can be a pipe or a device, and only such an input can block. Closing
// standard input has no effect.
//
// Open suits files that are too large to hold. For all others a Reader is
// several times cheaper.
func (in Input) Open() (io.ReadCloser, error) {
	if in.from == nil {
		return nil, errors.New("opening an input that does not come from Expand")
	}
	var (
		f   *os.File
		err error
	)
	switch in.from.access {
	case byStdin:
		return io.NopCloser(in.from.stdin), nil
	case byStream:
		f, err = os.Open(in.Path)
		if err != nil {
			return nil, wrapOpen(in, err)
		}
		return f, nil
	case byWalk:
		var r Reader
		defer r.Close()
		if err = r.enter(in.from); err == nil {
			f, err = r.dir.open(filepath.Base(in.Path))
		}
		err = replaced(err)
	default:
		f, err = regular(os.OpenFile(in.Path, openFlags, 0))
	}
	if err != nil {
		return nil, wrapOpen(in, err)
	}
	return f, nil
}

func wrapOpen(in Input, err error) error {
	return fmt.Errorf("opening %s: %w", printable(in.Name), bare(err))
}

// errLink is what has become of a file or directory that was none.
var errLink = errors.New("has become a symbolic link")

// bare strips the path off an error: the caller names it in the user's words.
func bare(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// replaced explains what opening a link without following it gives.
func replaced(err error) error {
	if isLinkError(err) {
		return errLink
	}
	return err
}

// regular passes on an opened file if it is a regular one.
func regular(f *os.File, err error) (*os.File, error) {
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errNotRegular
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// readSmall reads a file that decides what is an input. It follows no link at
// the end of the path.
func readSmall(path string, limit int64) (string, error) {
	f, err := regular(os.OpenFile(path, openFlags|noFollow, 0))
	if err != nil {
		if isLinkError(err) {
			err = errNotRegular
		}
		return "", err
	}
	defer f.Close()
	return readBounded(f, limit)
}

func readBounded(r io.Reader, limit int64) (string, error) {
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return "", err
	}
	if int64(len(data)) > limit {
		return "", &TooLargeError{Limit: limit}
	}
	return string(data), nil
}

// TooLargeError is returned for an input over the limit that the caller set.
type TooLargeError struct {
	// Limit is in bytes.
	Limit int64
}

// Error gives the limit.
func (e *TooLargeError) Error() string {
	return fmt.Sprintf("larger than the limit of %d bytes", e.Limit)
}
