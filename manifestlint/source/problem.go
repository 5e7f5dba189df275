package source

import (
	"errors"
	"io/fs"
	"os"
	"strconv"

	"github.com/kubevet/kubevet/internal/quote"
)

// Kind is the kind of a Problem, which determines how severe it is.
type Kind uint8

// The kinds of problems. There is no zero kind.
const (
	// Usage is an argument or option that is not valid, or a glob that matches
	// nothing.
	Usage Kind = iota + 1
	// Missing is an argument that does not exist.
	Missing
	// Unreadable is a directory or argument that exists and cannot be read. The
	// result of the run is incomplete.
	Unreadable
	// SkippedLink is a symbolic link that was not followed. The run is
	// complete.
	SkippedLink
	// Excluded is an argument that matches an exclusion.
	Excluded
	// Empty is a directory named as an argument that contains no input.
	Empty
	// PackedChart is an archive of a Helm chart in a directory. Archives are
	// inputs only if they are named as arguments.
	PackedChart
)

var kindNames = [...]string{Usage: "usage", Missing: "missing", Unreadable: "unreadable",
	SkippedLink: "skipped link", Excluded: "excluded", Empty: "empty", PackedChart: "packed chart"}

// String returns the kind as words for a summary.
func (k Kind) String() string {
	if k > 0 && int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "Kind(" + strconv.Itoa(int(k)) + ")"
}

// Problem is a reason why Expand did not find everything, or something else
// that the user should know. It implements error.
type Problem struct {
	Kind Kind
	// Name is the argument, or what the user would type for the file or
	// directory. Like an Input's name it may hold any byte.
	Name string
	// Text describes the problem, without the name.
	Text string
	// Err is the error of the operating system; nil if there was none.
	Err error
}

// Error returns the name, quoted if it is not printable, and the text.
func (p Problem) Error() string { return printable(p.Name) + ": " + p.Text }

// Unwrap returns Err.
func (p Problem) Unwrap() error { return p.Err }

// printable returns a name as it is printed. The empty name, which an argument may
// have, is "".
func printable(name string) string {
	if name == "" {
		return `""`
	}
	return quote.Name(name)
}

// reason strips the operation and the path off an error of package os. The
// problem has the name already, in the user's words.
func reason(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	var call *os.SyscallError
	if errors.As(err, &call) {
		return call.Err.Error()
	}
	return err.Error()
}
