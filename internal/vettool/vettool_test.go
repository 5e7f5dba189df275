package vettool

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/rules"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/txtar"
)

// marked is a fact about functions whose name begins with Marked.
type marked struct{ From string }

func (*marked) AFact() {}

// loud is an analyzer. It reports calls of marked functions and suggests a fix.
var loud = &analysis.Analyzer{
	Name: "loud", Doc: "report calls of marked functions", FactTypes: []analysis.Fact{(*marked)(nil)},
	Run: func(pass *analysis.Pass) (any, error) {
		for _, f := range pass.Files {
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncDecl:
					if strings.HasPrefix(n.Name.Name, "Marked") {
						pass.ExportObjectFact(pass.TypesInfo.Defs[n.Name], &marked{pass.Pkg.Path()})
					}
				case *ast.SelectorExpr:
					var fact marked
					if o := pass.TypesInfo.Uses[n.Sel]; o != nil && o.Pkg() != nil && pass.ImportObjectFact(o, &fact) {
						pass.Report(analysis.Diagnostic{
							Pos: n.Sel.Pos(), End: n.Sel.End(), Category: "loud", Message: "marked in " + fact.From,
							Related: []analysis.RelatedInformation{{Pos: f.Name.Pos(), Message: "this package"}},
							SuggestedFixes: []analysis.SuggestedFix{{Message: "Say Quiet", TextEdits: []analysis.TextEdit{
								{Pos: n.Sel.Pos(), End: n.Sel.End(), NewText: []byte("Quiet")},
							}}},
						})
					}
				}
				return true
			})
		}
		return nil, nil
	},
}

const files = `
-- far/far.go --
package far

type Far struct{}

func (Far) Name() string { return undefined.InABody }
-- own/own.go --
package own

import "far"

func MarkedHere() far.Far { return far.Far{} }

func Quiet() far.Far { return far.Far{} }
-- main/main.go --
package main

import "own"

func main() { println(own.MarkedHere().Name()) }
`

// chain runs the tool over three packages, like a go command that provides no export
// data. The package far belongs to another module, own and main belong to the main
// module. If the first flag is -to-file, the go command requests a file instead of
// standard output.
func chain(t *testing.T, flags ...string) (dir string, status int, stdout, stderr string, cfg map[string]any) {
	t.Helper()
	dir = t.TempDir()
	for _, f := range txtar.Parse([]byte(files)).Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, f.Data, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	toFile := len(flags) > 0 && flags[0] == "-to-file"
	if toFile {
		flags = flags[1:]
	}
	vetx := map[string]string{}
	for _, name := range []string{"far", "own", "main"} {
		imports := map[string]string{"own": "far", "main": "own"}
		cfg = map[string]any{
			"ID": name, "ImportPath": name, "GoVersion": "go1.24",
			"GoFiles":    []string{filepath.Join(dir, name, name+".go")},
			"ModulePath": "example.com/m", "ModuleVersion": "",
			"ImportMap": map[string]string{}, "PackageVetx": vetx,
			"VetxOnly": name != "main", "VetxOutput": filepath.Join(dir, name+".vetx"),
			"FixArchive": "",
		}
		if toFile {
			cfg["Stdout"] = filepath.Join(dir, name+".stdout")
		}
		if name == "far" {
			cfg["ModulePath"], cfg["ModuleVersion"] = "example.com/far", "v1.0.0"
		}
		if i := imports[name]; i != "" {
			cfg["ImportMap"] = map[string]string{i: i}
		}
		if name == "main" && len(flags) > 0 && flags[0] == "-fix" {
			cfg["FixArchive"] = filepath.Join(dir, "fix.zip")
		}
		data, err := json.Marshal(cfg)
		if err != nil {
			t.Fatal(err)
		}
		config := filepath.Join(dir, name+".cfg")
		if err := os.WriteFile(config, data, 0o666); err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		tool := &Tool{
			Analyzers: []*analysis.Analyzer{loud},
			Default:   func(string) bool { return true },
			Safe:      func(string) bool { return true },
			Severity:  func(string, analysis.Diagnostic) rules.Severity { return rules.Warning },
			Stdout:    &out, Stderr: &errs,
		}
		status = tool.Main(append(flags[:len(flags):len(flags)], config))
		stdout, stderr = out.String(), errs.String()
		if name != "main" && (status != 0 || stderr != "") {
			t.Fatalf("%s: status %d\n%s", name, status, stderr)
		}
		vetx[name] = filepath.Join(dir, name+".vetx")
	}
	return dir, status, stdout, stderr, cfg
}

