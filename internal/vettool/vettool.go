// Package vettool implements the protocol of `go vet -vettool` and `go fix -fixtool`. The
// go command runs the tool for each package and each of its dependencies. It passes a
// file that describes the package. The tool writes the facts about the package to a file.
// The packages that import this one read the file.
//
// golang.org/x/tools/go/analysis/unitchecker implements the same protocol. It type-checks
// every dependency, which needs more than twice the CPU time. This package has these
// differences:
//
//   - It analyses only packages of the main module, and those functions of helper
//     libraries that may write to an API. It does not read other packages if the go command
//     provides export data.
//   - It supports rules that are off by default.
//   - It adds the severity before each message and the rule after it, because `go vet`
//     prints neither.
//   - Findings below the threshold of -fail-on do not make `go vet` fail.
package vettool

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"strings"

	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/internal/unit"
	"github.com/kubevet/kubevet/rules"
	"golang.org/x/tools/go/analysis"
)

// Tool is a tool of the go command.
type Tool struct {
	// Analyzers has all analyzers that flags can turn on.
	Analyzers []*analysis.Analyzer
	// Library reports whether functions of a package in another module may write to an
	// API. Its arguments are the import path of the package and the paths of its imports.
	// If such a package imports a package for which Client returns true, or a package
	// with facts, the analyzers in Facts run on it. If Library is nil, no package is a
	// library.
	Library func(importPath string, imports []string) bool
	Client  func(importPath string) bool
	Facts   []*analysis.Analyzer
	// Default reports whether an analyzer is on by default. Safe reports whether its
	// fixes can be applied without a review. The argument of both is the name of the
	// analyzer.
	Default, Safe func(name string) bool
	// Select returns the analyzers that are on. An analyzer such as unusedsuppression may
	// depend on which other analyzers are on. If Select is nil, the analyzers are
	// selected from Analyzers.
	Select func(on func(name string) bool) []*analysis.Analyzer
	// Set sets options of the analyzers. The flag -tests sets the option "tests". The
	// flag -strict sets the options in Strict, except options that the user sets with
	// their own flags.
	Set    func(options map[string]string) error
	Strict map[string]string
	// Target returns the options that the flag -target sets.
	Target func(version string) map[string]string
	// Severity returns the severity of a diagnostic of an analyzer.
	Severity func(analyzer string, d analysis.Diagnostic) rules.Severity
	// Prepare is called with the directory of a package before the analyzers run. It may
	// be nil.
	Prepare func(dir string) error
	// Manifests returns the findings about manifests in Go files. It may be nil.
	Manifests func(Embedding) ([]rules.Finding, error)

	Stdout, Stderr io.Writer
}

// Embedding says which manifests in Go files to check, and how.
type Embedding struct {
	// Files has the Go files of a package.
	Files []string
	// Rules has the analyzers of the rules that are on.
	Rules []*analysis.Analyzer
	// If Tests is true, files for tests are checked, too.
	Tests bool
	// Target is the value of the flag -target, or empty.
	Target string
}

// Called reports whether the go command has called the program as a tool. Otherwise the
// arguments are a command of kubevet.
func Called(args []string) bool {
	if len(args) == 0 {
		return false
	}
	if len(args) == 1 && (args[0] == "-flags" || args[0] == "--flags" || strings.HasPrefix(args[0], "-V=") || strings.HasPrefix(args[0], "--V=")) {
		return true
	}
	if len(args) > 1 && !strings.HasPrefix(args[0], "-") {
		return false // a command of kubevet whose last argument is a file with the extension .cfg
	}
	return strings.HasSuffix(args[len(args)-1], ".cfg") && len(args[len(args)-1]) > len(".cfg")
}

// settings are the values of the flags.
type settings struct {
	chosen   map[string]*choice
	strict   bool
	tests    bool
	json     bool
	fix      bool
	diff     bool
	context  int
	failOn   string
	target   string
	version  string
	describe bool
}

// never is the value of -fail-on that means that no finding makes go vet fail.
const never = "never"

// fails reports whether a finding makes go vet fail.
func (s *settings) fails(f finding) bool {
	lowest, err := rules.ParseSeverity(s.failOn)
	return err == nil && f.severity >= lowest
}

// check returns an error if the value of a flag is wrong.
func (s *settings) check() error {
	switch s.failOn {
	case rules.Error.String(), rules.Warning.String(), rules.Info.String(), never:
		return nil
	}
	return fmt.Errorf("unknown -fail-on %s: want error, warning, info or never", quote.Name(s.failOn))
}

// choice is the value of the flag with the name of an analyzer. given is true if the user
// set it.
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

