package scripts

import (
	"bytes"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/rules/kubectl"
)

// File has the calls of kubectl and oc in a text.
type File struct {
	// Commands are the calls with a flag --dry-run or --server-dry-run, in the
	// order of these flags. A call with variables is listed once for each of
	// their values.
	Commands []Command
	// Manifests are the texts that the script passes to kubectl or oc as
	// manifests.
	Manifests []Manifest
	// Comments are the suppression comments, in the order of the text.
	Comments []Comment
}

// Command is one call of kubectl or oc.
type Command struct {
	Program kubectl.Program
	// Args are the arguments of the program, and At are their positions.
	Args []kubectl.Arg
	At   []Place
	// Versioned reports for each argument whether it is in a statement whose
	// condition checks a version. The argument may then be correct for the
	// versions that run the statement.
	Versioned []bool
	// Path is the field of a YAML document that contains the command.
	Path string
}

// maxShape is the largest length of a shape, in bytes.
const maxShape = 200

// Shape returns the program, its verb, and the names of its flags, each once.
// Copies of a command for different objects have the same shape.
func (c *Command) Shape() string {
	words := []string{c.Program.String()}
	verb := false
	for _, a := range c.Args {
		name, _, _ := strings.Cut(a.Text, "=")
		switch {
		case len(name) > 1 && name[0] == '-':
			if slices.Contains(words, name) {
				continue
			}
		case verb:
			continue
		default:
			verb = true
		}
		words = append(words, name)
	}
	shape := strings.Join(words, " ")
	return strings.ToValidUTF8(shape[:min(len(shape), maxShape)], "")
}

// flag returns the offset of the first dry-run flag.
func (c *Command) flag() int {
	return c.At[slices.IndexFunc(c.Args, dryRunFlag)].Start
}

// dryRunFlag reports whether an argument is --dry-run or --server-dry-run, with
// or without a value.
func dryRunFlag(a kubectl.Arg) bool {
	return strings.HasPrefix(a.Text, "--dry-run") || strings.HasPrefix(a.Text, "--server-dry-run")
}

// MaxSize is the largest size of a script that is read, in bytes.
const MaxSize = 8 << 20

// Mentions reports whether a text may contain a command or a manifest. If not,
// Read finds nothing.
func Mentions(b []byte) bool {
	if bytes.Contains(b, []byte("dry-run")) {
		return true
	}
	return bytes.Contains(b, []byte("apiVersion")) && bytes.Contains(b, []byte("-f")) && // -f is also a part of --filename
		(bytes.Contains(b, []byte("kubectl ")) || bytes.Contains(b, []byte("KUBECTL")) || bytes.Contains(b, []byte("oc ")))
}

// Read reads a script. It ignores parts that it cannot parse.
func Read(lang Language, source []byte) *File {
	if len(source) > MaxSize || bytes.IndexByte(source, 0) >= 0 {
		return &File{}
	}
	r := &reader{file: &File{}, source: strings.Replace(string(source), "\xef\xbb\xbf", "   ", 1)}
	switch lang {
	case Shell:
		r.shell(join(r.lines(0, len(r.source))...))
	case Makefile:
		r.makefile(r.lines(0, len(r.source)))
	case Dockerfile:
		r.dockerfile(r.lines(0, len(r.source)))
	case Markdown:
		r.markdown()
	}
	return r.sorted()
}

// reader collects the calls of kubectl and oc in one source.
type reader struct {
	file   *File
	source string
	path   string // the current field of a YAML document
	// work counts the work that was done, up to maxWork.
	work int
	// isPart is set if the shell text is only a part of the file. The first
	// comment then does not cover the file.
	isPart bool
}

// lines returns the lines in a range of the source. Each ends with a line feed.
func (r *reader) lines(from, to int) []text {
	var lines []text
	for line := range strings.Lines(r.source[from:to]) {
		t := sourceText(r.source, from, from+len(line))
		if strings.HasSuffix(line, "\r\n") {
			t = join(t.slice(0, len(line)-2), t.slice(len(line)-1, len(line)))
		}
		lines = append(lines, t)
		from += len(line)
	}
	return lines
}

// sorted returns the file with commands and comments in the order of the text.
func (r *reader) sorted() *File {
	f := r.file
	slices.SortStableFunc(f.Commands, func(a, b Command) int { return a.flag() - b.flag() })
	slices.SortStableFunc(f.Manifests, func(a, b Manifest) int { return a.start() - b.start() })
	f.Manifests = slices.CompactFunc(f.Manifests, func(a, b Manifest) bool { return a.start() == b.start() })
	slices.SortStableFunc(f.Comments, func(a, b Comment) int { return a.At.Start - b.At.Start })
	f.Comments = slices.CompactFunc(f.Comments, func(a, b Comment) bool { return a.At.Start == b.At.Start })
	return f
}
