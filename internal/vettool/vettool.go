// Package vettool lets a program be the tool of `go vet -vettool` and of
// `go fix -fixtool`: the go command calls it for each package with a file that
// describes the package, and for each of its dependencies, so that it can leave
// facts about them.
//
// golang.org/x/tools/go/analysis/unitchecker does the same for any analyzers.
// This driver does less: only packages of the main module are analysed, and of
// all others nothing is read, as long as the go command offers their export
// data. It also knows rules that are off unless they are asked for, and writes
// the rule's name into the message, since `go vet` shows nothing else.
package vettool

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"strings"

	"github.com/kubevet/kubevet/internal/unit"
	"golang.org/x/tools/go/analysis"
)

// Tool is the program as the go command sees it.
type Tool struct {
	// Analyzers are all that can be asked for.
	Analyzers []*analysis.Analyzer
	// Default reports whether an analyzer runs without being asked for, Safe
	// whether its fixes may be applied unseen. Both get the analyzer's name.
	Default, Safe func(name string) bool
	// Select gives the analyzers to run, with whatever depends on the choice.
	// Nil takes them as they are chosen.
	Select func(on func(name string) bool) []*analysis.Analyzer
	// Set sets options of the analyzers: "tests" for the flag -tests, and
	// those of Strict for -strict, unless a flag of their own sets them.
	Set    func(options map[string]string) error
	Strict map[string]string

	Stdout, Stderr io.Writer
}

// Called reports whether the arguments are those that the go command gives to
// its tools, rather than those of a person.
func Called(args []string) bool {
	if len(args) == 0 {
		return false
	}
	if len(args) == 1 && (args[0] == "-flags" || args[0] == "--flags" || strings.HasPrefix(args[0], "-V=") || strings.HasPrefix(args[0], "--V=")) {
		return true
	}
	if len(args) > 1 && !strings.HasPrefix(args[0], "-") {
		return false // a command of kubevet's, about a file of that name
	}
	return strings.HasSuffix(args[len(args)-1], ".cfg") && len(args[len(args)-1]) > len(".cfg")
}

// settings are what the flags come to.
type settings struct {
	chosen   map[string]*choice
	strict   bool
	tests    bool
	json     bool
	fix      bool
	diff     bool
	context  int
	version  string
	describe bool
}

// choice is the value of the flag that is named like an analyzer.
type choice struct{ given, on bool }

func (c *choice) IsBoolFlag() bool { return true }
func (c *choice) String() string   { return "" }
func (c *choice) Set(s string) error {
	switch s {
	case "true", "1", "t", "T", "TRUE", "True":
		*c = choice{true, true}
	case "false", "0", "f", "F", "FALSE", "False":
		*c = choice{true, false}
	default:
		return errors.New("want true or false")
	}
	return nil
}

// flags makes the flag set: one flag for each analyzer, those of the analyzers
// behind their name and a dot, and the protocol's own.
func (t *Tool) flags(s *settings) *flag.FlagSet {
	set := flag.NewFlagSet("kubevet", flag.ContinueOnError)
	set.SetOutput(t.Stderr)
	s.chosen = map[string]*choice{}
	for _, a := range t.Analyzers {
		c := &choice{}
		s.chosen[a.Name] = c
		title, _, _ := strings.Cut(a.Doc, "\n")
		if !t.Default(a.Name) {
			title += " (off unless named, or with -strict)"
		}
		set.Var(c, a.Name, title)
		a.Flags.VisitAll(func(f *flag.Flag) { set.Var(f.Value, a.Name+"."+f.Name, f.Usage) })
	}
	set.BoolVar(&s.strict, "strict", false, "run the rules, too, that are off unless named")
	set.BoolVar(&s.tests, "tests", false, "report in test files, too")
	set.BoolVar(&s.json, "json", false, "write findings as JSON")
	set.IntVar(&s.context, "c", -1, "show the line of each finding with this many lines around it")
	set.BoolVar(&s.fix, "fix", false, "apply the fixes that are safe")
	set.BoolVar(&s.diff, "diff", false, "with -fix, show what would change instead of changing it")
	set.StringVar(&s.version, "V", "", "print what the tool is")
	set.BoolVar(&s.describe, "flags", false, "print the flags as JSON")
	return set
}

// Main does what the arguments ask for and returns the exit status.
func (t *Tool) Main(args []string) int {
	var s settings
	set := t.flags(&s)
	if err := set.Parse(args); err != nil {
		return 2
	}
	switch {
	case s.version != "":
		return t.status(t.identify(s.version))
	case s.describe:
		return t.status(t.describe(set))
	case set.NArg() != 1:
		fmt.Fprintln(t.Stderr, "kubevet: the go command gives a tool one file that ends in .cfg")
		return 2
	}
	options := map[string]string{}
	if s.tests {
		options["tests"] = "true"
	}
	if s.strict {
		maps.Copy(options, t.Strict)
		set.Visit(func(f *flag.Flag) { delete(options, f.Name) })
		if s.tests {
			options["tests"] = "true"
		}
	}
	if len(options) > 0 {
		if err := t.Set(options); err != nil {
			return t.status(err)
		}
	}
	unit.Register(t.Analyzers)
	found, err := t.run(set.Arg(0), &s)
	if err != nil {
		fmt.Fprintln(t.Stderr, err)
		return 1
	}
	if found && !s.json && !s.fix {
		return 1
	}
	return 0
}