// TestWithoutExportData checks a go command that does not build packages that are only
// vetted. Types and facts must still reach the packages that need them.
func TestWithoutExportData(t *testing.T) {
	dir, status, stdout, stderr, _ := chain(t, "-fail-on=warning")
	if status != 1 || stdout != "" {
		t.Errorf("status %d, output %q", status, stdout)
	}
	for _, want := range []string{
		filepath.Join(dir, "main", "main.go") + ":5:27: warning: marked in own [loud]\n",
		"main.go:1:9: \tthis package\n",
	} {
		if !strings.Contains(stderr, want) {
			t.Errorf("got\n%swant\n%s", stderr, want)
		}
	}
}

// TestFailOn checks that a finding below the threshold is printed, but does not make go
// vet fail. The go command fails for each finding in JSON that it has requested.
func TestFailOn(t *testing.T) {
	for _, tt := range []struct {
		flags  []string
		status int
		lines  bool // true if the finding must be on standard error
	}{
		{nil, 0, true},
		{[]string{"-fail-on=error"}, 0, true},
		{[]string{"-fail-on=warning"}, 1, true},
		{[]string{"-fail-on=info"}, 1, true},
		{[]string{"-fail-on=never"}, 0, true},
		{[]string{"-json"}, 0, false},
		{[]string{"-to-file", "-json"}, 0, true},
		{[]string{"-to-file", "-json", "-fail-on=warning"}, 0, false},
	} {
		_, status, stdout, stderr, cfg := chain(t, tt.flags...)
		if name, ok := cfg["Stdout"].(string); ok {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			stdout += string(data)
		}
		inJSON := strings.Contains(stdout, `"severity": "warning"`)
		if lines := strings.Contains(stderr, ": warning: marked in own [loud]\n"); status != tt.status || lines != tt.lines || inJSON == tt.lines {
			t.Errorf("%v: status %d\n%s%s", tt.flags, status, stderr, stdout)
		}
	}
	tool := &Tool{Analyzers: []*analysis.Analyzer{loud}, Stdout: io.Discard, Stderr: io.Discard}
	if status := tool.Main([]string{"-fail-on=preview", "x.cfg"}); status != 2 {
		t.Errorf("status %d for a severity that does not exist", status)
	}
}

// TestWrongFlag checks that the error of a wrong flag is not printed for dependencies.
func TestWrongFlag(t *testing.T) {
	for flag, want := range map[string]string{
		"-fail-on=loud": "kubevet: unknown -fail-on loud: want error, warning, info or never\n",
		"-loud=perhaps": "kubevet: invalid boolean value \"perhaps\" for -loud: want true or false\n",
	} {
		if _, status, _, stderr, _ := chain(t, flag); status != 2 || stderr != want {
			t.Errorf("%s: status %d, got %q", flag, status, stderr)
		}
	}
}

