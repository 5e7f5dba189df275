// Package folder checks the files of one folder of an editor's workspace, with the texts
// of open documents in place of those on the disk. It is `kubevet lint` for a process that
// stays. Settings come from the folder's .kubevet.yaml. A pass over the folder collects
// definitions of custom resources, for example, and checks of single files use them until
// the next pass.
package folder

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/config"
	"github.com/kubevet/kubevet/internal/cli/lintrun"
	"github.com/kubevet/kubevet/internal/treefile"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Folder is one folder. It is safe for concurrent use, except that Scan and Render must
// not run at the same time.
type Folder struct {
	// Dir is the absolute path of the folder.
	Dir string

	app  *app.App
	only bool // the folder has only the files that Scan gets

	mu     sync.Mutex
	target string // in the syntax of --target; empty for that of the configuration
	pass   *pass  // the last complete pass; nil before the first
}

// pass is the result of one pass over the folder. A file that is not an input of it, such
// as one that git ignores, is opened when it is checked.
type pass struct {
	*lintrun.Session
	config string

	mu    sync.Mutex
	extra map[string]*lintrun.Session // by name
}

// Open returns a folder. Charts are rendered in processes of this program if a.Isolate
// is set. If only is set, the folder has only the files that Scan gets: it is the directory
// of a document outside of the workspace.
func Open(a *app.App, dir string, only bool) *Folder {
	own := *a
	own.Dir = dir
	own.Stdin, own.Stdout, own.Stderr = nil, discard{}, discard{}
	return &Folder{Dir: dir, app: &own, only: only}
}

// discard is a stream that is not a terminal.
type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

// SetTarget sets the target of the next pass, as --target would; empty for that of the
// configuration. An unknown target is an error and changes nothing.
func (f *Folder) SetTarget(versions string) error {
	if versions != "" {
		if _, err := lifecycle.NewTarget(versions, nil, nil); err != nil {
			return err
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.target = versions
	return nil
}

// Chosen returns the argument of the last SetTarget.
func (f *Folder) Chosen() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.target
}

// Target returns the target of the last pass; false before the first.
func (f *Folder) Target() (lifecycle.Target, bool) {
	p := f.last()
	if p == nil {
		return lifecycle.Target{}, false
	}
	return p.Target(), true
}

// ConfigFile returns the path of the configuration that the last pass read; empty for
// none.
func (f *Folder) ConfigFile() string {
	if p := f.last(); p != nil {
		return p.config
	}
	return ""
}

// Name returns the name that findings have for a path.
func (f *Folder) Name(path string) string { return f.app.Name(path) }

// Path returns the path of a file by its name.
func (f *Folder) Path(name string) string { return f.app.Path(filepath.FromSlash(name)) }

// Contains reports whether a path is in the folder.
func (f *Folder) Contains(path string) bool {
	rel, err := filepath.Rel(f.Dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// Report is the result of a pass over the folder, or over one of its charts.
type Report struct {
	// Findings are in the order of the files. Their files have names as in Folder.Name.
	Findings []rules.Finding
	// Notes name files that could not be read or rendered, and remarks on the
	// configuration.
	Notes []string
	// Cut is the number of findings that were left out, because there are too many.
	Cut int
}

// maxFindings bounds the findings of a pass, so that a repository cannot take all memory.
const maxFindings = 20_000

// add adds a finding.
func (r *Report) add(f rules.Finding) error {
	if len(r.Findings) == maxFindings {
		r.Cut++
		return nil
	}
	r.Findings = append(r.Findings, f)
	return nil
}

// Scan reads the configuration and checks all files of the folder, or those that paths
// name in a folder with only these. overlay has the texts of open documents. A mistake in
// the configuration is a *ConfigError.
func (f *Folder) Scan(ctx context.Context, overlay treefile.Overlay, paths []string) (*Report, error) {
	args := []string{"."}
	if f.only {
		args = nil
		for _, path := range paths {
			args = append(args, f.Name(path))
		}
	}
	in, r, err := f.gather(ctx, overlay, args)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	report := &Report{Notes: append(in.Texts(), r.Settings.Notes...)}
	p := &pass{config: r.ConfigFile, extra: map[string]*lintrun.Session{}}
	if p.Session, err = r.Start(ctx, in); err != nil {
		return nil, err
	}
	sum, err := p.All(ctx, report.add)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	for _, u := range sum.Unreadable {
		report.Notes = append(report.Notes, u.File+": "+u.Error)
	}
	f.mu.Lock()
	f.pass = p
	f.mu.Unlock()
	return report, nil
}

// gather reads the configuration and finds the inputs.
func (f *Folder) gather(ctx context.Context, overlay treefile.Overlay, args []string) (*lintrun.Inputs, *lintrun.Run, error) {
	flags := f.flags()
	s, err := lintrun.NewSettings(f.app, flags)
	if err != nil {
		return nil, nil, &ConfigError{Err: err}
	}
	s.Overlay = overlay
	r, err := lintrun.New(f.app, s, flags)
	if err != nil {
		return nil, nil, &ConfigError{Err: err}
	}
	in, err := r.Gather(ctx, args, nil)
	switch {
	case err == nil:
		return in, r, nil
	case ctx.Err() != nil:
		return nil, nil, ctx.Err()
	}
	return nil, nil, &ConfigError{Err: err}
}

// flags returns the flags of a call of `kubevet lint` without flags, except for the
// target.
func (f *Folder) flags() *lintrun.Flags {
	flags := lintrun.DefaultFlags()
	flags.Target = f.Chosen()
	given := flags.Target != ""
	flags.Set = func(name string) bool { return given && name == "target" }
	return flags
}

// last returns the last pass; nil before the first.
func (f *Folder) last() *pass {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.pass
}

// ConfigError is a mistake in the configuration, or something that it names and that
// cannot be read.
type ConfigError struct{ Err error }

// Error returns the message of the mistake.
func (e *ConfigError) Error() string { return e.Err.Error() }

// Unwrap returns the mistake.
func (e *ConfigError) Unwrap() error { return e.Err }

// Mistakes returns the mistakes in the file, with their places.
func (e *ConfigError) Mistakes() []*config.Error { return mistakes(e.Err) }

// mistakes returns the errors about places of a configuration in a tree of errors.
func mistakes(err error) (all []*config.Error) {
	if at, ok := err.(*config.Error); ok {
		return []*config.Error{at}
	}
	switch e := err.(type) {
	case interface{ Unwrap() []error }:
		for _, one := range e.Unwrap() {
			all = append(all, mistakes(one)...)
		}
	case interface{ Unwrap() error }:
		return mistakes(e.Unwrap())
	}
	return all
}

// CheckConfig returns the mistakes in the text of a configuration. It does not look at the
// files that the configuration names.
func CheckConfig(name, text string) []*config.Error {
	_, err := config.Parse(name, []byte(text))
	return mistakes(err)
}

// exists reports whether there is a file.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}
