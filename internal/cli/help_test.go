package cli

import (
	"bytes"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kubevet/kubevet/internal/cli/help"
	"github.com/spf13/cobra"
)

var update = flag.Bool("update", false, "rewrite the reference in docs")

var referenceDir = filepath.Join("..", "..", "docs", "reference")

// TestReference checks that the generated files in docs/reference agree with the help of
// the program.
func TestReference(t *testing.T) {
	want := help.Reference(newRoot(Command{}.app()))
	if *update {
		for _, name := range slices.Sorted(maps.Keys(want)) {
			if err := os.WriteFile(filepath.Join(referenceDir, name), []byte(want[name]), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	got := map[string]string{}
	files, err := filepath.Glob(filepath.Join(referenceDir, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		got[filepath.Base(file)] = strings.ReplaceAll(string(data), "\r\n", "\n")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("run go test ./internal/cli -run TestReference -update (-help +docs/reference):\n%s", diff)
	}
}

// TestFlagGroups checks the help of commands with more than 20 flags. The flags must be
// in groups, each flag once, and the first group must have ten flags.
func TestFlagGroups(t *testing.T) {
	heading := regexp.MustCompile(`(?m)^(\S[^\n]*):\n((?: {2,6}-[^\n]*\n| {20,}[^\n]*\n)+)`)
	spelled := regexp.MustCompile(`(?m)^  (?:-.,|   ) --([a-z-]+)`)
	for cmd := range commandTree(newRoot(Command{}.app())) {
		sections := heading.FindAllStringSubmatch(cmd.UsageString(), -1)
		seen := map[string]bool{}
		for i, s := range sections {
			names := spelled.FindAllStringSubmatch(s[2], -1)
			for _, m := range names {
				if seen[m[1]] {
					t.Errorf("%s: --%s is listed twice", cmd.CommandPath(), m[1])
				}
				seen[m[1]] = true
			}
			if len(sections) > 1 && i == 0 && len(names) != 10 {
				t.Errorf("%s: the first group has %d flags, want 10", cmd.CommandPath(), len(names))
			}
			if s[1] == "Other flags" && len(names) > 1 {
				t.Errorf("%s: flags without a group: %v", cmd.CommandPath(), names)
			}
			if s[1] == "Flags" && len(names) > 20 {
				t.Errorf("%s: %d flags without groups", cmd.CommandPath(), len(names))
			}
		}
	}
}

// commandTree yields a command and all commands below it.
func commandTree(cmd *cobra.Command) func(func(*cobra.Command) bool) {
	return func(yield func(*cobra.Command) bool) {
		if !yield(cmd) {
			return
		}
		for _, sub := range cmd.Commands() {
			for c := range commandTree(sub) {
				if !yield(c) {
					return
				}
			}
		}
	}
}

// TestPlugin checks the texts of the kubectl plugin. Usage, examples and hints must show
// `kubectl kubevet`, as users type it.
func TestPlugin(t *testing.T) {
	for _, c := range []struct{ program, args, want, not string }{
		{"/usr/bin/kubevet", "lint --help", "\n  kubevet lint [flags]", "kubectl kubevet"},
		{"/opt/krew/kubectl-kubevet", "lint --help", "\n  kubectl kubevet lint [flags]", "  kubevet lint"},
		{`C:\krew\kubectl-kubevet.exe`, "audit diff --help", "kubectl kubevet audit diff [flags]", "  kubevet audit"},
		{"kubectl-kubevet", "--help", "  kubectl kubevet upgrade --from", "  kubevet"},
		{"kubectl-kubevet", "lint --help", "helm template ./chart | kubectl kubevet lint -", "| kubevet"},
		{"kubectl-kubevet", "go --help", `go vet -vettool="$(which kubevet)" ./...`, "  kubevet go"},
		{"kubectl-kubevet", "lint --nothing", "run 'kubectl kubevet lint --help' for usage", "'kubevet"},
		{"kubectl-kubevet", "a.yaml", "run 'kubectl kubevet lint a.yaml'", "'kubevet"},
	} {
		var out bytes.Buffer
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "a.yaml"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		Command{Stdout: &out, Stderr: &out, Program: c.program, Dir: dir}.Main(t.Context(), strings.Fields(c.args))
		if !strings.Contains(out.String(), c.want) || strings.Contains(out.String(), c.not) {
			t.Errorf("%s %s: want %q and not %q in:\n%s", c.program, c.args, c.want, c.not, out.String())
		}
	}
}

// TestManual checks the files of operating system packages: a manual page for each
// command, and the completion scripts. Two runs must generate the same files.
func TestManual(t *testing.T) {
	var runs []map[string]string
	for range 2 {
		dir := t.TempDir()
		var stderr bytes.Buffer
		c := Command{Stderr: &stderr, Dir: dir}
		if status := c.Main(t.Context(), []string{"manual", "--man", "man", "--completions", "completions"}); status != StatusClean {
			t.Fatalf("status %d: %s", status, stderr.String())
		}
		files := map[string]string{}
		for _, path := range mustFunc(filepath.Glob(filepath.Join(dir, "*", "*")))(t) {
			files[filepath.Base(path)] = string(mustFunc(os.ReadFile(path))(t))
		}
		runs = append(runs, files)
	}
	if diff := cmp.Diff(runs[0], runs[1]); diff != "" {
		t.Errorf("two runs differ:\n%s", diff)
	}
	for file, want := range map[string]string{
		"kubevet.1":            ".SH COMMANDS\n",
		"kubevet-lint.1":       ".SH FLAGS USED MOST\n.TP\n\\fB\\-t, \\-\\-target\\fR \\fIversion\\fR\n",
		"kubevet-audit-diff.1": "kubevet\\-audit(1)",
		"kubevet.bash":         "__start_kubevet",
		"kubevet.zsh":          "#compdef kubevet",
		"kubevet.fish":         "complete -c kubevet",
		"kubevet.ps1":          "Register-ArgumentCompleter",
	} {
		if !strings.Contains(runs[0][file], want) {
			t.Errorf("%s lacks %q", file, want)
		}
	}
}

// mustFunc returns a function that returns the value, or fails the test if there is an
// error.
func mustFunc[T any](value T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}
