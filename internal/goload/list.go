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

// listed is a package as `go list -json` describes it.
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

// listFields are the fields above. The go command does not compute the others.
const listFields = "ImportPath,Name,Dir,ForTest,Standard,DepOnly,GoFiles,CgoFiles,IgnoredGoFiles,TestGoFiles,XTestGoFiles,Imports,ImportMap,Module,Error"

// path returns the package's path for the type checker, without the name of
// the test that a variant is for.
func (l *listed) path() string {
	path, _, _ := strings.Cut(l.ImportPath, " ")
	return path
}

// own reports whether the package belongs to the main module, or to a module of
// the workspace.
func (l *listed) own() bool { return l.Module != nil && l.Module.Main }

// modules returns the modules of packages, except for the user's own, by path.
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

// testMain reports whether the package is the main program that the go command
// generates for a test.
func (l *listed) testMain() bool {
	return l.Name == "main" && strings.HasSuffix(l.ImportPath, ".test") && !strings.Contains(l.ImportPath, " ")
}

// listing is the result of go list.
type listing struct {
	// packages are those that the patterns match and their dependencies, dependencies
	// first.
	packages []*listed
	// remarks are remarks of the go command.
	remarks []string
	// missing are the modules that it would have to download.
	missing []string
	// hidden are the files that it did not get to see.
	hidden []hiddenFile
}

// list runs go list for the packages of the options.
func list(ctx context.Context, o Options) (*listing, error) {
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, err
	}
	// If links lead to the directory, the go command then reports it by the name
	// that the user knows.
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

// goCommand returns a go command.
func goCommand(ctx context.Context, dir string, env []string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	endTogether(cmd)
	cmd.Dir, cmd.Env = dir, env
	return cmd
}

// decode runs go list and decodes its output. It also returns what go list wrote to
// standard error.
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
	// The rest is not needed.
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

// failed returns the error of a go command that wrote a text to standard error.
func failed(ctx context.Context, err error, stderr string) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if remarks := lines(stderr); len(remarks) > 0 {
		return errors.New(strings.Join(remarks, "\n"))
	}
	return fmt.Errorf("running the go command: %w", err)
}

// downloading is what the go command prints before a module and its version when it
// needs them, even if it may not download.
const downloading = "go: downloading "

// lines returns the lines of a text except empty ones and those about the
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
