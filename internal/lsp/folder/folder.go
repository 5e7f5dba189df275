// Package folder checks the files in one folder of an editor's workspace. The texts of
// open documents replace the files on the disk. It checks like `kubevet lint`, with the
// settings from the folder's .kubevet.yaml.
//
// Scan checks all files of the folder and collects context objects, such as definitions
// of custom resources. Until the next Scan, checks of single files use these context
// objects.
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

// Folder is one folder of the workspace. It is safe for concurrent use, except that Scan
// and Render must not run at the same time.
type Folder struct {
	// Dir is the absolute path of the folder.
	Dir string

	app      *app.App
	openOnly bool // true if only the files that Scan receives are in the folder

	mu     sync.Mutex
	target string // in the syntax of --target; empty for the target of the configuration
	pass   *pass  // the last complete pass; nil before the first
}

// pass is the result of one Scan. When a file that the Scan skipped is checked, it is
// added to extra.
type pass struct {
	*lintrun.Session
	config string

	mu    sync.Mutex
	extra map[string]*lintrun.Session // sessions for skipped files, by file name
}

// Open returns a folder. If a.Isolate is true, charts are rendered in child processes. If
// only is true, the folder has only the files that Scan receives. This is for the
// directory of a document outside the workspace.
func Open(a *app.App, dir string, only bool) *Folder {
	own := *a
	own.Dir = dir
	own.Stdin, own.Stdout, own.Stderr = nil, discard{}, discard{}
	return &Folder{Dir: dir, app: &own, openOnly: only}
}

// discard is a stream that drops its output and is not a terminal.
type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

// SetTarget sets the target of the next Scan, in the syntax of --target. An empty string
// selects the target of the configuration. For an unknown target, SetTarget returns an
// error and changes nothing.
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

// TargetSetting returns the argument of the last successful SetTarget.
func (f *Folder) TargetSetting() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.target
}

// Target returns the target of the last Scan. It returns false before the first Scan.
func (f *Folder) Target() (lifecycle.Target, bool) {
	p := f.last()
	if p == nil {
		return lifecycle.Target{}, false
	}
	return p.Target(), true
}

// ConfigFile returns the path of the configuration that the last Scan has read, or "".
func (f *Folder) ConfigFile() string {
	if p := f.last(); p != nil {
		return p.config
	}
	return ""
}

// Name returns the name that findings have for a path.
func (f *Folder) Name(path string) string { return f.app.Name(path) }

// Path returns the path of a file name in findings.
func (f *Folder) Path(name string) string { return f.app.Path(filepath.FromSlash(name)) }

// Contains reports whether a path is in the folder.
func (f *Folder) Contains(path string) bool {
	rel, err := filepath.Rel(f.Dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// Report is the result of a Scan or a Render.
type Report struct {
	// Findings has the findings in the order of the files. Folder.Path returns the paths
	// of their files.
	Findings []rules.Finding
	// Notes has messages about files that could not be read or rendered, and remarks
	// about the configuration.
	Notes []string
	// Dropped is the number of findings beyond maxFindings.
	Dropped int
}

// maxFindings limits the memory for the findings of a Scan.
const maxFindings = 20_000

// add adds a finding. Its error is always nil.
func (r *Report) add(f rules.Finding) error {
	if len(r.Findings) == maxFindings {
		r.Dropped++
		return nil
	}
	r.Findings = append(r.Findings, f)
	return nil
}

// Scan reads the configuration and checks all files of the folder. If the folder has only
// open documents, it checks the files in paths. overlay has the texts of open documents.
// For a mistake in the configuration, Scan returns a *ConfigError.
func (f *Folder) Scan(ctx context.Context, overlay treefile.Overlay, paths []string) (*Report, error) {
	args := []string{"."}
	if f.openOnly {
		args = nil
		for _, path := range paths {
			args = append(args, f.Name(path))
		}
	}
	in, r, err := f.findInputs(ctx, overlay, args)
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

// findInputs reads the configuration and finds the inputs of a run.
func (f *Folder) findInputs(ctx context.Context, overlay treefile.Overlay, args []string) (*lintrun.Inputs, *lintrun.Run, error) {
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

// flags returns the flags of `kubevet lint`, with defaults for all except the target.
func (f *Folder) flags() *lintrun.Flags {
	flags := lintrun.DefaultFlags()
	flags.Target = f.TargetSetting()
	given := flags.Target != ""
	flags.Set = func(name string) bool { return given && name == "target" }
	return flags
}

// last returns the last pass, or nil before the first Scan.
func (f *Folder) last() *pass {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.pass
}

// ConfigError is a mistake in the configuration, or an error about a file that the
// configuration names.
type ConfigError struct{ Err error }

// Error returns the message of the mistake.
func (e *ConfigError) Error() string { return e.Err.Error() }

// Unwrap returns the mistake.
func (e *ConfigError) Unwrap() error { return e.Err }

// Mistakes returns the mistakes in the configuration file, with their positions.
func (e *ConfigError) Mistakes() []*config.Error { return mistakes(e.Err) }

// mistakes returns all errors in a tree that have a position in a configuration.
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

// CheckConfig returns the mistakes in the text of a configuration. It does not check the
// files that the text names.
func CheckConfig(name, text string) []*config.Error {
	_, err := config.Parse(name, []byte(text))
	return mistakes(err)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}
