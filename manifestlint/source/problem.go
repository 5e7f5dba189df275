package source

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"unicode/utf8"
)

// Kind says what sort of Problem there is, and so how bad it is.
type Kind uint8

// The kinds of problems. There is no zero kind.
const (
	// Usage is an argument or option that cannot be understood, or a glob
	// that matches nothing.
	Usage Kind = iota + 1
	// Missing is an argument that names nothing that exists.
	Missing
	// Unreadable is a directory, or an argument, that exists and cannot be
	// read: whatever the run finds, it did not see everything.
	Unreadable
	// SkippedLink is a symbolic link that was not followed. The run is
	// complete; its user should know.
	SkippedLink
	// Excluded is a file or directory named as an argument that an exclusion
	// drops.
	Excluded
	// Empty is a directory named as an argument in which there is no input.
	Empty
)

var kindNames = [...]string{Usage: "usage", Missing: "missing", Unreadable: "unreadable",
	SkippedLink: "skipped link", Excluded: "excluded", Empty: "empty"}

// String returns the words for the kind that a summary would use.
func (k Kind) String() string {
	if k > 0 && int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "Kind(" + strconv.Itoa(int(k)) + ")"
}

// Problem is something that kept Expand from finding all that was asked for,
// or something that its user should know. It is an error so that it can be
// passed as one.
type Problem struct {
	Kind Kind
	// Name is the argument, or what the user would type to mean the file or
	// directory. Like an Input's it may hold any byte.
	Name string
	// Text says what is wrong, without the name.
	Text string
	// Err is what the operating system said; nil where it was not asked.
	Err error
}

// Error gives the name, quoted if it holds something that does not print, and
// what is wrong with it.
func (p Problem) Error() string { return printable(p.Name) + ": " + p.Text }

// Unwrap returns Err.
func (p Problem) Unwrap() error { return p.Err }

// printable quotes names that could disturb a terminal or a line-based log.
func printable(name string) string {
	if name == "" || !utf8.ValidString(name) {
		return strconv.Quote(name)
	}
	for _, r := range name {
		if !strconv.IsPrint(r) {
			return strconv.Quote(name)
		}
	}
	return name
}

// reason strips the operation and the path off an error of package os: the
// problem names the path already, in the user's words.
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
