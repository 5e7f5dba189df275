package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/kubevet/kubevet/internal/treefile"
)

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
	// byTree is a file that a configuration named. Like a file found by a walk, it
	// never leads out of a directory.
	byTree
)

// Stream reports whether the input can be read only once and its length is not
// known in advance: standard input, a pipe, a device.
func (in Input) Stream() bool {
	return in.from != nil && (in.from.access == byStdin || in.from.access == byStream)
}

// Tree returns the physical path of the directory that reading the input never leaves,
// or "" if there is none, as for a file that the user named.
func (in Input) Tree() string {
	if in.from == nil {
		return ""
	}
	return in.from.root
}

// Named reports whether the user or a configuration named the input itself,
// rather than a directory that contains it.
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
	case byWalk, byTree:
		f, err = in.openBelow()
	default:
		f, err = treefile.Open(in.Path)
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
	return treefile.OpenIn(root, filepath.Join(in.from.dir, filepath.Base(in.Path)))
}

// bare strips the path off an error: the caller names it in the user's words.
func bare(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// readSmall reads a file that decides which files are inputs, such as
// .gitignore. A link at the end of the path is not followed.
func readSmall(path string, limit int64) (string, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", treefile.ErrNotRegular
	}
	text, err := treefile.Read(path, nil, limit)
	return string(text), err
}

// TooLargeError is returned for an input over the limit that the caller set.
type TooLargeError = treefile.TooLargeError