func TestJSON(t *testing.T) {
	_, status, stdout, stderr, _ := chain(t, "-json")
	if status != 0 || stderr != "" {
		t.Errorf("status %d\n%s", status, stderr)
	}
	var tree map[string]map[string][]struct {
		Category, Posn, End, Message string
		Fixes                        []struct{ Edits []struct{ New string } } `json:"suggested_fixes"`
		Related                      []struct{ Message string }
	}
	if err := json.Unmarshal([]byte(stdout), &tree); err != nil {
		t.Fatalf("%v\n%s", err, stdout)
	}
	list := tree["main"]["loud"]
	if len(list) != 1 || list[0].Category != "loud" || list[0].Message != "warning: marked in own [loud]" ||
		list[0].Fixes[0].Edits[0].New != "Quiet" || list[0].Related[0].Message != "this package" ||
		!strings.HasSuffix(list[0].Posn, "main.go:5:27") || !strings.HasSuffix(list[0].End, "main.go:5:37") {
		t.Errorf("got %s", stdout)
	}
}

func TestFix(t *testing.T) {
	dir, status, _, stderr, cfg := chain(t, "-fix")
	if status != 0 || stderr != "" {
		t.Errorf("status %d\n%s", status, stderr)
	}
	r, err := zip.OpenReader(cfg["FixArchive"].(string))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if len(r.File) != 1 || r.File[0].Name != filepath.Join(dir, "main", "main.go") {
		t.Fatalf("archive %v", r.File)
	}
	f, err := r.File[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(f)
	if err != nil || !strings.Contains(string(text), "own.Quiet().Name()") {
		t.Errorf("%v\n%s", err, text)
	}
	_, _, stdout, _, _ := chain(t, "-fix", "-diff")
	if !strings.Contains(stdout, "\n+func main() { println(own.Quiet().Name()) }\n") {
		t.Errorf("diff:\n%s", stdout)
	}
}

// TestNothingRead checks that the tool reads nothing of a package in another module, if
// the go command provides all data that importing packages need.
func TestNothingRead(t *testing.T) {
	dir := t.TempDir()
	config, out := filepath.Join(dir, "x.cfg"), filepath.Join(dir, "out")
	data, err := json.Marshal(map[string]any{
		"ID": "x", "ImportPath": "x", "GoFiles": []string{"/nowhere/x.go"}, "VetxOnly": true, "VetxOutput": out,
		"ModulePath": "example.com/other", "ModuleVersion": "v1.0.0",
		"ImportMap": map[string]string{"fmt": "fmt"}, "PackageFile": map[string]string{"fmt": "/nowhere/fmt.a"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(config, data, 0o666); err != nil {
		t.Fatal(err)
	}
	tool := &Tool{Default: func(string) bool { return true }, Stdout: io.Discard, Stderr: os.Stderr}
	if status := tool.Main([]string{config}); status != 0 {
		t.Errorf("status %d", status)
	}
	if left, err := os.ReadFile(out); err != nil || len(left) != 0 {
		t.Errorf("left %q, %v", left, err)
	}
}

func TestCalled(t *testing.T) {
	for args, want := range map[string]bool{
		"-V=full": true, "-flags": true, "unit.cfg": true, "-json -strict /tmp/vet.cfg": true, "-removedapi.target 1.25 /tmp/vet.cfg": true,
		"": false, "lint": false, "go ./...": false, ".cfg": false, "-V": false, "lint -flags": false, "lint server.cfg": false,
	} {
		if got := Called(strings.Fields(args)); got != want {
			t.Errorf("Called(%q) = %t", args, got)
		}
	}
}

func TestFlags(t *testing.T) {
	var out bytes.Buffer
	tool := &Tool{Analyzers: []*analysis.Analyzer{loud}, Default: func(string) bool { return false }, Stdout: &out, Stderr: io.Discard}
	if status := tool.Main([]string{"-flags"}); status != 0 {
		t.Errorf("status %d", status)
	}
	var flags []struct {
		Name, Usage string
		Bool        bool
	}
	if err := json.Unmarshal(out.Bytes(), &flags); err != nil {
		t.Fatal(err)
	}
	for _, f := range flags {
		if f.Name == "loud" && f.Bool && strings.Contains(f.Usage, "off unless named") {
			return
		}
	}
	t.Errorf("got %s", out.Bytes())
}
