package goload

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// listed is a package as `go list -json` describes it.
type listed struct {
	ImportPath      string
	Name            string
	Dir             string
	ForTest         string
	Standard        bool
	DepOnly         bool
	GoFiles         []string
	CgoFiles        []string
	CompiledGoFiles []string
	IgnoredGoFiles  []string
	Imports         []string
	ImportMap       map[string]string
	Module          *struct {
		Path, Version, GoVersion string
		Main                     bool
	}
	Error *struct {
		ImportStack []string
		Pos, Err    string
	}
}

// listFields are the fields above. The go command does not compute the others.
const listFields = "ImportPath,Name,Dir,ForTest,Standard,DepOnly,GoFiles,CgoFiles,IgnoredGoFiles,Imports,ImportMap,Module,Error"

// path returns the package's path for the type checker, without the name of
// the test that a variant is for.
func (l *listed) path() string {
	path, _, _ := strings.Cut(l.ImportPath, " ")
	return path
}

// own reports whether the package belongs to the main module, or to a module of
// the workspace.
func (l *listed) own() bool { return l.Module != nil && l.Module.Main }

// testMain reports whether the package is the main program that the go command
// generates for a test.
func (l *listed) testMain() bool {
	return l.Name == "main" && strings.HasSuffix(l.ImportPath, ".test") && !strings.Contains(l.ImportPath, " ")
}

// list runs go list for the packages that the patterns match and their
// dependencies, dependencies first. If compiled is set, it lists only the
// packages that match, with the files that the compiler gets, which runs cgo.
func list(ctx context.Context, o Options, patterns []string, compiled bool) ([]*listed, []string, error) {
	args := []string{"list", "-e"}
	switch {
	case compiled:
		args = append(args, "-compiled", "-json=ImportPath,CompiledGoFiles")
	default:
		args = append(args, "-deps", "-json="+listFields)
	}
	if o.Tests {
		args = append(args, "-test")
	}
	args = append(args, o.BuildFlags...)
	args = append(args, "--")
	cmd := exec.CommandContext(ctx, "go", append(args, patterns...)...)
	cmd.Dir = o.Dir
	env := o.Env
	if env == nil {
		env = os.Environ()
	}
	if o.Dir != "" {
		// If links lead to the directory, the go command then reports it by the
		// name that the user knows.
		if dir, err := filepath.Abs(o.Dir); err == nil {
			env = append(env[:len(env):len(env)], "PWD="+dir)
		}
	}
	cmd.Env = env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := cmd.Start(); err != nil {
		if ctx.Err() != nil {
			return nil, nil, context.Cause(ctx)
		}
		return nil, nil, fmt.Errorf("running the go command: %w", err)
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
	remarks := lines(stderr.String())
	switch {
	case ctx.Err() != nil:
		return nil, nil, context.Cause(ctx)
	case err != nil:
		if len(remarks) > 0 {
			return nil, nil, errors.New(strings.Join(remarks, "\n"))
		}
		return nil, nil, fmt.Errorf("running the go command: %w", err)
	case broken != nil:
		return nil, nil, fmt.Errorf("reading the list of packages: %w", broken)
	}
	return all, remarks, nil
}

// lines returns the lines of a text except empty ones and those about the
// progress of downloads.
func lines(text string) []string {
	var all []string
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "go: downloading ") && !strings.HasPrefix(line, "# ") {
			all = append(all, line)
		}
	}
	return all
}