// flags returns all flags of the tool. Each analyzer has a flag with its name. The own
// flags of an analyzer have its name and a dot as prefix. There are also the flags of the
// protocol.
func (t *Tool) flags(s *settings) *flag.FlagSet {
	set := flag.NewFlagSet("kubevet", flag.ContinueOnError)
	set.SetOutput(io.Discard) // Main prints the error, without the list of flags
	s.chosen = map[string]*choice{}
	for _, a := range t.Analyzers {
		c := &choice{}
		s.chosen[a.Name] = c
		title, _, _ := strings.Cut(a.Doc, "\n")
		set.Var(c, a.Name, title)
		a.Flags.VisitAll(func(f *flag.Flag) { set.Var(f.Value, a.Name+"."+f.Name, f.Usage) })
	}
	set.BoolVar(&s.strict, "strict", false, "run the rules, too, that are off unless named")
	set.BoolVar(&s.tests, "tests", false, "report in test files, too")
	set.StringVar(&s.failOn, "fail-on", rules.Error.String(), "lowest severity that makes go vet fail: error, warning, info or never")
	set.StringVar(&s.target, "target", "", "Kubernetes version or range that the code must work with, such as 1.31..1.37; default that of the module's client-go")
	set.BoolVar(&s.json, "json", false, "write findings as JSON")
	set.IntVar(&s.context, "c", -1, "show the line of each finding with this many lines around it")
	set.BoolVar(&s.fix, "fix", false, "apply the fixes that are safe")
	set.BoolVar(&s.diff, "diff", false, "with -fix, show what would change instead of changing it")
	set.StringVar(&s.version, "V", "", "print what the tool is")
	set.BoolVar(&s.describe, "flags", false, "print the flags as JSON")
	return set
}

// Main runs the tool with arguments and returns the exit status.
func (t *Tool) Main(args []string) int {
	var s settings
	set := t.flags(&s)
	if err := set.Parse(args); err != nil {
		return t.refuse(args, err)
	}
	switch {
	case s.version != "":
		return t.status(t.identify(s.version))
	case s.describe:
		return t.status(t.describe(set))
	case set.NArg() != 1:
		fmt.Fprintln(t.Stderr, "kubevet: expected one argument, a file whose name ends in .cfg, as the go command passes it")
		return 2
	}
	if err := t.apply(&s, set); err != nil {
		return t.refuse(args, err)
	}
	unit.Register(t.Analyzers)
	fails, err := t.run(set.Arg(0), &s)
	if err != nil {
		fmt.Fprintln(t.Stderr, quote.Lines(err.Error()))
		return 1
	}
	if fails && !s.json && !s.fix {
		return 1
	}
	return 0
}

// apply checks the values of the flags, and sets the options of the analyzers.
func (t *Tool) apply(s *settings, set *flag.FlagSet) error {
	if err := s.check(); err != nil {
		return err
	}
	options := map[string]string{}
	if s.strict {
		maps.Copy(options, t.Strict)
	}
	if s.target != "" {
		maps.Copy(options, t.Target(s.target))
	}
	set.Visit(func(f *flag.Flag) { delete(options, f.Name) })
	if s.tests {
		options["tests"] = "true"
	}
	if len(options) == 0 {
		return nil
	}
	return t.Set(options)
}

// refuse prints the error of a wrong flag and returns the exit status. The go command
// runs the tool for each dependency, too. For a dependency, refuse prints nothing and
// writes an empty output, so that the error is printed only for the packages that the
// user named.
func (t *Tool) refuse(args []string, wrong error) int {
	if c, err := readConfig(args[len(args)-1]); err == nil && c.VetxOnly && c.leave(leftover{}) == nil {
		return 0
	}
	fmt.Fprintln(t.Stderr, "kubevet:", quote.Lines(wrong.Error()))
	return 2
}

func (t *Tool) status(err error) int {
	if err != nil {
		fmt.Fprintln(t.Stderr, "kubevet:", quote.Lines(err.Error()))
		return 1
	}
	return 0
}

// selected returns the analyzers to run. As in go vet, if flags turn analyzers on, only
// these run. If flags only turn analyzers off, all others run.
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

// configure copies options to the analyzer a, from the known analyzer with the same name.
// This is necessary because Select may have created a as a copy.
func (t *Tool) configure(a *analysis.Analyzer) {
	for _, known := range t.Analyzers {
		if known.Name != a.Name || known == a {
			continue
		}
		known.Flags.VisitAll(func(f *flag.Flag) {
			if own := a.Flags.Lookup(f.Name); own != nil {
				// There is no error, because both analyzers accept the same values.
				_ = own.Value.Set(f.Value.String())
			}
		})
	}
}

// identify prints a line that identifies the build of the program. The go command uses it
// as a key of its cache. The line has the form that cmd/internal/objabi uses for a tool
// outside of a Go release.
func (t *Tool) identify(how string) error {
	if how != "full" {
		return fmt.Errorf("-V=%s: want -V=full", how)
	}
	name, err := os.Executable()
	if err != nil {
		return err
	}
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return err
	}
	_, err = fmt.Fprintf(t.Stdout, "%s version devel comments-go-here buildID=%02x\n", name, h.Sum(nil))
	return err
}

// describe prints the flags as JSON. From this, the go command knows which of its
// arguments belong to the tool.
func (t *Tool) describe(set *flag.FlagSet) error {
	type described struct {
		Name  string
		Bool  bool
		Usage string
	}
	var all []described
	set.VisitAll(func(f *flag.Flag) {
		usage := f.Usage
		if _, ok := f.Value.(*choice); ok && !t.Default(f.Name) {
			usage += " (off unless named, or with -strict)"
		}
		b, ok := f.Value.(interface{ IsBoolFlag() bool })
		all = append(all, described{f.Name, ok && b.IsBoolFlag(), usage})
	})
	data, err := json.MarshalIndent(all, "", "\t")
	if err != nil {
		return err
	}
	_, err = t.Stdout.Write(append(data, '\n'))
	return err
}
