package scripts

import (
	"bytes"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/rules/kubectl"
)

// File is what a text does with kubectl and oc.
type File struct {
	// Commands are the calls that have a flag --dry-run or --server-dry-run, in
	// the order of their places. A call that can have different words is there
	// once for each.
	Commands []Command
	// Manifests are the texts that are handed to kubectl or oc to be written.
	Manifests []Manifest
	// Comments are those with a suppression, in the order of their places.
	Comments []Comment
}

// Command is one call of kubectl or oc.
type Command struct {
	Program kubectl.Program
	// Args are the arguments behind the program's name, At is where they were
	// written.
	Args []kubectl.Arg
	At   []Place
	// Versioned says of each whether it stands where the script has asked for
	// a version: what is wrong for one may be right for another.
	Versioned []bool
}

// Manifest is a text of manifests.
type Manifest struct {
	t text
}

// Unknown reports whether parts of the manifest are not known.
func (m Manifest) Unknown() bool { return m.t.holed() }

// UnknownLines are the lines, from 1, that have unknown parts.
func (m Manifest) UnknownLines() map[int]bool {
	lines := map[int]bool{}
	n := 0
	for line := range strings.Lines(m.t.s) {
		if n++; strings.ContainsAny(line, hole+anyWords) {
			lines[n] = true
		}
	}
	return lines
}

// Text gives the manifest, with a filling for each unknown part.
func (m Manifest) Text(filling string) Filled {
	t := m.t
	if t.holed() {
		t = t.replace(func(s string, from int) (int, int, text) {
			n := strings.IndexAny(s[from:], hole+anyWords)
			if n < 0 {
				return -1, -1, text{}
			}
			i, j := from+n, from+n+1
			return i, j, made(fill(s, i, j, filling), t.place(i, j))
		})
	}
	return Filled{[]byte(t.s), t}
}

// fill gives what stands for an unknown part: nothing where it has a line of
// its own, since it may be any number of lines.
func fill(s string, i, j int, filling string) string {
	before := s[strings.LastIndexByte(s[:i], '\n')+1 : i]
	after, _, _ := strings.Cut(s[j:], "\n")
	if strings.TrimSpace(before+after) == "" {
		return ""
	}
	return filling
}

// OwnLine reports whether an unknown part may be lines of its own, so that
// fields may be missing in the text.
func (m Manifest) OwnLine() bool {
	for line := range strings.Lines(m.t.s) {
		if !strings.ContainsAny(line, hole+anyWords) {
			continue
		}
		// key:$VALUE, too: the value begins with a line feed.
		if strings.Trim(line, hole+anyWords+" \t\n") == "" || strings.Contains(line, ":"+hole) || strings.Contains(line, ":"+anyWords) {
			return true
		}
	}
	return false
}

// Filled is a manifest whose unknown parts have fillings.
type Filled struct {
	Bytes []byte
	t     text
}

// Place tells where the bytes from start to end were written.
func (f Filled) Place(start, end int) Place { return f.t.place(start, end) }

// Comment is a comment with a suppression.
type Comment struct {
	// Text is the comment, without what ends it.
	Text string
	// At is where it stands.
	At Place
	// From and To are the first and the last byte of what it is about. Head
	// says that it stands above everything else and is about the whole text.
	From, To int
	Head     bool
}

// Mark is what makes a comment a suppression.
const Mark = "kubevet:ignore"

var (
	dryRun   = []byte("dry-run")
	fileFlag = []byte("-f") // and --filename
	apiKey   = []byte("apiVersion")
	calls    = []byte("kubectl ")
	callsOC  = []byte("oc ")
	named    = []byte("KUBECTL")
)

// Mentions reports whether a text can have a command or a manifest that Read
// finds. It costs little; where it reports false, Read finds nothing.
func Mentions(b []byte) bool {
	return bytes.Contains(b, dryRun) || Feeds(b)
}

// Feeds reports whether a text can hand a manifest to kubectl or oc.
func Feeds(b []byte) bool {
	return bytes.Contains(b, fileFlag) && (bytes.Contains(b, calls) || bytes.Contains(b, named) || bytes.Contains(b, callsOC)) && bytes.Contains(b, apiKey)
}

// MaxSize is the size in bytes above which a script is not read.
const MaxSize = 8 << 20

// Read reads a file that is in a language other than None. It never fails:
// what cannot be parsed is left out.
func Read(lang Language, source []byte) *File {
	if lang == Unsure {
		if lang = None; Shebang(source) {
			lang = Shell
		}
	}
	if lang == None || len(source) > MaxSize || bytes.IndexByte(source, 0) >= 0 {
		return &File{}
	}
	r := &reader{file: &File{}}
	t := whole(string(source))
	if bytes.HasPrefix(source, []byte("\xef\xbb\xbf")) {
		t = t.slice(3, len(t.s))
	}
	t = t.unix()
	switch lang {
	case Shell:
		r.shell(t, nil)
	case Makefile:
		r.makefile(t)
	case Dockerfile:
		r.dockerfile(t)
	case Justfile:
		r.justfile(t)
	case Jenkinsfile:
		r.jenkinsfile(t)
	case Markdown:
		r.markdown(t)
	}
	return r.done()
}

// reader collects what is found in one text.
type reader struct {
	file *File
	// steps and copied count what was done, which is bounded.
	steps, copied int
	// told is set for a text that is not the whole file: a comment at its head
	// is not at the file's.
	told bool
}

// done puts what was found in order, each once.
func (r *reader) done() *File {
	f := r.file
	slices.SortStableFunc(f.Commands, func(a, b Command) int { return a.flag() - b.flag() })
	slices.SortStableFunc(f.Manifests, func(a, b Manifest) int { return a.t.all().Start - b.t.all().Start })
	f.Manifests = slices.CompactFunc(f.Manifests, func(a, b Manifest) bool { return a.t.all().Start == b.t.all().Start })
	slices.SortStableFunc(f.Comments, func(a, b Comment) int { return a.At.Start - b.At.Start })
	f.Comments = slices.CompactFunc(f.Comments, func(a, b Comment) bool { return a.At.Start == b.At.Start })
	return f
}

// flag is where the first flag of the command is that can be judged.
func (c *Command) flag() int {
	for i, a := range c.Args {
		if strings.HasPrefix(a.Text, "--dry-run") || strings.HasPrefix(a.Text, "--server-dry-run") {
			return c.At[i].Start
		}
	}
	return 0
}
