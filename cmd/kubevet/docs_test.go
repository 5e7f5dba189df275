package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kubevet/kubevet/internal/cli"
)

var repositoryRoot = filepath.Join("..", "..")

// TestDocs runs the console examples in the documentation. The lines after "$ kubevet
// ..." must be the output of the command, followed by its standard error. A line "…"
// stands for any lines. Examples without output are run, too. With -update, complete
// outputs are rewritten.
func TestDocs(t *testing.T) {
	block := regexp.MustCompile("(?ms)^```console\n\\$ kubevet ([^\n]*)\n(.*?)^```$")
	docs := []string{"README.md", filepath.Join("examples", "README.md"), filepath.Join("deploy", "audit", "README.md")}
	for _, name := range []string{"manifests.md", "go.md", "audit.md", "upgrade-report.md"} {
		docs = append(docs, filepath.Join("docs", name))
	}
	for _, doc := range docs {
		t.Run(filepath.ToSlash(doc), func(t *testing.T) {
			path := filepath.Join(repositoryRoot, doc)
			text := read(t, path)
			updated := text
			for _, m := range block.FindAllStringSubmatch(text, -1) {
				line, want := m[1], m[2]
				if strings.ContainsAny(line, "|<>'\"$*") || strings.Contains(line, " - ") {
					t.Errorf("$ kubevet %s: only plain arguments can be run; use another fence than console", line)
					continue
				}
				stdout, stderr, status := kubevet(t, strings.Fields(line)...)
				if status > cli.StatusFindings {
					t.Errorf("$ kubevet %s: exit status %d\n%s", line, status, stderr)
				}
				got := maskRunTime(stdout + stderr)
				elided := strings.Contains("\n"+want, "\n…\n")
				if want == "" || got == want || maskRunTime(stdout) == want || elided && hasLinesInOrder(got, want) {
					continue
				}
				if *update && !elided {
					updated = strings.Replace(updated, m[0], "```console\n$ kubevet "+line+"\n"+got+"```", 1)
					continue
				}
				t.Errorf("$ kubevet %s (-documented +printed):\n%s", line, cmp.Diff(want, got))
			}
			if updated != text {
				if err := os.WriteFile(path, []byte(updated), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// hasLinesInOrder reports whether got has all lines of want in their order. A line "…" in
// want allows any lines in between.
func hasLinesInOrder(got, want string) bool {
	rest := strings.Split(got, "\n")
	for line := range strings.SplitSeq(want, "\n") {
		if line == "…" {
			continue
		}
		i := slices.Index(rest, line)
		if i < 0 {
			return false
		}
		rest = rest[i+1:]
	}
	return true
}

// maskRunTime replaces the run time in an output by 0.00s.
func maskRunTime(text string) string {
	return regexp.MustCompile(`(?m)^((?:checked|analyzed) .*) in [0-9.]+(ms|s)$`).ReplaceAllString(text, "$1 in 0.00s")
}

// kubevet runs kubevet in the root of the repository.
func kubevet(t *testing.T, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	var out, errs bytes.Buffer
	c := cli.Command{Stdout: &out, Stderr: &errs, Dir: repositoryRoot}
	status = c.Main(t.Context(), args)
	return out.String(), errs.String(), status
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(data), "\r\n", "\n")
}

// TestTestCommand checks that the documents, the Makefile and CI run the tests with one
// command.
func TestTestCommand(t *testing.T) {
	const command = "go run internal/runtests/main.go"
	for _, file := range []string{"README.md", "CONTRIBUTING.md", ".ci/run"} {
		if !strings.Contains(read(t, filepath.Join(repositoryRoot, file)), "\n"+command+"\n") {
			t.Errorf("%s lacks the command %s", file, command)
		}
	}
	if make := "\t" + strings.Replace(command, "go", "$(GO)", 1) + "\n"; !strings.Contains(read(t, filepath.Join(repositoryRoot, "Makefile")), make) {
		t.Errorf("Makefile lacks the command %s", command)
	}
}

// TestSecurity checks that the tests and scripts in SECURITY.md exist.
func TestSecurity(t *testing.T) {
	list := regexp.MustCompile(`(?m)^- (?:.+\n)(?:  .+\n)*`)
	name := regexp.MustCompile("`([^`]+)`(:?)")
	verified := 0
	for _, item := range list.FindAllString(read(t, filepath.Join(repositoryRoot, "SECURITY.md")), -1) {
		dir := ""
		for _, m := range name.FindAllStringSubmatch(item, -1) {
			switch word := m[1]; {
			case m[2] == ":":
				dir = word
			case strings.HasPrefix(word, "Test"), strings.HasPrefix(word, "Fuzz"):
				verified++
				if !hasTest(t, dir, word) {
					t.Errorf("%s has no test %s", dir, word)
				}
			case dir != "" || strings.HasPrefix(item, "- story"):
				verified++
				if _, err := os.Stat(filepath.Join(repositoryRoot, "testdata", "script", word+".txtar")); err != nil {
					t.Error(err)
				}
			}
		}
	}
	if verified == 0 {
		t.Error("SECURITY.md names no test")
	}
}

// hasTest reports whether a file of a package, for any operating system, has the test
// function.
func hasTest(t *testing.T, dir, function string) bool {
	files, err := filepath.Glob(filepath.Join(repositoryRoot, dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(files, func(file string) bool {
		return strings.Contains(read(t, file), "\nfunc "+function+"(")
	})
}

// TestPreCommit runs kubevet's hook with the real pre-commit.
func TestPreCommit(t *testing.T) {
	if testing.Short() {
		t.Skip("installs the hook into a throw-away repository; not with -short")
	}
	for _, program := range []string{"pre-commit", "bash", "git", "tar"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("needs %s, which is not installed", program)
		}
	}
	if out, err := exec.Command("git", "-C", repositoryRoot, "rev-parse", "--is-inside-work-tree").CombinedOutput(); err != nil {
		t.Skipf("needs a git checkout: %s", bytes.TrimSpace(out))
	}
	cmd := exec.Command("bash", filepath.Join(repositoryRoot, "testdata", "pre-commit", "run.sh"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatal(fmt.Errorf("%w\n%s", err, out))
	}
}
