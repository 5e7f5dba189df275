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
	// Name is the path as the user would type it. Findings have it as their file.
	Name string
	// Open opens the input. Each call reads from the start.
	Open func() (io.ReadCloser, error)
	// Partial is the program or file that uses the objects as parts of other
	// objects, such as a kustomization with patches; "" for none. Partial
	// documents are checked for syntax only.
	Partial string
	// Rendered is the file that renders the input's objects, such as a
	// kustomization; "" for none. The rendered objects are checked instead, and
	// the input only for syntax.
	Rendered string
	// Used is called for each kubevet:ignore comment that suppresses a finding
	// in a Partial or Rendered input, because the linter cannot know which
	// comments of such an input are unused. Used is called from several
	// goroutines, and may be nil.
	Used func(line int, rule string)
	// Unfinished is what completes the input's objects before a server gets them,
	// such as a kustomization in this directory; "" for nothing. Missing fields
	// are then not reported.
	Unfinished string
	// Manifests is set if the input contains only manifests, such as standard
	// input. A document that does not parse is then always reported. In other
	// inputs, it is reported if the input looks like a manifest, and otherwise
	// only counted.
	Manifests bool
	// Template is the Helm chart whose templates directory contains the file; ""
	// for none. A document with {{ is then a template, even if it parses as YAML.
	Template string
	// Unrendered is set if the chart in Template is not rendered, because a
	// dependency is missing.
	Unrendered bool
	// Target replaces the linter's target for this input; nil for the linter's
	// target. It has some of the minors of that target, for a chart whose
	// output depends on the minor.
	Target *lifecycle.Target
	// Reading is how the objects were read. The zero value is Written.
	Reading Reading
	// Trace moves a finding about a rendered input to a source file. It returns
	// false if a comment in the source file suppresses the finding. It is called
	// from several goroutines. It is nil if the input is not rendered.
	Trace func(*rules.Finding) bool
	// Scripted is set if the shell text of this rendered input is checked, as
	// for a chart. The shell text of other rendered inputs is not checked,
	// because their source files are inputs too.
	Scripted bool
	// Script is the language of an input that is a script. The zero value means
	// manifests, which may contain shell text in strings.
	Script scripts.Language
	// Source returns the text of a source file that Trace found, to fix findings
	// in it. It is called from several goroutines. It may be nil.
	Source func(name string) ([]byte, error)
	// Handle is a value that only the Reader uses.
	Handle any
}

// Reading is how the linter got an object.
type Reading uint8

const (
	// Written objects are in files, as somebody wrote or saved them.
	Written Reading = iota
	// Read objects were read from a cluster for this run. The API version is the
	// version of the request, which the object's author did not choose.
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

// syntaxOnly reports whether only the syntax of the input is checked, because
// its objects are checked in another place, or not at all.
func (in *Input) syntaxOnly() bool { return in.Partial != "" || in.Rendered != "" }
