package goload

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// listed is a package in the output of `go list -json`.
type listed struct {
	ImportPath     string
	Name           string
	Dir            string
	ForTest        string
	Standard       bool
	DepOnly        bool
	GoFiles        []string
	CgoFiles       []string
	IgnoredGoFiles []string
	TestGoFiles    []string
	XTestGoFiles   []string
	Imports        []string
	ImportMap      map[string]string
	Module         *struct {
		Path, Version, GoVersion string
		Main                     bool
		Replace                  *struct{ Path, Version string }
	}
	Error *struct {
		ImportStack []string
		Pos, Err    string
	}
}

// listFields has the names of the fields above. The go command does not compute other
// fields.
const listFields = "ImportPath,Name,Dir,ForTest,Standard,DepOnly,GoFiles,CgoFiles,IgnoredGoFiles,TestGoFiles,XTestGoFiles,Imports,ImportMap,Module,Error"

// path returns the import path for the type checker. It removes the suffix of a test
// variant.
func (l *listed) path() string {
	path, _, _ := strings.Cut(l.ImportPath, " ")
	return path
}

// own reports whether the package belongs to the main module, or to a module of
// the workspace.
func (l *listed) own() bool { return l.Module != nil && l.Module.Main }

// modules returns the modules of packages, sorted by path. It leaves out the user's own
// modules.
func modules(list []*listed) []Module {
	byPath := map[string]Module{}
	for _, l := range list {
		if l.Module == nil || l.Module.Main {
			continue
		}
		m := Module{Path: l.Module.Path, Version: l.Module.Version}
		if r := l.Module.Replace; r != nil {
			m.Replacement, m.ReplacementVersion = r.Path, r.Version
		}
		byPath[m.Path] = m
	}
	return slices.SortedFunc(maps.Values(byPath), func(x, y Module) int { return strings.Compare(x.Path, y.Path) })
}

// testMain reports whether the package is the main program of a test, which the go
// command generates.
func (l *listed) testMain() bool {
	return l.Name == "main" && strings.HasSuffix(l.ImportPath, ".test") && !strings.Contains(l.ImportPath, " ")
}

// listing is the result of go list.
type listing struct {
	// packages has the packages that the patterns match, and their dependencies. Each
	// package comes after its dependencies.
	packages []*listed
	// remarks has the remarks of the go command.
	remarks []string
	// missing has the modules that must be downloaded first.
	missing []string
	// hidden has the files that were hidden from the go command.
	hidden []hiddenFile
}

// list runs go list for the patterns in the options.
func list(ctx context.Context, o Options) (*listing, error) {
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, err
	}
	// With PWD, the go command reports a directory by the name that the user knows, even
	// if the path has symbolic links.
	env := append(o.environment(), "PWD="+dir)
	l := &listing{}
	if l.hidden, err = irregularFiles(dir, env); err != nil {
		return nil, err
	}
	if !o.AllowDownload {
		if env, err = withoutDownloads(ctx, dir, env); err != nil {
			return nil, err
		}
	}
	args := []string{"list", "-e", "-deps", "-json=" + listFields}
	if o.Tests {
		args = append(args, "-test")
	}
	if len(l.hidden) > 0 {
		overlay, err := writeOverlay(l.hidden)
		if err != nil {
			return nil, err
		}
		defer os.Remove(overlay)
		args = append(args, "-overlay="+overlay)
	}
	args = append(append(args, o.BuildFlags...), "--")
	run := func(patterns []string) (string, error) {
		var stderr string
		cmd := goCommand(ctx, dir, env, append(slices.Clip(args), patterns...)...)
		l.packages, stderr, err = decode(ctx, cmd)
		return stderr, err
	}
	stderr, err := run(o.Patterns)
	if err == nil && outsideModules(l.packages) {
		if patterns := inWorkspace(ctx, dir, env, o.Patterns); patterns != nil {
			stderr, err = run(patterns)
		}
	}
	l.remarks = lines(stderr)
	if !o.AllowDownload {
		if err != nil && ctx.Err() == nil {
			return nil, explain(err)
		}
		l.missing = missing(l.packages, stderr)
	}
	return l, err
}

// goCommand returns a command that runs go with arguments.
func goCommand(ctx context.Context, dir string, env []string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	endTogether(cmd)
	cmd.Dir, cmd.Env = dir, env
	return cmd
}

// decode runs go list and decodes its output. It also returns the standard error of go
// list.
func decode(ctx context.Context, cmd *exec.Cmd) ([]*listed, string, error) {
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, "", err
	}
	if err := cmd.Start(); err != nil {
		return nil, "", failed(ctx, err, "")
	}
	var all []*listed
	var broken error
	for dec := json.NewDecoder(stdout); ; {
		l := &listed{}
		if err := dec.Decode(l); err == io.EOF {
			break
		} else if err != nil {
			broken = err
			break
		}
		all = append(all, l)
	}
	// Nothing more is needed from the output.
	_, _ = io.Copy(io.Discard, stdout)
	err = cmd.Wait()
	switch {
	case ctx.Err() != nil || err != nil:
		return nil, "", failed(ctx, err, stderr.String())
	case broken != nil:
		return nil, "", fmt.Errorf("reading the list of packages: %w", broken)
	}
	return all, stderr.String(), nil
}

// failed returns the error for a go command that ended with err. stderr is the standard
// error of the command.
func failed(ctx context.Context, err error, stderr string) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if remarks := lines(stderr); len(remarks) > 0 {
		return errors.New(strings.Join(remarks, "\n"))
	}
	return fmt.Errorf("running the go command: %w", err)
}

// downloading is the text that the go command prints before the name and version of a
// module that it needs to download. It prints this text even if it must not download.
const downloading = "go: downloading "

// lines returns the lines of a text. It leaves out empty lines and lines about the
// progress of downloads.
func lines(text string) []string {
	var all []string
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, downloading) && !strings.HasPrefix(line, "# ") {
			all = append(all, line)
		}
	}
	return all
}
