package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/analyzers"
	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/rules"
	"github.com/spf13/cobra"
)

// foreignFlags are the flags of other programs in the documents.
var foreignFlags = []string{
	"dry-run", "server-dry-run", "dry-run-server", "show-managed-fields", "raw", "audit-log-path", "audit-webhook-config-file", "ignore-deprecations", // flags of kubectl, kube-apiserver, pluto
}

var (
	codeText = regexp.MustCompile("(?s)```.*?\n```|``[^`\n]+``|`[^`\n]+`")
	callText = regexp.MustCompile(`(?:^|[\s"|(/])kubevet ((?:[a-z]+)?[^|&;\n` + "`" + `]*)`)
	longFlag = regexp.MustCompile(`(?:^|[\s"\[(|])--([a-z][a-z0-9-]+)`)
	status   = regexp.MustCompile(`(?i)(?:exit )?status(?: is| of)?(?: then)? ([0-9]+)\b`)
	ignored  = regexp.MustCompile(`kubevet:ignore ([a-z]+)`)
	chosen   = regexp.MustCompile(`--(?:enable|disable)[ =]([a-z,]+)`)
	format   = regexp.MustCompile(`(?:^|\s)-o ([a-z]+)`)
)

// TestDocuments checks that each flag, format, rule and exit status in README.md and docs
// exists in kubevet.
func TestDocuments(t *testing.T) {
	root := newRoot(Command{}.app())
	calls := 0
	for _, file := range documents(t, "README.md", "docs/*.md", "docs/cases/*.md", "rules/*.md", "examples/README.md", "golangci/README.md") {
		d, text := newDocument(t, root, file)
		for _, part := range codeText.FindAllString(text, -1) {
			for line := range strings.Lines(strings.Trim(part, "`")) {
				for _, m := range callText.FindAllStringSubmatch(line, -1) {
					calls++
					d.checkCall(strings.TrimRight(m[1], "\n'\")"))
				}
			}
		}
	}
	if calls < 100 {
		t.Errorf("found %d calls only", calls)
	}
	// In other documents, code may also have flags of kubectl and rules of examples.
	for _, file := range documents(t, "README.md", "docs/*.md") {
		d, text := newDocument(t, root, file)
		for _, part := range codeText.FindAllString(text, -1) {
			d.checkFlags(part)
			d.checkRules(part)
		}
		for _, m := range status.FindAllStringSubmatch(strings.Join(strings.Fields(text), " "), -1) {
			if !slices.Contains([]string{"0", "1", "2", "3", "4", "134"}, m[1]) {
				t.Errorf("%s: %q: kubevet has no such exit status", d.name, m[0])
			}
		}
	}
}

// documents returns the names of the repository's files that match a pattern.
func documents(t *testing.T, patterns ...string) []string {
	t.Helper()
	var files []string
	for _, pattern := range patterns {
		found, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(pattern)))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: no document (%v)", pattern, err)
		}
		files = append(files, found...)
	}
	return files
}

// newDocument reads a file and returns it with its text. Commands of several lines are
// joined to one line.
func newDocument(t *testing.T, root *cobra.Command, file string) (document, string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(strings.ReplaceAll(string(data), "\r\n", "\n"), "\\\n", " ")
	return document{t, root, filepath.ToSlash(file)}, text
}

// document is a document whose commands are compared with the program.
type document struct {
	*testing.T
	root *cobra.Command
	name string
}

// checkCall checks that a call of kubevet has a known command, known flags and known
// formats.
func (d document) checkCall(line string) {
	line, _, _ = strings.Cut(line, " #")
	words := strings.Fields(line)
	if len(words) == 0 {
		return
	}
	if strings.HasPrefix(words[0], "COMMAND") || strings.ContainsAny(words[0], "…=:.") {
		return
	}
	cmd, _, err := d.root.Find(words)
	if err != nil || cmd == d.root && !strings.HasPrefix(words[0], "-") {
		d.Errorf("%s: kubevet %s: no such command", d.name, line)
		return
	}
	for _, m := range longFlag.FindAllStringSubmatch(" "+line, -1) {
		if f := cmd.Flags().Lookup(m[1]); f == nil && m[1] != "help" {
			d.Errorf("%s: kubevet %s: %s has no flag --%s", d.name, line, cmd.CommandPath(), m[1])
		}
	}
	output := cmd.Flags().Lookup("output")
	for _, m := range format.FindAllStringSubmatch(line, -1) {
		if output == nil || !strings.Contains(output.Usage, m[1]) {
			d.Errorf("%s: kubevet %s: no format %s", d.name, line, m[1])
		}
	}
}

