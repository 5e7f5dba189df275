package vettool

import (
	"archive/zip"
	"errors"
	"fmt"
	"go/scanner"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/internal/atomicfile"
	"github.com/kubevet/kubevet/internal/fixset"
	"github.com/kubevet/kubevet/internal/gofix"
	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/internal/unit"
	"golang.org/x/tools/go/analysis"
)

// run analyses the package in a config file. name is the name of the file. run reports
// whether the package fails.
func (t *Tool) run(name string, s *settings) (fails bool, err error) {
	c, err := readConfig(name)
	if err != nil {
		return false, err
	}
	p := newProgram(c)
	if c.VetxOnly && !c.own() {
		if done, err := t.study(p); done || err != nil {
			return false, err
		}
		// Other packages need at most the types of this package, and can read them from
		// its export data. If the go command provides export data for the imports of this
		// package, it also provides export data for this package. If there are no
		// imports, kubevet cannot know this, but then the types are cheap to compute.
		if !c.leaf() && c.exported() {
			return false, c.leave(leftover{})
		}
		return false, p.declare()
	}
	u, facts, err := p.load()
	if err != nil {
		var typeError types.Error
		var syntax scanner.ErrorList
		if errors.As(err, &typeError) || errors.As(err, &syntax) {
			if c.SucceedOnTypecheckFailure {
				return false, c.leave(leftover{})
			}
			return false, err
		}
		return false, fmt.Errorf("kubevet: %w", err)
	}
	analyzers := t.selected(s)
	if t.Prepare != nil {
		if err := t.Prepare(c.Dir); err != nil {
			return false, fmt.Errorf("kubevet: %w", err)
		}
	}
	if s.fix {
		var safe []*analysis.Analyzer
		for _, a := range analyzers {
			if t.Safe(a.Name) {
				safe = append(safe, a)
			}
		}
		analyzers = safe
	}
	results := unit.Run(u, analyzers, facts)
	if err := p.pass(u, facts); err != nil {
		return false, fmt.Errorf("kubevet: %w", err)
	}
	if c.VetxOnly {
		return false, nil
	}
	results = wanted(results, analyzers)
	if s.fix {
		return false, t.fix(c, u.Fset, results, s.diff)
	}
	findings, failed := t.findings(u.Fset, results)
	if t.Manifests != nil {
		list, err := t.Manifests(Embedding{Files: c.GoFiles, Rules: analyzers, Tests: s.tests, Target: s.target})
		if err != nil {
			return false, fmt.Errorf("kubevet: %w", err)
		}
		findings = append(findings, aboutManifests(list)...)
	}
	return t.print(c, findings, failed, s)
}

// pass writes the facts for the packages that import this one. If there is no export
// data, it also writes the types.
func (p *program) pass(u *unit.Package, facts *unit.Facts) error {
	var l leftover
	var err error
	if l.facts, err = facts.Encode(u.Types); err != nil {
		return err
	}
	if p.leaf() || !p.exported() {
		if l.types, err = p.encodeTypes(u.Types); err != nil {
			return err
		}
	}
	return p.leave(l)
}

// wanted returns the results of the given analyzers, in the order of the analyzers.
func wanted(results []unit.Result, analyzers []*analysis.Analyzer) []unit.Result {
	var list []unit.Result
	for _, a := range analyzers {
		for _, r := range results {
			if r.Analyzer == a {
				list = append(list, r)
			}
		}
	}
	return list
}

// stdout returns the writer for the standard output, and a function that closes it.
func (t *Tool) stdout(c *config) (io.Writer, func() error, error) {
	if c.Stdout == "" {
		return t.Stdout, func() error { return nil }, nil
	}
	file, err := os.Create(c.Stdout)
	if err != nil {
		return nil, nil, err
	}
	return file, file.Close, nil
}

// fix applies fixes. If the go command names an archive, it writes the fixed files to the
// archive, otherwise it changes the files. If diff is true, it only prints the changes.
func (t *Tool) fix(c *config, fset *token.FileSet, results []unit.Result, diff bool) (err error) {
	var fixes fixset.Set
	for _, r := range results {
		if r.Err != nil {
			return r.Err
		}
		for _, d := range r.Diagnostics {
			if len(d.SuggestedFixes) > 0 {
				if edits, ok := unit.Edits(fset, d.SuggestedFixes[0]); ok {
					fixes.Add(edits)
				}
			}
		}
	}
	changed, err := fixes.Apply(os.ReadFile, gofix.Finish)
	if err != nil {
		return err
	}
	if diff {
		out, done, err := t.stdout(c)
		if err != nil {
			return err
		}
		for _, f := range changed {
			fmt.Fprint(out, f.Diff(f.Name))
		}
		return done()
	}
	if c.FixArchive == "" {
		for _, f := range changed {
			if err := atomicfile.Replace(f.Name, f.Old, f.New); err != nil {
				return fmt.Errorf("%s is not changed: %w", f.Name, err)
			}
		}
		return nil
	}
	file, err := os.Create(c.FixArchive)
	if err != nil {
		return err
	}
	archive := zip.NewWriter(file)
	if err := archive.SetComment(c.ID); err != nil {
		return err
	}
	for _, f := range changed {
		w, err := archive.Create(f.Name)
		if err != nil {
			return err
		}
		if _, err := w.Write(f.New); err != nil {
			return err
		}
	}
	return errors.Join(archive.Close(), file.Close())
}

// print prints findings: as JSON in the form of unitchecker to standard output, or as
// lines to standard error. It reports whether the package fails. A package fails if an
// analyzer failed, or if a finding has at least the severity of the threshold.
//
// Since Go 1.26, go vet requests JSON even without -json. Then it prints the findings and
// fails if there are any. Therefore, if all findings of a package are below the
// threshold, they are printed as lines. The tool succeeds for such a package, and go vet
// prints the lines of a tool that succeeds.
func (t *Tool) print(c *config, findings []finding, failed map[string]error, s *settings) (fails bool, err error) {
	findings = sorted(findings)
	fails = len(failed) > 0 || slices.ContainsFunc(findings, s.fails)
	if s.json {
		out, done, err := t.stdout(c)
		if err != nil {
			return false, err
		}
		inJSON := findings
		if c.printsJSON() && !fails {
			t.lines(findings, s)
			inJSON = nil
		}
		return fails, errors.Join(writeJSON(out, c.ID, inJSON, failed), done())
	}
	for _, name := range slices.Sorted(maps.Keys(failed)) {
		fmt.Fprintln(t.Stderr, "kubevet:", quote.Lines(failed[name].Error()))
	}
	t.lines(findings, s)
	return fails, nil
}

func (t *Tool) lines(findings []finding, s *settings) {
	for _, f := range findings {
		t.line(f.at.from, f.text(), s.context)
		for _, n := range f.related {
			t.line(n.at.from, "\t"+n.message, -1)
		}
	}
}

func (t *Tool) line(at token.Position, message string, context int) {
	file := at.Filename
	at.Filename = quote.Name(file)
	fmt.Fprintf(t.Stderr, "%s: %s\n", at, quote.Code(message))
	if context < 0 {
		return
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return
	}
	lines := strings.Split(string(data), "\n")
	for i := max(1, at.Line-context); i <= min(len(lines), at.Line+context); i++ {
		fmt.Fprintf(t.Stderr, "%d\t%s\n", i, quote.Code(lines[i-1]))
	}
}
