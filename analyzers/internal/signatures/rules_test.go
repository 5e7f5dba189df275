package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestRulePackages type-checks the packages that the rules' tests analyze, with the real
// client libraries of the newest release. It also checks the fixed code in the golden
// files.
//
// With the real libraries of each release, the rules must report the same findings as with
// the stubs. Packages that do not compile with an older release are left out.
func TestRulePackages(t *testing.T) {
	t.Parallel()
	list, err := ParseList(stubList)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := copyRulePackages(dir); err != nil {
		t.Fatal(err)
	}
	useRelease(t, dir, newest, list)
	real, err := Load(dir, module, "./...")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for p := range real.Packages {
		if strings.HasPrefix(p, module) {
			n++
			for _, err := range real.Errors[p] {
				t.Errorf("%s: %v", p, err)
			}
		}
	}
	if n == 0 {
		t.Error("no packages")
	}
	if t.Failed() {
		return
	}

	if err := os.RemoveAll(filepath.Join(dir, "fixed")); err != nil {
		t.Fatal(err)
	}
	kubevet := buildKubevet(t)
	useStubs(t, dir)
	stubs := runRules(t, kubevet, dir)
	if len(stubs.Findings) == 0 || len(stubs.Summary.Unreadable) > 0 {
		t.Fatalf("with the stubs: %d findings, unreadable: %v", len(stubs.Findings), stubs.Summary.Unreadable)
	}
	releases, err := Releases()
	if err != nil {
		t.Fatal(err)
	}
	for _, release := range releases {
		t.Run(release, func(t *testing.T) {
			useRelease(t, dir, release, list)
			got := runRules(t, kubevet, dir)
			broken := got.broken(real)
			if release == newest && len(broken) > 0 || len(broken)*2 > n {
				t.Fatalf("%d of %d packages cannot be checked: %v", len(broken), n, broken)
			}
			// Messages may list fields that older releases do not have.
			want, found := stubs.lines(broken, release == newest), got.lines(broken, release == newest)
			for _, f := range want {
				if !slices.Contains(found, f) {
					t.Errorf("found with the stubs only: %s", f)
				}
			}
			for _, f := range found {
				if !slices.Contains(want, f) {
					t.Errorf("found with the real libraries only: %s", f)
				}
			}
		})
	}
}

// module is the path of the module that contains the rules' test packages.
const module = "example.org/clients"

// report is the JSON output of kubevet go for a module.
type report struct {
	Findings []struct {
		Rule, File, Message string
		Line, Column        int
	}
	Summary struct {
		Unreadable []struct{ File, Error string }
	}
}

// runRules runs all rules in a module.
func runRules(t *testing.T, kubevet, dir string) report {
	t.Helper()
	cmd := exec.Command(kubevet, "go", "--strict", "--tests", "--no-config", "--target=1.37", "--fail-on=never", "--quiet", "-o=json", "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var r report
	if jsonErr := json.Unmarshal(out, &r); jsonErr != nil {
		t.Fatalf("kubevet go: %v, %v\n%s", err, jsonErr, &stderr)
	}
	return r
}

// broken returns the packages that could not be checked, and the packages that import them.
func (r report) broken(real *Loaded) map[string]bool {
	broken := map[string]bool{}
	for _, u := range r.Summary.Unreadable {
		broken[u.File] = true
	}
	for more := true; more; {
		more = false
		for path, p := range real.Packages {
			if p == nil || broken[path] || !strings.HasPrefix(path, module) {
				continue
			}
			for _, dep := range p.Imports() {
				if broken[dep.Path()] {
					broken[path], more = true, true
				}
			}
		}
	}
	return broken
}

// lines returns a line for each finding outside of the packages in without. messages says
// whether the lines contain messages.
func (r report) lines(without map[string]bool, messages bool) []string {
	var lines []string
	for _, f := range r.Findings {
		if without[path.Join(module, path.Dir(f.File))] {
			continue
		}
		line := fmt.Sprintf("%s:%d:%d: %s", f.File, f.Line, f.Column, f.Rule)
		if messages {
			line += ": " + f.Message
		}
		lines = append(lines, line)
	}
	return lines
}

// useRelease makes the module require the client libraries of a release.
func useRelease(t *testing.T, dir, release string, list *List) {
	t.Helper()
	mod, err := realModule(release, list)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(filepath.Join("testdata", release, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	writeModule(t, dir, mod, sum)
}

// useStubs makes the module require the stubs.
func useStubs(t *testing.T, dir string) {
	t.Helper()
	mod, err := os.ReadFile(filepath.Join(clients, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	stubs, err := filepath.Abs(filepath.Join(clients, "stubs"))
	if err != nil {
		t.Fatal(err)
	}
	writeModule(t, dir, bytes.ReplaceAll(mod, []byte("./stubs/"), []byte(filepath.ToSlash(stubs)+"/")), nil)
}

func writeModule(t *testing.T, dir string, mod, sum []byte) {
	t.Helper()
	for name, text := range map[string][]byte{"go.mod": mod, "go.sum": sum} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func buildKubevet(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "kubevet")
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	cmd := exec.Command("go", "build", "-o", name, "./cmd/kubevet")
	cmd.Dir = filepath.Join("..", "..", "..")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("building kubevet: %v\n%s", err, out)
	}
	return name
}

// copyRulePackages copies the files below analyzers/testdata, except the stubs. It makes a
// second copy of packages with golden files, below "fixed". In this copy, the golden files
// replace the original files.
func copyRulePackages(to string) error {
	goldens := map[string]bool{} // directories with golden files
	var files []string
	err := filepath.WalkDir(clients, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(clients, name)
		switch {
		case err != nil:
			return err
		case rel == "stubs":
			return filepath.SkipDir
		case strings.HasSuffix(rel, ".golden"):
			goldens[filepath.Dir(rel)] = true
			files = append(files, rel)
		case strings.HasSuffix(rel, ".go"):
			files = append(files, rel)
		}
		return nil
	})
	if err != nil {
		return err
	}
	slices.Sort(files) // x.go comes before x.go.golden
	for _, rel := range files {
		text, err := os.ReadFile(filepath.Join(clients, rel))
		if err != nil {
			return err
		}
		base, golden := strings.CutSuffix(rel, ".golden")
		if !golden {
			if err := put(filepath.Join(to, rel), text); err != nil {
				return err
			}
		}
		if goldens[filepath.Dir(rel)] {
			if err := put(filepath.Join(to, "fixed", base), text); err != nil {
				return err
			}
		}
	}
	return nil
}

// realModule returns the go.mod of a release for the module of the rules' packages. Only
// stubs that are written by hand replace modules.
func realModule(release string, list *List) ([]byte, error) {
	mod, err := os.ReadFile(filepath.Join("testdata", release, "go.mod"))
	if err != nil {
		return nil, err
	}
	text := strings.Replace(string(mod), "module release\n", "module "+module+"\n", 1)
	stubs, err := filepath.Abs(filepath.Join(clients, "stubs"))
	if err != nil {
		return nil, err
	}
	byHand := slices.DeleteFunc(slices.Clone(list.Modules), func(m Module) bool { return m.Version == "" })
	for _, m := range byHand {
		text += fmt.Sprintf("\nrequire %s %s\n\nreplace %s => %s\n", m.Path, m.Version, m.Path, filepath.Join(stubs, filepath.FromSlash(m.Path)))
	}
	return []byte(text), nil
}
