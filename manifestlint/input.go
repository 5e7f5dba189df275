package manifestlint

import (
	"errors"
	"io"

	"github.com/kubevet/kubevet/manifestlint/scripts"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Input is a file or another stream of documents.
type Input struct {
	// Name is the path as the user would type it. Findings show it.
	Name string
	// Open opens the input. Each call reads from the start.
	Open func() (io.ReadCloser, error)
	// Partial, if not empty, is the name of the program or file that uses the
	// objects as parts of other objects, such as a kustomization with patches.
	// The documents are checked for syntax only.
	Partial string
	// Rendered, if not empty, is the name of the file that renders the input's
	// objects, such as a kustomization. The rendered objects are checked
	// instead. The documents of this input are checked for syntax only.
	Rendered string
	// Used, if not nil, is called for each kubevet:ignore comment that
	// suppresses a finding in a Partial or Rendered input. The linter cannot
	// know whether such a comment is unused. Used is called from several
	// goroutines.
	Used func(line int, rule string)
	// Unfinished, if not empty, says what completes the input's objects before a
	// server sees them, such as a kustomization in the same directory. Missing fields
	// are then not reported.
	Unfinished string
	// Manifests is set if the input contains only manifests, such as standard
	// input. A document that does not parse is then always reported. In other
	// inputs, it is reported if the input looks like a manifest. Otherwise it
	// is only counted.
	Manifests bool
	// Template, if not empty, is the Helm chart whose templates directory
	// contains the file. A document with {{ is then a template, even if it
	// parses as YAML.
	Template string
	// Unrendered is set if the chart in Template is not rendered, because a
	// dependency is missing.
	Unrendered bool
	// Target, if not nil, replaces the linter's target for this input. It is a
	// part of the linter's target, for a chart that renders to different
	// objects for some minors.
	Target *lifecycle.Target
	// Reading says how the objects were read. The zero value is Written.
	Reading Reading
	// Trace, if not nil, changes the position of a finding about a rendered
	// input to the position in a source file. It returns false if a comment in
	// the source file suppresses the finding. It is called from several
	// goroutines.
	Trace func(*rules.Finding) bool
	// Scripted is set if the shell text of an input with Trace is not in any
	// other input. For example, a chart's templates contain it. Otherwise shell
	// text is checked only in the source files.
	Scripted bool
	// Script is the language of an input that is a script. The zero value means
	// manifests, which may contain shell text in strings.
	Script scripts.Language
	// Source, if not nil, returns the text of a source file that Trace found.
	// It is needed to fix findings in source files. It is called from several
	// goroutines.
	Source func(name string) ([]byte, error)
	// Handle is a value that only the Reader uses.
	Handle any
}

// Reading says how the linter got an object.
type Reading uint8

// These are the ways to get objects.
const (
	// Written objects are in files, as somebody wrote or saved them.
	Written Reading = iota
	// Read objects were read from a cluster for this run. The API version is
	// the version of this request. It does not say which version the object's
	// author used.
	Read
	// ReadMetadata objects are like Read objects, but have only their metadata.
	ReadMetadata
)

// ErrLarge is the error of a Reader for an input that exceeds the limit.
var ErrLarge = errors.New("input is too large to read as a whole")

// Reader reads whole inputs for one worker.
type Reader interface {
	// Read returns the content of an input, valid until the next call. If the
	// input has more than limit bytes, it returns ErrLarge.
	Read(in Input, limit int64) ([]byte, error)
	Close() error
}

// elsewhere reports whether the input's objects are checked in another place,
// or not at all. Only the syntax of the input is checked.
func (in *Input) elsewhere() bool { return in.Partial != "" || in.Rendered != "" }
