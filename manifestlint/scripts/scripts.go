package scripts

import (
	"bytes"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/rules/kubectl"
)

// File contains what a text does with kubectl and oc.
type File struct {
	// Commands are the calls with a flag --dry-run or --server-dry-run, in the
	// order of these flags. A call is listed once for each value of the
	// variables that it uses.
	Commands []Command
	// Manifests are the texts that kubectl or oc apply, create or replace.
	Manifests []Manifest
	// Comments are the suppression comments, in the order of their places.
	Comments []Comment
}

// Command is one call of kubectl or oc.
type Command struct {
	Program kubectl.Program
	// Args are the arguments of the program. At has their places.
	Args []kubectl.Arg
	At   []Place
	// Versioned has, for each argument, whether it is under a condition that
	// asks for a version, so that it may be right for that version.
	Versioned []bool
	// Path is the field of a YAML document that has the command.
	Path string
}

// maxShape is the maximal length of a shape in bytes.
const maxShape = 200

// Shape returns the command without its arguments: the program, its verb, and
// the names of the flags, each once. Copies of a command for different objects
// have the same shape.
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

// dryRunFlag reports whether an argument is a flag about dry runs.
func dryRunFlag(a kubectl.Arg) bool {
	return strings.HasPrefix(a.Text, "--dry-run") || strings.HasPrefix(a.Text, "--server-dry-run")
}

// MaxSize is the size in bytes of the largest script that is read.
const MaxSize = 8 << 20

// Mentions reports whether a text may have a command or a manifest. Read finds
// nothing in other texts.
func Mentions(b []byte) bool {
	if bytes.Contains(b, []byte("dry-run")) {
		return true
	}
	return bytes.Contains(b, []byte("apiVersion")) && bytes.Contains(b, []byte("-f")) && // and --filename
		(bytes.Contains(b, []byte("kubectl ")) || bytes.Contains(b, []byte("KUBECTL")) || bytes.Contains(b, []byte("oc ")))
}

// Read reads a script. It leaves out parts that it cannot parse.
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

// reader collects the contents of one source.
type reader struct {
	file   *File
	source string
	path   string // the current field of a YAML document
	// work is what was done so far. maxWork bounds it.
	work int
	// inner is set if the shell text is not the whole file, so that its first
	// comment does not apply to the file.
	inner bool
}

// lines returns the lines of a part of the source, each with a line feed.
func (r *reader) lines(from, to int) []text {
	var lines []text
	for line := range strings.Lines(r.source[from:to]) {
		t := cut(r.source, from, from+len(line))
		if strings.HasSuffix(line, "\r\n") {
			t = join(t.slice(0, len(line)-2), t.slice(len(line)-1, len(line)))
		}
		lines = append(lines, t)
		from += len(line)
	}
	return lines
}

// sorted returns the file with its contents in order.
func (r *reader) sorted() *File {
	f := r.file
	slices.SortStableFunc(f.Commands, func(a, b Command) int { return a.flag() - b.flag() })
	slices.SortStableFunc(f.Manifests, func(a, b Manifest) int { return a.start() - b.start() })
	f.Manifests = slices.CompactFunc(f.Manifests, func(a, b Manifest) bool { return a.start() == b.start() })
	slices.SortStableFunc(f.Comments, func(a, b Comment) int { return a.At.Start - b.At.Start })
	f.Comments = slices.CompactFunc(f.Comments, func(a, b Comment) bool { return a.At.Start == b.At.Start })
	return f
}
