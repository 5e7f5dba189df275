package analyzers_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kubevet/kubevet/analyzers"
	"github.com/kubevet/kubevet/analyzers/internal/analyzertest"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/analysis/multichecker"
	"golang.org/x/tools/go/analysis/unitchecker"
	"golang.org/x/tools/go/packages"
)

// driver is the environment variable that turns the test binary into a driver. Its values
// are "multichecker" and "unitchecker".
const driver = "KUBEVET_TEST_DRIVER"

// TestMain turns the test binary into a driver with all rules, if the variable driver is
// set. The driver is a multichecker, or a tool for go vet -vettool.
func TestMain(m *testing.M) {
	switch os.Getenv(driver) {
	case "multichecker":
		options := map[string]string{}
		if os.Getenv("SEVERITIES") != "" {
			options["severities"] = "true"
		}
		if _, err := analyzers.Set(options); err != nil {
			panic(err)
		}
		multichecker.Main(analyzers.All()...)
	case "unitchecker":
		unitchecker.Main(analyzers.All()...)
	}
	os.Exit(m.Run())
}

// TestDrivers checks that the standard drivers report the same findings. Package checker,
// like multichecker, keeps facts in memory. Unitchecker encodes the facts of each package. All
// of them load the modules of packages.
func TestDrivers(t *testing.T) {
	if testing.Short() {
		t.Skip("go vet compiles the stubs")
	}
	dir := analyzertest.Dir()
	want := checked(t, dir)
	if len(want) < 100 {
		t.Fatalf("only %d findings", len(want))
	}
	stdout, stderr, status := run(t, dir, os.Args[0], []string{driver + "=multichecker"}, "-json", "./...")
	if diff := cmp.Diff(want, fromJSON(t, stdout)); status != 0 || diff != "" {
		t.Errorf("multichecker: status %d\n%s-checker +multichecker:\n%s", status, stderr, diff)
	}
	stdout, stderr, status = run(t, dir, "go", []string{driver + "=unitchecker"}, "vet", "-vettool="+os.Args[0], "-json", "./...")
	if diff := cmp.Diff(want, fromJSON(t, stdout+stderr)); status != 0 || diff != "" {
		t.Errorf("unitchecker: status %d\n%s-checker +unitchecker:\n%s", status, stderr, diff)
	}
}

// checked returns the findings that package checker reports. Its sanity check fails if
// facts cannot be encoded, or if two encodings of a fact differ.
func checked(t *testing.T, dir string) []string {
	t.Helper()
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax | packages.NeedModule, Dir: dir, Env: offline()}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	graph, err := checker.Analyze(analyzers.All(), pkgs, &checker.Options{SanityCheck: true})
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, action := range graph.Roots {
		if action.Err != nil {
			t.Error(action.Err)
		}
		for _, d := range action.Diagnostics {
			all = append(all, action.Package.Fset.Position(d.Pos).String()+": "+d.Category+": "+d.Message)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// fromJSON returns the findings in the output of a driver: JSON objects, and lines that
// begin with # and name a package.
func fromJSON(t *testing.T, text string) []string {
	t.Helper()
	text = regexp.MustCompile(`(?m)^#.*\n`).ReplaceAllString(text, "")
	var all []string
	for dec := json.NewDecoder(strings.NewReader(text)); dec.More(); {
		var tree map[string]map[string]json.RawMessage
		if err := dec.Decode(&tree); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		for id, rules := range tree {
			for rule, list := range rules {
				var found []struct{ Category, Posn, Message string }
				if err := json.Unmarshal(list, &found); err != nil {
					t.Fatalf("%s: %s: %s", id, rule, list)
				}
				for _, d := range found {
					all = append(all, d.Posn+": "+d.Category+": "+d.Message)
				}
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// TestMulticheckerFixes checks that -fix of a standard driver applies fixes and that the
// fixed code compiles. It also checks that, with the option severities, messages begin with
// the severity.
func TestMulticheckerFixes(t *testing.T) {
	dir := t.TempDir()
	mod, err := os.ReadFile(filepath.Join(analyzertest.Dir(), "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	stubs := filepath.ToSlash(filepath.Join(analyzertest.Dir(), "stubs"))
	for name, text := range map[string]string{
		"go.mod": strings.ReplaceAll(string(mod), "./stubs/", stubs+"/"),
		"shop.go": `package shop

import (
	"encoding/json"

	batchv1beta1 "k8s.io/api/batch/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var options = metav1.DeleteOptions{DryRun: []string{"server"}}

func name(data []byte) (string, error) {
	var job batchv1beta1.CronJob
	err := json.Unmarshal(data, &job)
	return job.Name, err
}
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	multichecker := []string{driver + "=multichecker", "SEVERITIES=1"}
	_, stderr, status := run(t, dir, os.Args[0], multichecker, "-dryrunvalue", "-removedapi", "-removedapi.target=1.25", "./...")
	for _, want := range []string{
		`shop.go:10:53: error: dry-run value "server" is refused`,
		`shop.go:13:10: info: batch/v1beta1 CronJob was removed in 1.25`,
	} {
		if !strings.Contains(stderr, want) {
			t.Errorf("status %d, want %q in\n%s", status, want, stderr)
		}
	}
	if _, stderr, status := run(t, dir, os.Args[0], multichecker, "-fix", "-dryrunvalue", "./..."); status != 0 {
		t.Errorf("-fix: status %d\n%s", status, stderr)
	}
	fixed, err := os.ReadFile(filepath.Join(dir, "shop.go"))
	if err != nil || !bytes.Contains(fixed, []byte("metav1.DeleteOptions{DryRun: []string{metav1.DryRunAll}}")) {
		t.Errorf("%v\n%s", err, fixed)
	}
	if _, stderr, status := run(t, dir, "go", nil, "vet", "./..."); status != 0 {
		t.Errorf("the fixed code: %s", stderr)
	}
}

// TestFactTypes checks that two analyzers never share a fact type, and that each fact type
// is a pointer to a named type. Drivers register fact types by name.
func TestFactTypes(t *testing.T) {
	owner := map[string]*analysis.Analyzer{}
	var visit func(a *analysis.Analyzer)
	seen := map[*analysis.Analyzer]bool{}
	visit = func(a *analysis.Analyzer) {
		if seen[a] {
			return
		}
		seen[a] = true
		for _, f := range a.FactTypes {
			name := strings.TrimPrefix(reflect.TypeOf(f).String(), "*")
			if other := owner[name]; other != nil {
				t.Errorf("%s and %s have the fact type %s", a, other, name)
			}
			owner[name] = a
		}
		for _, r := range a.Requires {
			visit(r)
		}
	}
	for _, a := range slices.Concat(analyzers.All(), []*analysis.Analyzer{analyzers.Census, analyzers.Traces}) {
		visit(a)
	}
	if len(owner) == 0 {
		t.Error("no analyzer has facts")
	}
	t.Log(slices.Sorted(maps.Keys(owner)))
}

// run runs a program without access to the network. It returns the program's output and
// exit status.
func run(t *testing.T, dir, program string, env []string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &errs
	cmd.Env = append(offline(), env...)
	var exit *exec.ExitError
	switch err := cmd.Run(); {
	case errors.As(err, &exit):
		return out.String(), errs.String(), exit.ExitCode()
	case err != nil:
		t.Fatal(err)
	}
	return out.String(), errs.String(), 0
}

func offline() []string {
	return append(os.Environ(), "GOPROXY=off", "GOSUMDB=off", "GOTOOLCHAIN=local", "GOFLAGS=", "GOWORK=off")
}
