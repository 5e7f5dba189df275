package goload

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// environment returns a copy of the environment for the go command.
func (o Options) environment() []string {
	if o.Env == nil {
		return os.Environ()
	}
	return slices.Clone(o.Env)
}

// withoutDownloads returns an environment in which the go command does not use the
// network and does not change go.mod. The go command still uses the module cache, vendor
// directories and installed toolchains.
func withoutDownloads(ctx context.Context, dir string, env []string) ([]string, error) {
	env = append(env,
		"GOPROXY=off",
		// Modules that match GONOPROXY, or GOPRIVATE if that is empty, would bypass
		// GOPROXY. No module has the name "none".
		"GONOPROXY=none",
		"GOVCS=*:off",
	)
	// If the variable GOFLAGS is empty, the go command reads the flags from a file with
	// the user's settings. So go env is asked for them.
	cmd := exec.CommandContext(ctx, "go", "env", "GOFLAGS")
	endTogether(cmd)
	cmd.Dir, cmd.Env = dir, env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, explain(failed(ctx, err, stderr.String()))
	}
	// Without -mod, the go command uses the vendor directory or the module cache, and
	// changes nothing.
	flags := slices.DeleteFunc(strings.Fields(string(out)), func(f string) bool {
		f = strings.Trim(f, `'"`)
		return f == "-mod=mod" || f == "--mod=mod"
	})
	// Listing packages needs no version control. This flag also ensures that the variable
	// is not empty.
	return append(env, "GOFLAGS="+strings.Join(append(flags, "-buildvcs=false"), " ")), nil
}

// disabled is a part of the go command's message about a module that it must not
// download.
const disabled = "module lookup disabled by GOPROXY=off"

// moduleVersion matches a module with its version.
var moduleVersion = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[^\s@:"]+@v[0-9][^\s:,"]*`)
})

// missing returns the modules that must be downloaded to list the packages. stderr is the
// standard error of the go command.
func missing(list []*listed, stderr string) []string {
	var modules, packages []string
	for line := range strings.Lines(stderr) {
		if words := strings.Fields(strings.TrimPrefix(line, downloading)); strings.HasPrefix(line, downloading) && len(words) == 2 {
			modules = append(modules, words[0]+"@"+words[1])
		}
	}
	for _, l := range list {
		if l.Error == nil || !strings.Contains(l.Error.Err, disabled) {
			continue
		}
		packages = append(packages, l.path())
		for line := range strings.Lines(l.Error.Err) {
			if strings.Contains(line, disabled) {
				modules = append(modules, moduleVersion().FindAllString(line, -1)...)
			}
		}
	}
	if len(modules) == 0 {
		modules = packages
	}
	slices.Sort(modules)
	return slices.Compact(modules)
}

// explain adds a hint to an error of the go command, if the cause is that downloads are
// not allowed.
func explain(err error) error {
	text := err.Error()
	switch {
	case strings.Contains(text, disabled):
		err = errors.Join(err, errors.New("these modules are not downloaded: run 'go mod download', or use --allow-download"))
	case strings.Contains(text, "toolchain not available"), strings.Contains(text, "; GOTOOLCHAIN=local)"):
		err = errors.Join(err, errors.New("this version of Go is not installed: install it, or use --allow-download"))
	}
	return err
}
