// Package runtests runs gofmt, go vet, staticcheck and all tests in every module of a
// checkout of kubevet. It needs only Go and git.
//
// Usage:
//
//	go run internal/runtests/main.go [-lint]
package runtests

import (
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// testFlags has the flags that the tests of a module need. The tests of
// analyzers/internal/signatures read files outside of their module, which Go's test cache
// does not notice. They also download releases of client libraries.
var testFlags = map[string][]string{"analyzers/internal/signatures": {"-count=1", "-timeout=20m"}}

// lintOnly has modules that staticcheck and go vet check only with -lint. Analyzing their
// dependencies takes longer than the rest of the repository.
var lintOnly = map[string]bool{"beam": true, "internal/oracle": true}

// tools is the module that requires staticcheck. The modules below it have no code.
const tools = "internal/tools"

// Main runs the program and returns the exit status.
func Main(args []string, stderr io.Writer) int {
	flags := flag.NewFlagSet("runtests", flag.ContinueOnError)
	flags.SetOutput(stderr)
	lint := flags.Bool("lint", false, "run no tests, and staticcheck in all modules")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if err := run(*lint); err != nil {
		fmt.Fprintln(stderr, "runtests:", err)
		return 1
	}
	return 0
}

// run checks all modules in and below the working directory.
func run(lint bool) error {
	modules, err := Modules(".")
	if err != nil {
		return err
	}
	if err := checkFormat(); err != nil {
		return err
	}
	staticcheck, err := buildStaticcheck()
	if err != nil {
		return err
	}
	defer os.RemoveAll(filepath.Dir(staticcheck))
	for _, dir := range modules {
		if err := checkModule(dir, staticcheck, lint); err != nil {
			return err
		}
	}
	return nil
}

// checkModule runs staticcheck and go vet in a module. If lint is false, it also runs the
// tests.
func checkModule(dir, staticcheck string, lint bool) error {
	if lint || !lintOnly[dir] {
		if err := execute(dir, staticcheck, "./..."); err != nil {
			return err
		}
	}
	if lint {
		return execute(dir, "go", "vet", "./...")
	}
	vet := "-vet=all" // go test runs go vet, which saves a second build
	if lintOnly[dir] {
		vet = "-vet=off"
	}
	return execute(dir, "go", append(append([]string{"test", vet}, testFlags[dir]...), "./...")...)
}

// Modules returns the directories of the modules in and below root, root first. Modules
// in testdata are left out, because they are not code of the project.
func Modules(root string) ([]string, error) {
	var dirs []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") || filepath.ToSlash(path) == filepath.ToSlash(filepath.Join(root, tools))):
			return filepath.SkipDir
		case d.Name() == "go.mod":
			dir, err := filepath.Rel(root, filepath.Dir(path))
			if err != nil {
				return err
			}
			dirs = append(dirs, filepath.ToSlash(dir))
		}
		return nil
	})
	slices.Sort(dirs)
	return dirs, err
}

// checkFormat returns an error if gofmt would change a file.
func checkFormat() error {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("go env GOROOT: %w", err)
	}
	out, err := exec.Command(filepath.Join(strings.TrimSpace(string(root)), "bin", "gofmt"), "-l", ".").CombinedOutput()
	switch {
	case err != nil:
		return fmt.Errorf("gofmt: %w\n%s", err, out)
	case len(out) > 0:
		return fmt.Errorf("gofmt -w is needed for:\n%s", out)
	}
	return nil
}

// buildStaticcheck builds the staticcheck that the module tools requires, in a new
// directory. It returns the path of the program.
func buildStaticcheck() (string, error) {
	dir, err := os.MkdirTemp("", "runtests")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "staticcheck.exe") // Windows requires the suffix
	return path, execute(tools, "go", "build", "-o", path, "honnef.co/go/tools/cmd/staticcheck")
}

// execute prints and runs a command in the directory of a module.
func execute(dir, name string, args ...string) error {
	line := strings.Join(append([]string{strings.TrimSuffix(filepath.Base(name), ".exe")}, args...), " ")
	fmt.Printf("== %s: %s\n", dir, line)
	start := time.Now()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %s: %w", dir, line, err)
	}
	fmt.Printf("== %s: %.0f s\n", dir, time.Since(start).Seconds())
	return nil
}
