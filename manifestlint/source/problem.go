package source

import (
	"errors"
	"io/fs"
	"os"
	"strconv"

	"github.com/kubevet/kubevet/internal/quote"
)

// Kind is the kind of a Problem. The caller derives the severity from it.
type Kind uint8

// The zero value is not a kind.
const (
	// Usage is an invalid argument or option, or a glob that matches nothing.
	Usage Kind = iota + 1
	// Missing is an argument that does not exist.
	Missing
	// Unreadable is a directory or argument that exists but cannot be read. The
	// result of the run is incomplete.
	Unreadable
	// SkippedLink is a symbolic link that was not followed. The result of the run
	// is complete.
	SkippedLink
	// Excluded is an argument that matches an exclusion.
	Excluded
	// Empty is a directory that is an argument and contains no inputs.
	Empty
	// PackedChart is an archive with a Helm chart that was found in a directory.
	// An archive is an input only if it is an argument.
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

// Problem is a file that Expand did not find, or something else that the user
// should know. It implements error.
type Problem struct {
	Kind Kind
	// Name is the argument, or the path of a file or directory as the user would
	// type it. Like an Input's name, it can contain any byte.
	Name string
	// Text describes the problem, without the name.
	Text string
	// Err is the error of the operating system; nil for none.
	Err error
}

// Error returns the name, quoted if it is not printable, and the text.
func (p Problem) Error() string { return printable(p.Name) + ": " + p.Text }

// Unwrap returns Err.
func (p Problem) Unwrap() error { return p.Err }

// printable returns a name for messages; "" becomes two quotes.
func printable(name string) string {
	if name == "" {
		return `""`
	}
	return quote.Name(name)
}

// reason returns the message of an error of package os without the operation
// and the path. The problem already has the name.
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