// checkFlags checks that each flag in a piece of code exists in some command of kubevet,
// or is a flag of another program.
func (d document) checkFlags(code string) {
	for _, m := range longFlag.FindAllStringSubmatch(code, -1) {
		known := slices.Contains(foreignFlags, m[1]) || foreignCall.MatchString(code)
		for cmd := range commandTree(d.root) {
			known = known || m[1] == "help" || cmd.Flags().Lookup(m[1]) != nil
		}
		if !known {
			d.Errorf("%s: no command has the flag --%s", d.name, m[1])
		}
	}
}

// foreignCall matches code that calls another program with long flags, such as git.
var foreignCall = regexp.MustCompile(`(?m)\b(git|docker|cosign|sha256sum|curl|wget|sudo|gh|helm|brew|kubectl krew|aws|kustomize|pluto|podman|argocd|flux|gcloud|az)\b`)

// checkRules checks that all rules in a piece of code exist, in suppressions and in flags
// such as --enable.
func (d document) checkRules(code string) {
	var ids []string
	for _, m := range ignored.FindAllStringSubmatch(code, -1) {
		ids = append(ids, m[1])
	}
	for _, m := range chosen.FindAllStringSubmatch(code, -1) {
		ids = append(ids, strings.Split(strings.TrimSuffix(m[1], ","), ",")...)
	}
	for _, id := range ids {
		if _, known := rules.Lookup(id); !known && id != "all" && !rules.UpgradeCategory(id) {
			d.Errorf("%s: no rule %s", d.name, id)
		}
	}
}

// TestVetFlags checks that go vet accepts the flags in docs/go.md.
func TestVetFlags(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "docs", "go.md"))
	if err != nil {
		t.Fatal(err)
	}
	known := []string{"fail-on", "target", "strict", "tests", "json", "vettool", "fixtool", "o"}
	for _, a := range analyzers.All() {
		known = append(known, a.Name)
	}
	n := 0
	for _, m := range regexp.MustCompile("`-([a-z][a-z-]*)").FindAllStringSubmatch(string(data), -1) {
		n++
		if !slices.Contains(known, m[1]) {
			t.Errorf("go vet has no flag -%s", m[1])
		}
	}
	if n == 0 {
		t.Error("the guide shows no flag of go vet")
	}
}

// TestStatuses checks that docs/reports.md lists all exit statuses of the program.
func TestStatuses(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "docs", "reports.md"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range regexp.MustCompile(`(?m)^\| ([0-9]) \|`).FindAllStringSubmatch(string(data), -1) {
		got = append(got, m[1])
	}
	want := []string{}
	for s := app.StatusClean; s <= app.StatusIncomplete; s++ {
		want = append(want, string(rune('0'+s)))
	}
	if !slices.Equal(got, want) {
		t.Errorf("docs/reports.md lists the exit statuses %q, want %q", got, want)
	}
}

// TestConfigurationExample checks that kubevet accepts the example in
// docs/configuration.md.
func TestConfigurationExample(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "docs", "configuration.md"))
	if err != nil {
		t.Fatal(err)
	}
	example := regexp.MustCompile("(?s)```yaml\r?\n(.*?)```").FindSubmatch(data)
	if example == nil {
		t.Fatal("the guide has no example")
	}
	files := map[string]string{".kubevet.yaml": string(example[1]), "crds/a.yaml": "", "a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"}
	if _, stderr, status := runIn(t, files, "lint", "--config", ".kubevet.yaml", "."); status != StatusClean {
		t.Errorf("status %d: %s", status, stderr)
	}
}
