package manifestlint

import (
	"errors"
	"io"

	"github.com/kubevet/kubevet/manifestlint/scripts"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Input is one file, or another stream of documents.
type Input struct {
	// Name is shown in findings: the path as the user would type it.
	Name string
	// Open opens it for reading from the start.
	Open func() (io.ReadCloser, error)
	// Partial, if not empty, says what uses the input as partial objects, such
	// as the kustomization that patches with it. Its documents are checked for
	// syntax, but not as objects.
	Partial string
	// Rendered, if not empty, says what renders the input's objects, such as
	// the kustomization that builds with them. They are checked there; the
	// documents here are checked only for syntax.
	Rendered string
	// Used, if not nil, is called for each kubevet:ignore comment, by line and
	// rule, that suppresses something in a Partial or Rendered input: the
	// linter cannot know that such a comment is unnecessary. It is called from
	// several goroutines.
	Used func(line int, rule string)
	// Unfinished, if not empty, says what completes the input's objects before a
	// server sees them, such as a kustomization in the same directory. Missing fields
	// are then not reported.
	Unfinished string
	// Manifests reports that the input holds only manifests, such as standard input. A
	// document that does not parse is then reported. In other inputs it is reported if
	// it has a sign of a manifest, and counted otherwise.
	Manifests bool
	// Template, if not empty, is the Helm chart whose templates/ directory
	// holds the file. Documents with markup are then templates even if they
	// happen to parse.
	Template string
	// Unrendered is set if that chart is not rendered because it lacks a
	// dependency.
	Unrendered bool
	// Target, if not nil, replaces the linter's target for this input. It is a
	// part of the linter's range, for a chart that renders differently for
	// some minors.
	Target *lifecycle.Target
	// Reading says how the objects were read. The zero value means as somebody
	// wrote them.
	Reading Reading
	// Trace, if not nil, maps a finding about an input that was rendered from
	// other files to the position in those files. It reports false if a
	// comment there suppresses the finding. It is called from several
	// goroutines.
	Trace func(*rules.Finding) bool
	// Scripted reports, for an input with Trace, that its shell text is
	// checked nowhere else, as in a chart's templates. By default shell text
	// is checked where it is written.
	Scripted bool
	// Script is the language of an input that is a script. The zero value is
	// for manifests, which may contain shell text, too.
	Script scripts.Language
	// Source, if not nil, returns the text of a file that Trace leads to, so
	// that findings can be fixed there. It is called from several goroutines.
	Source func(name string) ([]byte, error)
	// Handle is for the Reader.
	Handle any
}

// Reading is how the linter got an object.
type Reading uint8

// Ways to get objects.
const (
	// Written objects are in files, as somebody wrote or saved them.
	Written Reading = iota
	// Read objects were read from a cluster for this run. The reader chose
	// their version, which therefore says nothing about their authors.
	Read
	// ReadMetadata is like Read, but the objects have only their metadata.
	ReadMetadata
)

// ErrLarge is the error of a Reader for an input over its limit.
var ErrLarge = errors.New("input is too large to read as a whole")

// Reader reads whole inputs for one worker.
type Reader interface {
	// Read returns an input's content, valid until the next Read. For an
	// input of more than limit bytes it returns ErrLarge.
	Read(in Input, limit int64) ([]byte, error)
	Close() error
}

// elsewhere reports whether the input's objects are not checked as they are
// written here.
func (in *Input) elsewhere() bool { return in.Partial != "" || in.Rendered != "" }
