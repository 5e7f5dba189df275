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

// origin describes how inputs are opened. All inputs of a directory share one
// origin.
type origin struct {
	access access
	// root is the physical path of a directory that reading never leaves.
	// dirInRoot is the input's directory relative to root.
	root, dirInRoot string
	stdin           io.Reader
}

type access uint8

const (
	// byName is a file that is an argument. It may be a link to any file.
	byName access = iota
	// byWalk is a file that was found below a directory.
	byWalk
	// byStream is an argument that is not a regular file, such as /dev/stdin or
	// the shell's <(command).
	byStream
	// byStdin is standard input.
	byStdin
	// byTree is a file that a configuration names. It must not lead out of
	// Options.Tree.
	byTree
)

// Stream reports whether the input can be read only once and has an unknown
// length. Standard input, pipes and devices are streams.
func (in Input) Stream() bool {
	return in.from != nil && (in.from.access == byStdin || in.from.access == byStream)
}

// Tree returns the physical path of the directory that reading the input never
// leaves; "" for no limit. A file that is an argument has no limit.
func (in Input) Tree() string {
	if in.from == nil {
		return ""
	}
	return in.from.root
}

// Named reports whether the user or a configuration named the input. It is
// false if the input was found below a named directory.
func (in Input) Named() bool { return in.from == nil || in.from.access != byWalk }

// Open opens the input for reading. A file that was found in a directory is
// opened with an os.Root, and must still be a regular file. If somebody
// replaces it with a link, kubevet still does not leave the directory. Only an
// argument can be a pipe or a device, which can block. Closing standard input
// has no effect.
//
// Open is for files that are too large for memory. For other files, a Reader
// needs fewer system calls.
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
		return nil, fmt.Errorf("opening %s: %w", printable(in.Name), withoutPath(err))
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
	return treefile.OpenIn(root, filepath.Join(in.from.dirInRoot, filepath.Base(in.Path)))
}

// withoutPath returns an error without its path, because the caller adds the
// name that the user knows.
func withoutPath(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// readSmall reads a file that determines the inputs, such as .gitignore. It
// does not follow a link in the last element of the path.
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

// TooLargeError is the error for an input that is larger than the caller's
// limit.
type TooLargeError = treefile.TooLargeError
