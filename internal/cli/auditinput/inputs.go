// Package auditinput finds and reads the input of audit commands: audit logs, saved
// states and dumps of metrics.
package auditinput

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/manifestlint/source"
)

// Logs are the audit logs of a run.
type Logs struct {
	List   []auditlog.Input
	Size   int64 // in bytes on disk; 0 if unknown
	Failed []auditlog.Failure
	// fromDirs has the names of inputs that were found in a directory.
	fromDirs map[string]bool
	// emptyDirs has the names of directories without a file.
	emptyDirs []string
}

var errNoEvents = errors.New("holds no audit event")

// Barren returns the inputs without events in two lists. mistakes has the inputs that the
// user named. others has texts about files in directories, which may contain files of any
// kind. If events is 0, all inputs are mistakes. events is the number of events in the run
// and in saved states.
func (in *Logs) Barren(sum *auditlog.Summary, events int64) (mistakes []auditlog.Failure, others []string) {
	for i, name := range slices.Concat(sum.Barren, in.emptyDirs) {
		err := errNoEvents
		switch {
		case i >= len(sum.Barren):
			err = fmt.Errorf("%w: the directory has no files", err)
		case i < len(sum.Looks) && sum.Looks[i] != "":
			err = fmt.Errorf("%w: the file %s", err, sum.Looks[i])
		}
		if events == 0 || !in.fromDirs[name] {
			mistakes = append(mistakes, auditlog.Failure{Input: name, Err: err})
			continue
		}
		others = append(others, fmt.Sprintf("%s %v", quote.Name(name), err))
	}
	return mistakes, others
}

// Find returns the logs that the arguments name. For a directory, these are all regular
// files in and below it, sorted by name. Find follows a symbolic link only if the
// argument itself is a link.
func Find(ctx context.Context, a *app.App, args []string) (*Logs, error) {
	in := &Logs{fromDirs: map[string]bool{}}
	known := true
	seen := map[string]bool{}
	for _, arg := range args {
		if arg == "-" {
			known = false
			if !seen["-"] {
				seen["-"] = true
				stdin := app.NewStoppable(ctx, a.Stdin)
				in.List = append(in.List, auditlog.Input{Name: "-", Open: func() (io.ReadCloser, error) { return io.NopCloser(stdin), nil }})
			}
			continue
		}
		paths := []string{arg}
		_, err := os.Stat(a.Path(arg))
		if err != nil && source.IsURL(arg) {
			in.Failed = append(in.Failed, auditlog.Failure{Input: arg, Err: errors.New("URLs are not read: download the log first" + a.PipeHint())})
			continue
		}
		if err != nil && strings.ContainsAny(arg, "*?[") {
			matches, err := filepath.Glob(a.Path(arg))
			if err != nil {
				return nil, app.Usagef("malformed pattern %s", quote.Name(arg))
			}
			if len(matches) == 0 {
				return nil, app.Usagef("nothing matches %s", quote.Name(arg))
			}
			slices.Sort(matches)
			paths = paths[:0]
			for _, m := range matches {
				if !filepath.IsAbs(arg) {
					if short, err := filepath.Rel(a.Dir, m); err == nil {
						m = short
					}
				}
				paths = append(paths, m)
			}
		}
		for _, p := range paths {
			info, err := os.Stat(a.Path(p))
			switch {
			case err != nil:
				in.Failed = append(in.Failed, auditlog.Failure{Input: filepath.ToSlash(p), Err: app.Cause(err)})
			case info.IsDir():
				in.directory(a, p, seen)
			default:
				known = known && info.Mode().IsRegular()
				in.file(a, p, info.Size(), seen)
			}
		}
	}
	if !known {
		in.Size = 0
	}
	return in, nil
}

func (in *Logs) file(a *app.App, name string, size int64, seen map[string]bool) {
	full := a.Path(name)
	if seen[full] {
		return
	}
	seen[full] = true
	in.Size += size
	in.List = append(in.List, auditlog.Input{Name: filepath.ToSlash(name), Open: func() (io.ReadCloser, error) {
		f, err := os.Open(full)
		if err != nil {
			return nil, app.Cause(err)
		}
		return f, nil
	}})
}

func (in *Logs) directory(a *app.App, dir string, seen map[string]bool) {
	root := a.Path(dir)
	hollow := true
	// The error is nil, because the callback returns only nil or SkipDir.
	_ = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		name := dir
		if rest, relErr := filepath.Rel(root, path); relErr == nil {
			name = filepath.Join(dir, rest)
		}
		if err != nil {
			hollow = false
			in.Failed = append(in.Failed, auditlog.Failure{Input: filepath.ToSlash(name), Err: app.Cause(err)})
			return nil
		}
		if entry.IsDir() && entry.Name() == ".git" {
			return filepath.SkipDir
		}
		if !entry.Type().IsRegular() {
			return nil
		}
		hollow = false
		info, err := entry.Info()
		if err != nil {
			in.Failed = append(in.Failed, auditlog.Failure{Input: filepath.ToSlash(name), Err: app.Cause(err)})
			return nil
		}
		in.fromDirs[filepath.ToSlash(name)] = true
		in.file(a, name, info.Size(), seen)
		return nil
	})
	if hollow {
		in.emptyDirs = append(in.emptyDirs, filepath.ToSlash(dir))
	}
}

// Seq returns the logs.
func (in *Logs) Seq() iter.Seq[auditlog.Input] { return slices.Values(in.List) }