func (t *Tool) status(err error) int {
	if err != nil {
		fmt.Fprintln(t.Stderr, "kubevet:", err)
		return 1
	}
	return 0
}

// selected are the analyzers to run. As in vet, to name some is to run those
// alone, and to name some with =false is to run all others.
func (t *Tool) selected(s *settings) []*analysis.Analyzer {
	some := false
	for _, c := range s.chosen {
		some = some || c.given && c.on
	}
	on := func(name string) bool {
		c := s.chosen[name]
		switch {
		case c == nil:
			return false
		case c.given:
			return c.on
		case s.strict:
			return true
		case some:
			return false
		}
		return t.Default(name)
	}
	if t.Select != nil {
		list := t.Select(on)
		for _, a := range list {
			t.configure(a)
		}
		return list
	}
	var list []*analysis.Analyzer
	for _, a := range t.Analyzers {
		if on(a.Name) {
			list = append(list, a)
		}
	}
	return list
}

// configure gives an analyzer that was made for the selection the options that
// were set for the one of its name.
func (t *Tool) configure(a *analysis.Analyzer) {
	for _, known := range t.Analyzers {
		if known.Name != a.Name || known == a {
			continue
		}
		known.Flags.VisitAll(func(f *flag.Flag) {
			if own := a.Flags.Lookup(f.Name); own != nil {
				// A value that one of them took is one that the other takes.
				_ = own.Value.Set(f.Value.String())
			}
		})
	}
}

// identify prints a line that changes whenever the program does: the go command
// caches by it. The form is that of cmd/internal/objabi, for a tool that is not
// part of a release.
func (t *Tool) identify(how string) error {
	if how != "full" {
		return fmt.Errorf("-V=%s: want -V=full", how)
	}
	name, err := os.Executable()
	if err != nil {
		return err
	}
	id, err := contentID(name)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(t.Stdout, "%s version devel comments-go-here buildID=%s\n", name, id)
	return err
}

// buildIDHead is how far into a program the linker's build ID stands
// (cmd/internal/buildid, readSize, and some).
const buildIDHead = 64 << 10

// contentID is different for every program: what the go command calls its
// content ID, which the linker wrote into it, or a hash where there is none. To
// hash a program of a hundred megabytes takes longer than to vet a package.
func contentID(name string) (string, error) {
	file, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	head := make([]byte, buildIDHead)
	n, err := io.ReadFull(file, head)
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return "", err
	}
	if id := linkedID(head[:n]); id != "" {
		return id, nil
	}
	h := sha256.New()
	h.Write(head[:n])
	if _, err := io.Copy(h, file); err != nil {
		return "", err
	}
	return fmt.Sprintf("%02x", h.Sum(nil)), nil
}

// linkedID finds the hash of the program's content in its build ID, which is
// ACTION/…/CONTENT: in a note of an ELF file or, elsewhere, in quotes behind a
// mark (cmd/internal/buildid, buildid.go and note.go).
func linkedID(head []byte) string {
	id := noted(head)
	if _, rest, ok := bytes.Cut(head, []byte("\xff Go build ID: \"")); ok && id == nil {
		if id, _, ok = bytes.Cut(rest, []byte("\"\n \xff")); !ok {
			return ""
		}
	}
	content := string(id[bytes.LastIndexByte(id, '/')+1:])
	if len(content) != contentLength || strings.ContainsFunc(content, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "" // it was built with another one, or with none
	}
	return content
}

// contentLength is the length of a hash in a build ID.
const contentLength = 20

// noted finds the description of an ELF note of the owner Go and type 4; nil if
// there is none.
func noted(head []byte) []byte {
	before, rest, ok := bytes.Cut(head, []byte("\x04\x00\x00\x00Go\x00\x00"))
	if !ok || !bytes.HasPrefix(head, []byte("\x7fELF")) || len(before) < 8 {
		return nil
	}
	size := binary.LittleEndian.Uint32(before[len(before)-4:])
	if uint64(size) > uint64(len(rest)) {
		return nil
	}
	return rest[:size]
}

// describe prints the flags, so that the go command knows which of its
// arguments are the tool's.
func (t *Tool) describe(set *flag.FlagSet) error {
	type described struct {
		Name  string
		Bool  bool
		Usage string
	}
	var all []described
	set.VisitAll(func(f *flag.Flag) {
		b, ok := f.Value.(interface{ IsBoolFlag() bool })
		all = append(all, described{f.Name, ok && b.IsBoolFlag(), f.Usage})
	})
	data, err := json.MarshalIndent(all, "", "\t")
	if err != nil {
		return err
	}
	_, err = t.Stdout.Write(append(data, '\n'))
	return err
}
