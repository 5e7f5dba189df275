// Package gocode reads Go modules for commands about other input. It finds the code of
// the clients that audit logs name, and the code that uses APIs that an upgrade breaks.
package gocode

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/kubevet/kubevet/analyzers"
	build "github.com/kubevet/kubevet/analyzers/programs"
	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/codetrace"
	"github.com/kubevet/kubevet/internal/goload"
	"github.com/kubevet/kubevet/internal/unit"
	"golang.org/x/tools/go/analysis"
)

// Code has the results of reading Go modules.
type Code struct {
	Modules []Module
	// Failed has the packages, modules and directories that could not be read.
	Failed []Failure
}

// Module has the results of reading one Go module.
type Module struct {
	codetrace.Module
	Failed      int
	files       int
	Diagnostics []goload.Diagnostic
	Matched     []string // names of Go files
}

// Failure is a package, module or directory that could not be read. Text is the error.
type Failure struct{ Name, Text string }

// Index returns an index that finds the code of a client.
func (c *Code) Index() *codetrace.Index {
	var modules []codetrace.Module
	for _, m := range c.Modules {
		modules = append(modules, m.Module)
	}
	return codetrace.New(modules)
}

// Read analyzes the Go modules in and below directories. more has further analyzers to
// run. The result also lists the modules that could not be read. allowDownload means the
// same as in goload.Options.
func Read(ctx context.Context, a *app.App, dirs []string, allowDownload bool, more ...*analysis.Analyzer) (*Code, error) {
	run := &Code{}
	seen := map[string]bool{}
	text := &Text{}
	for _, dir := range dirs {
		info, err := os.Stat(a.Path(dir))
		switch {
		case err != nil:
			run.Failed = append(run.Failed, Failure{dir, app.Cause(err).Error()})
			continue
		case !info.IsDir():
			run.Failed = append(run.Failed, Failure{dir, "is not a directory"})
			continue
		}
		for _, root := range moduleRoots(a.Path(dir)) {
			if seen[root] {
				continue
			}
			seen[root] = true
			if err := readModule(ctx, a, run, root, text, allowDownload, more); err != nil {
				return nil, err
			}
		}
	}
	return run, nil
}

// codeMarkers are texts in Go files. A package with one of them is analyzed even if it
// does not use Kubernetes, because it may define the user agent or field manager of other
// packages.
var codeMarkers = []string{"UserAgent(", "UserAgent =", "FieldManager =", "FieldOwner ="}

func readModule(ctx context.Context, a *app.App, run *Code, root string, text *Text, allowDownload bool, more []*analysis.Analyzer) error {
	m := Module{Module: codetrace.Module{Dir: a.Name(root)}}
	if mod, err := os.ReadFile(filepath.Join(ModuleRoot(root), "go.mod")); err == nil {
		m.Path = modulePath(string(mod))
	}
	result, err := goload.Run(ctx, goload.Options{
		Dir: root, Env: a.Env, Patterns: []string{"./..."}, AllowDownload: allowDownload,
		Analyzers: append([]*analysis.Analyzer{analyzers.Traces}, more...),
		Relevant:  analyzers.Relevant,
		Markers:   codeMarkers,
		Library:   analyzers.Library,
		Facts:     analyzers.Facts(),
		Visit: func(_ *unit.Package, results []unit.Result) {
			for _, r := range results {
				if t, ok := r.Value.(*analyzers.Trace); ok && r.Err == nil {
					nameTrace(a, t, text)
					m.Traces = append(m.Traces, t)
				}
			}
		},
	})
	switch {
	case ctx.Err() != nil:
		return app.ErrInterrupted
	case errors.Is(err, goload.ErrNoPackages):
		run.Failed = append(run.Failed, Failure{m.Dir, "holds no Go packages"})
		return nil
	case err != nil:
		// The message is cut, because the go command may print a line for each of several
		// hundred modules.
		why := []rune(strings.Join(strings.Fields(err.Error()), " "))
		if len(why) > maxWhy {
			why = append(why[:maxWhy], '…')
		}
		run.Failed = append(run.Failed, Failure{m.Dir, string(why)})
		return nil
	}
	for _, f := range result.Failures {
		m.Failed++
		why := "cannot be analysed"
		if len(f.Errors) > 0 {
			why = strings.Join(strings.Fields(f.Errors[0].Msg), " ")
			if p := f.Errors[0].Pos; p.Filename != "" {
				if !filepath.IsAbs(p.Filename) {
					p.Filename = filepath.Join(root, p.Filename)
				}
				p.Filename = a.Name(p.Filename)
				why = p.String() + ": " + why
			}
		}
		if more := len(f.Errors) - 1 + f.More; more > 0 {
			why += fmt.Sprintf(" (and %d more)", more)
		}
		run.Failed = append(run.Failed, Failure{f.Package, why})
	}
	if text := NotDownloaded(result.Missing); text != "" {
		run.Failed = append(run.Failed, Failure{m.Dir, text})
	}
	m.Diagnostics, m.Matched, m.files = result.Diagnostics, result.Matched, len(result.Files)
	m.Programs = programs(a, root, m.Path)
	run.Modules = append(run.Modules, m)
	return nil
}

