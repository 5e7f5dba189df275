package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// openFlags open a file for reading. Opening a pipe that replaced a file would
// block until it has a writer, hence O_NONBLOCK.
const openFlags = os.O_RDONLY | syscall.O_NONBLOCK

// errNotRegular is the error for a directory, a pipe, a device or an unexpected
// link where a regular file is expected.
var errNotRegular = errors.New("not a regular file")

// origin describes how an input is reached. The inputs of one directory share
// it.
type origin struct {
	access access
	// root is the physical path of the directory that reading never leaves. dir
	// is the input's directory relative to it.
	root, dir string
	stdin     io.Reader
}

type access uint8

const (
	// byName is a file that the user named. It may be a link to anywhere.
	byName access = iota
	// byWalk is a file found below a directory.
	byWalk
	// byStream is an argument that is not a regular file, such as /dev/stdin or
	// the shell's <(command).
	byStream
	// byStdin is standard input.
	byStdin
)

// Stream reports whether the input can be read only once and its length is not
// known in advance: standard input, a pipe, a device.
func (in Input) Stream() bool {
	return in.from != nil && (in.from.access == byStdin || in.from.access == byStream)
}

// Named reports whether the user named the input itself, rather than a
// directory that contains it.
func (in Input) Named() bool { return in.from == nil || in.from.access != byWalk }

// Open opens the input for reading. A file that was found in a directory is
// opened with an os.Root: replacing a directory or the file by a link cannot
// lead outside of the directory that the user named. The file must still be a
// regular file. Only an input that the user named can be a pipe or a device, and
// only such an input can block. Closing standard input has no effect.
//
// Open is for files that are too large for memory. For all others a Reader is
// cheaper.
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
	case byWalk:
		f, err = in.openBelow()
	default:
		f, err = openRegular(os.OpenFile, in.Path)
	}
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", printable(in.Name), bare(err))
	}
	return f, nil
}

// openBelow opens a file that was found below a directory.
func (in Input) openBelow() (*os.File, error) {
	root, err := os.OpenRoot(in.from.root)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return openRegular(root.OpenFile, filepath.Join(in.from.dir, filepath.Base(in.Path)))
}

// bare strips the path off an error: the caller names it in the user's words.
func bare(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// openRegular opens a file, and closes it again if it is not a regular file.
func openRegular(open openFunc, name string) (*os.File, error) {
	f, err := open(name, openFlags, 0)
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

// readSmall reads a file that decides which files are inputs, such as
// .gitignore. A link at the end of the path is not followed.
func readSmall(path string, limit int64) (string, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", errNotRegular
	}
	text, err := ReadFile(path, nil, limit)
	return string(text), err
}

// TooLargeError is returned for an input over the limit that the caller set.
type TooLargeError struct {
	// Limit is in bytes.
	Limit int64
}

// Error returns a message with the limit.
func (e *TooLargeError) Error() string {
	return fmt.Sprintf("larger than the limit of %d bytes", e.Limit)
}
