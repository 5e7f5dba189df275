// Package release builds the kube-apiservers of released versions of
// Kubernetes from the Go module registry.
package release

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/modfile"
)

// Versions returns the releases whose answers are recorded: the newest release, releases
// around the minors with the most changes, and an old one. 1.23 is the oldest release
// that builds without changes. For some patch releases (1.27.16, 1.31.14), the checksum
// database does not have all modules.
func Versions() []string { return []string{"1.37.1", "1.32.13", "1.31.4", "1.24.17"} }

// Converting returns the releases that convert objects between versions. Each old version
// of an API is served by at least one of them. 1.17 was the last release with the
// workloads of extensions/v1beta1 and apps/v1beta1. 1.22 removed versions that 1.21 has,
// and 1.25 removed versions that 1.24 has.
func Converting() []string {
	return []string{"1.17.17", "1.21.14", "1.24.17", "1.31.4", "1.37.1"}
}

// Minor returns the minor of a version, such as 1.37 for 1.37.1.
func Minor(version string) string {
	if i := strings.LastIndexByte(version, '.'); i > 0 {
		return version[:i]
	}
	return version
}

// cacheVariable is the environment variable with a directory for the build cache, which
// stays after the build.
const cacheVariable = "KUBEVET_ORACLE_GOCACHE"

// Build returns the file name of the kube-apiserver of a version. If dir does not have
// this program, Build builds it, which takes about five minutes of one core, 2 GB of
// memory, and 2 GB of temporary disk space.
func Build(ctx context.Context, version, dir string) (string, error) {
	return build(ctx, version, dir, "kube-apiserver", "k8s.io/kubernetes/cmd/kube-apiserver", "")
}

// Manager is like Build for the kube-controller-manager.
func Manager(ctx context.Context, version, dir string) (string, error) {
	return build(ctx, version, dir, "kube-controller-manager", "k8s.io/kubernetes/cmd/kube-controller-manager", "")
}

//go:embed typechecker/main.go.txt
var typeChecker string

// TypeChecker is like Build for a program that finds type errors in policies with the
// code of a version, 1.30 or newer. It takes less time.
func TypeChecker(ctx context.Context, version, dir string) (string, error) {
	return build(ctx, version, dir, "typechecker", "./typechecker", typeChecker)
}

// build builds a command of a release. If the release does not have the command, main is
// its source.
func build(ctx context.Context, version, dir, name, pkg, main string) (string, error) {
	binary := filepath.Join(dir, name+"-"+version)
	if _, err := os.Stat(binary); err == nil {
		return binary, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	module, err := os.MkdirTemp(dir, "build-"+version+"-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(module)
	file, err := goMod(ctx, version, module)
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", name, version, err)
	}
	if main != "" {
		if err := os.Mkdir(filepath.Join(module, name), 0o755); err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(module, name, "main.go"), []byte(main), 0o644); err != nil {
			return "", err
		}
	}
	if err := os.WriteFile(filepath.Join(module, "go.mod"), file, 0o644); err != nil {
		return "", err
	}
	major, rest, _ := strings.Cut(version, ".")
	minor, _, _ := strings.Cut(rest, ".")
	flags := []string{"-s", "-w"}
	for _, pkg := range []string{"k8s.io/component-base/version", "k8s.io/client-go/pkg/version"} {
		flags = append(flags, "-X", pkg+".gitVersion=v"+version, "-X", pkg+".gitMajor="+major, "-X", pkg+".gitMinor="+minor)
	}
	build := exec.CommandContext(ctx, "go", "build", "-mod=mod", "-trimpath", "-ldflags="+strings.Join(flags, " "),
		// A build without optimization takes two thirds of the time.
		"-gcflags=all=-N -l -dwarf=false",
		"-o", binary, pkg)
	build.Dir = module
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off", "GOFLAGS=")
	if os.Getenv(cacheVariable) == "" {
		// No other build can use the cache, so it is in a directory that is removed.
		build.Env = append(build.Env, "GOCACHE="+filepath.Join(module, "cache"))
	} else {
		build.Env = append(build.Env, "GOCACHE="+os.Getenv(cacheVariable))
	}
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building %s %s: %w\n%s", name, version, err, out)
	}
	return binary, nil
}

// goMod returns the go.mod of a module that builds a release. Published modules replace
// the release's staging directories. All other replacements of the release stay. Sources
// that must be completed (see complete) are written to dir.
func goMod(ctx context.Context, version, dir string) ([]byte, error) {
	list := exec.CommandContext(ctx, "go", "mod", "download", "-json", "k8s.io/kubernetes@v"+version)
	list.Dir = os.TempDir()
	list.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	out, err := list.Output()
	if err != nil {
		var failed *exec.ExitError
		if errors.As(err, &failed) {
			err = fmt.Errorf("%w: %s%s", err, out, failed.Stderr)
		}
		return nil, err
	}
	var downloaded struct{ GoMod, Dir string }
	if err := json.Unmarshal(out, &downloaded); err != nil {
		return nil, err
	}
	sources, err := complete(ctx, downloaded.Dir, dir)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(downloaded.GoMod)
	if err != nil {
		return nil, err
	}
	upstream, err := modfile.Parse(downloaded.GoMod, data, nil)
	if err != nil {
		return nil, err
	}

	var text bytes.Buffer
	text.WriteString("module oracle\n\n")
	if upstream.Go != nil {
		fmt.Fprintf(&text, "go %s\n\n", upstream.Go.Version)
	}
	for _, debug := range upstream.Godebug {
		fmt.Fprintf(&text, "godebug %s=%s\n\n", debug.Key, debug.Value)
	}
	fmt.Fprintf(&text, "require k8s.io/kubernetes v%s\n\n", version)
	staging := map[string]bool{}
	for _, r := range upstream.Require {
		if strings.HasPrefix(r.Mod.Path, "k8s.io/") && r.Mod.Version == "v0.0.0" {
			staging[r.Mod.Path] = true
		}
	}
	for _, r := range upstream.Replace {
		switch {
		case strings.HasPrefix(r.New.Path, "./staging/"):
			staging[r.Old.Path] = true
		case r.New.Version != "":
			fmt.Fprintf(&text, "replace %s => %s\n", r.Old.Path, withNewReflect2(r.New.Path+" "+r.New.Version))
		}
	}
	_, published, _ := strings.Cut(version, ".")
	for path := range staging {
		fmt.Fprintf(&text, "replace %s => %s v0.%s\n", path, path, published)
	}
	if sources != "" {
		fmt.Fprintf(&text, "replace k8s.io/kubernetes => ./%s\n", filepath.Base(sources))
		replace, err := writeEmptyModules(dir)
		if err != nil {
			return nil, err
		}
		text.WriteString(replace)
	}
	file, err := modfile.Parse("go.mod", text.Bytes(), nil)
	if err != nil {
		return nil, err
	}
	file.SortBlocks()
	return file.Format()
}

// Run returns a function that runs a kube-apiserver as a process. Its output
// goes to the file log.
func Run(binary, log string) func(ctx context.Context, args []string) error {
	return func(ctx context.Context, args []string) error {
		out, err := os.Create(log)
		if err != nil {
			return err
		}
		defer out.Close()
		process := exec.CommandContext(ctx, binary, args...)
		process.Stdout, process.Stderr = out, out
		process.Cancel = func() error { return process.Process.Signal(os.Interrupt) }
		process.WaitDelay = 20 * time.Second
		if err := process.Run(); err != nil {
			return fmt.Errorf("%s: %w; its log is %s", filepath.Base(binary), err, log)
		}
		return nil
	}
}