// modulePath returns the path of the module in the text of a go.mod.
func modulePath(mod string) string {
	for line := range strings.Lines(mod) {
		if words := strings.Fields(line); len(words) >= 2 && words[0] == "module" {
			return strings.Trim(words[1], "\"`")
		}
	}
	return ""
}

// maxWhy is the maximal length of a module's error in characters.
const maxWhy = 400

// nameTrace converts the paths in t to names that the user would type, and the columns to
// code points.
func nameTrace(a *app.App, t *analyzers.Trace, text *Text) {
	at := func(p *token.Position) {
		if p.Filename != "" {
			p.Column = text.Column(*p)
			p.Filename = a.Name(p.Filename)
		}
	}
	at(&t.MainPos)
	for i := range t.Names {
		at(&t.Names[i].Pos)
	}
	for i := range t.Uses {
		at(&t.Uses[i].Pos)
	}
	for i := range t.Writes {
		at(&t.Writes[i].Pos)
	}
	for i := range t.Places {
		at(&t.Places[i].Pos)
	}
}

// moduleRoots returns the directories with a go.mod in and below dir, sorted. Directories
// that the go command ignores are left out. If dir is inside a module, or if there is no
// go.mod, the result also has dir.
func moduleRoots(dir string) (roots []string) {
	// The error is nil, because the callback returns only nil or SkipDir.
	_ = filepath.WalkDir(dir, func(at string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil // the go command reports this error
		}
		name := entry.Name()
		if entry.IsDir() && at != dir && (name == "vendor" || name == "testdata" || name == "node_modules" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")) {
			return filepath.SkipDir
		}
		if name == "go.mod" && entry.Type().IsRegular() {
			roots = append(roots, filepath.Dir(at))
		}
		return nil
	})
	slices.Sort(roots)
	if !slices.Contains(roots, dir) && (len(roots) == 0 || ModuleRoot(dir) != dir) {
		roots = append([]string{dir}, roots...)
	}
	return roots
}

// maxBuildFile is the maximal size of a build file in bytes (1 MiB).
const maxBuildFile = 1 << 20

// programs returns the names of the programs that a module builds, from Makefiles and
// Dockerfiles in the module's root and subdirectories, and from the configuration of
// GoReleaser.
func programs(a *app.App, root, module string) []codetrace.Program {
	var found []codetrace.Program
	files := map[string]bool{}
	for _, pattern := range []string{"Makefile", "*.mk", "Dockerfile*", "*.Dockerfile", "*/Makefile", "*/Dockerfile*", ".goreleaser.y*ml", "goreleaser.y*ml"} {
		// The patterns are valid, so the error is nil.
		names, _ := filepath.Glob(filepath.Join(globEscape(root), pattern))
		for _, name := range names {
			files[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() || info.Size() > maxBuildFile {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			continue // build files only add names, so a missing one is no error
		}
		read := build.Built(string(data), module)
		if strings.Contains(filepath.Base(name), "goreleaser") {
			read = build.Released(string(data), module)
		}
		for _, p := range read {
			p.At.Filename = a.Name(name)
			found = append(found, p)
		}
	}
	return found
}

func globEscape(dir string) string {
	if filepath.Separator == '\\' {
		return dir // on Windows, a backslash does not escape
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(dir)
}

// VersionRules are the IDs of the rules about API versions, which check Go code and the
// manifests in it. Each has the option "target".
var VersionRules = []string{"removedapi", "deprecatedapi"}

// OptionsInUse protects the options of analyzers, which are global variables. It must be
// locked while analyzers run.
var OptionsInUse sync.Mutex

// ModuleRoot returns the nearest directory with a go.mod: dir or one of its parents.
// Without a go.mod, it returns dir.
func ModuleRoot(dir string) string { return nearestParentWith(dir, "go.mod") }

// WorkspaceRoot returns the nearest directory with a go.work: dir or one of its parents.
// Without a go.work, it returns dir.
func WorkspaceRoot(dir string) string { return nearestParentWith(dir, "go.work") }

// nearestParentWith returns the nearest directory with a regular file of this name: dir
// or one of its parents. Without this file, it returns dir.
func nearestParentWith(dir, file string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if info, err := os.Stat(filepath.Join(at, file)); err == nil && info.Mode().IsRegular() {
			return at
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}
