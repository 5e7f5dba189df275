package layout

import (
	"encoding/json"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/kubevet/kubevet/"

// forbidden has the packages that code below a folder must never import, directly or
// indirectly.
var forbidden = []struct {
	folder  string
	imports []string
	why     string
}{
	{"rules/lifecycle", []string{module + "rules/apiserver", module + "manifestlint", module + "internal", "sigs.k8s.io/", "k8s.io/"},
		"tables are loaded by everything, so they need nothing"},
	{"rules/components", []string{module + "rules/apiserver", module + "manifestlint", module + "internal", "sigs.k8s.io/", "k8s.io/"},
		"tables are loaded by everything, so they need nothing"},
	{"rules/projects", []string{module + "rules/", module + "manifestlint", module + "internal", "sigs.k8s.io/", "k8s.io/"},
		"tables are loaded by everything, so they need nothing"},
	{"rules/apiserver", []string{module + "manifestlint", module + "analyzers", module + "internal"},
		"verdicts know objects, not who asks"},
	{"manifestlint", []string{module + "analyzers", module + "internal", "golang.org/x/tools/"},
		"objects and Go code are judged apart"},
	{"manifestlint/checks", []string{module + "manifestlint/source"},
		"checks do not know where objects come from"},
	{"auditlog", []string{module + "manifestlint", module + "analyzers", module + "internal", module + "rules/apiserver", "k8s.io/", "golang.org/x/tools/", "github.com/spf13/"},
		"audit logs are a front end of their own: requests are read without the linter and without a client"},
	{"manifestlint/scripts", []string{module + "manifestlint", module + "analyzers", module + "internal"},
		"the reader of shell text knows kubectl and places, and not who judges what it finds"},
	{"manifestlint/additional", []string{module + "manifestlint", module + "rules/apiserver"},
		"a list of versions is read by itself"},
	{"analyzers", []string{module + "manifestlint", module + "internal", module + "rules/apiserver", "sigs.k8s.io/", "go.yaml.in/", "github.com/spf13/", "k8s.io/"},
		"other tools embed the analyzers: x/tools and the catalogue are all they need"},
	{"internal/goload", []string{module + "analyzers", module + "manifestlint", module + "rules", module + "internal/cli", "sigs.k8s.io/", "github.com/spf13/"},
		"a driver runs analyzers and knows none"},
	{"internal/unit", []string{module + "analyzers", module + "manifestlint", module + "rules", module + "internal/cli"},
		"a driver runs analyzers and knows none"},
	{"internal/vettool", []string{module + "analyzers", module + "manifestlint", module + "rules/", module + "internal/cli", "sigs.k8s.io/", "github.com/spf13/"},
		"a driver runs analyzers and knows none"},
	{"internal/fixset", []string{module, "golang.org/x/tools/"},
		"edits of text know nothing of what made them"},
	{"internal/gofix", []string{module + "analyzers", module + "manifestlint", module + "rules", module + "internal", "golang.org/x/tools/"},
		"fixes are edits of text"},
	{"internal/upgrade", []string{module + "manifestlint", module + "analyzers", module + "internal/cli", module + "internal/goload", "golang.org/x/tools/"},
		"evidence is merged by who knows nothing of how it was found"},
	{"internal/codetrace", []string{module + "manifestlint", module + "internal/cli", module + "internal/goload", "github.com/spf13/"},
		"code is found by what was traced of it, whoever asks"},
	{"internal/quote", []string{module}, "names are quoted the same way everywhere"},
	{"internal/columns", []string{module}, "tables know nothing of their content"},
	{"internal/atomicfile", []string{module}, "a file is written without knowing its content"},
	{"internal/treefile", []string{module}, "files are opened in one way, whatever needs them"},
	{"internal/fixrun", []string{module + "internal/cli", module + "analyzers"},
		"fixes are applied the same way whatever command asks for them"},
	{"internal/kubectlapply", []string{module + "internal/cli", module + "analyzers"},
		"kubectl's output depends on objects and answers only"},
	{"internal/playground", []string{module + "internal/cli", module + "manifestlint/source", module + "analyzers"},
		"a browser has no files, processes and terminals"},
	{"internal/cli/app", []string{module + "internal/cli/settings", module + "internal/cli/reporting", module + "manifestlint", module + "analyzers"},
		"what all verbs share knows none of them"},
	{"internal/cli/settings", []string{module + "internal/cli/reporting", module + "manifestlint", module + "analyzers"},
		"settings of all surfaces depend on none"},
	{"internal/cli/reporting", []string{module + "internal/cli/lintrun", module + "internal/cli/gocode", module + "manifestlint/checks", module + "analyzers"},
		"findings of all surfaces are reported the same way"},
	{"internal/cli/lintrun", []string{module + "internal/cli/lintcmd", module + "analyzers", module + "internal/goload"},
		"manifests are linted without reading Go code"},
	{"internal/cli/lintcmd", []string{module + "internal/cli/gocmd", module + "internal/cli/auditcmd", module + "internal/cli/upgradecmd"},
		"verbs do not use each other"},
	{"internal/cli/gocmd", []string{module + "internal/cli/lintcmd", module + "internal/cli/auditcmd", module + "internal/cli/upgradecmd"},
		"verbs do not use each other"},
	{"internal/cli/lspcmd", []string{module + "internal/cli/lintcmd", module + "internal/cli/gocmd", module + "internal/cli/auditcmd", module + "internal/cli/upgradecmd"},
		"verbs do not use each other"},
	{"internal/lsp", []string{module + "analyzers", module + "internal/goload", "golang.org/x/tools/"},
		"a server for editors checks manifests itself; Go code is checked by a process of its own"},
	{"internal/cli/auditcmd", []string{module + "internal/cli/lintcmd", module + "internal/cli/gocmd", module + "internal/cli/upgradecmd"},
		"verbs do not use each other"},
	{"internal/cli/upgradecmd", []string{module + "internal/cli/lintcmd", module + "internal/cli/gocmd", module + "internal/cli/auditcmd"},
		"verbs do not use each other"},
	{"internal/auditshapes", []string{module},
		"shapes follow their vendors' documentation and share no code with the reader"},
	{"internal/report", []string{module + "manifestlint", module + "analyzers", module + "rules/", module + "internal/cli"},
		"reports render findings and know nothing of what made them"},
}

// forbiddenDirectly is like forbidden, but packages of other modules may import these
// packages. For example, the admission plugins of k8s.io/apiserver link clients that
// kubevet never calls.
var forbiddenDirectly = []struct {
	folder  string
	imports []string
	why     string
}{
	{"manifestlint/checks", []string{"k8s.io/client-go/"},
		"checks do not know where objects come from, and need no client"},
}

// everywhere has the packages that every package may import. Any package may print names
// from the input, or open files in an untrusted tree.
var everywhere = []string{module + "internal/quote", module + "internal/treefile"}

// neverInLibraries has the packages that only the command may import. A library must not
// end the process, read flags or log.
var neverInLibraries = []string{"flag", "log", "github.com/spf13/cobra", "github.com/spf13/pflag"}

// notLinked has packages that kubevet must not link. The packages below them must not be
// linked either. Packages in allowed are exceptions. docs/size.md has the size of linked
// libraries.
var notLinked = []struct {
	packages, allowed []string
	why               string
}{
	{packages: []string{
		"k8s.io/apiserver/pkg/admission/plugin/policy/generic", "k8s.io/apiserver/pkg/admission/plugin/policy/matching",
		"k8s.io/apiserver/pkg/admission/plugin/policy/mutating", "k8s.io/apiserver/pkg/admission/plugin/policy/validating",
		"k8s.io/apiserver/pkg/admission/plugin/webhook/generic", "k8s.io/apiserver/pkg/server"},
		allowed: []string{"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"},
		why:     "the plugins link caches, clients for all kinds, gRPC and tracing; rules/apiserver/policy re-states what it needs"},
	{packages: []string{"k8s.io/client-go/informers", "k8s.io/client-go/listers", "k8s.io/client-go/tools/cache", "k8s.io/client-go/kubernetes/fake"},
		why: "objects are read once, and not watched"},
	{packages: []string{"k8s.io/client-go/plugin/pkg/client/auth"},
		allowed: []string{"k8s.io/client-go/plugin/pkg/client/auth/exec"},
		why:     "clouds log in with the programs of exec plugins"},
	{packages: []string{"google.golang.org/grpc", "go.opentelemetry.io/otel/sdk", "go.opentelemetry.io/otel/exporters"},
		why: "nothing is sent or traced"},
	{packages: []string{"helm.sh/helm/v4/pkg/action", "helm.sh/helm/v4/pkg/cli", "helm.sh/helm/v4/pkg/downloader", "helm.sh/helm/v4/pkg/getter",
		"helm.sh/helm/v4/pkg/kube", "helm.sh/helm/v4/pkg/registry", "helm.sh/helm/v4/pkg/release", "helm.sh/helm/v4/pkg/repo", "helm.sh/helm/v4/pkg/storage",
		"oras.land"},
		why: "charts are rendered: nothing is downloaded, and releases are read from their Secrets"},
	{packages: []string{"sigs.k8s.io/controller-runtime", "github.com/duckdb", "github.com/marcboeker/go-duckdb"},
		why: "other programs and modules need them"},
}

type pkg struct {
	ImportPath string
	Imports    []string
	Deps       []string
	Standard   bool
}

func list(t *testing.T, args ...string) []pkg {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,Imports,Deps,Standard"}, args...)...)
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []pkg
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := dec.Decode(&p); err == io.EOF {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

func TestImports(t *testing.T) {
	all := list(t, "./...")
	if len(all) < 10 {
		t.Fatalf("go list found %d packages only", len(all))
	}
	for _, p := range all {
		path := strings.TrimPrefix(p.ImportPath, module)
		for _, rule := range forbidden {
			if path != rule.folder && !strings.HasPrefix(path, rule.folder+"/") {
				continue
			}
			for _, dep := range p.Deps {
				for _, prefix := range rule.imports {
					if strings.HasPrefix(dep, prefix) && !strings.HasPrefix(dep, module+rule.folder) && !slices.Contains(everywhere, dep) {
						t.Errorf("%s depends on %s: %s", path, dep, rule.why)
					}
				}
			}
		}
		if slices.Contains(p.Imports, module+"internal/initgc") && path != "cmd/kubevet" {
			t.Errorf("%s imports internal/initgc: only a command turns the garbage collector off", path)
		}
		for _, rule := range forbiddenDirectly {
			if path != rule.folder && !strings.HasPrefix(path, rule.folder+"/") {
				continue
			}
			for _, dep := range p.Imports {
				for _, prefix := range rule.imports {
					if strings.HasPrefix(dep, prefix) {
						t.Errorf("%s imports %s: %s", path, dep, rule.why)
					}
				}
			}
		}
		if library(path) {
			for _, dep := range p.Imports {
				for _, never := range neverInLibraries {
					if dep == never {
						t.Errorf("%s imports %s: a library has no flags, logs nothing and ends no process", path, dep)
					}
				}
			}
		}
	}
}

// TestProgramLinksLittle checks that the program does not link the packages in notLinked,
// which would make it large and slow to build.
func TestProgramLinksLittle(t *testing.T) {
	within := func(path string, all []string) bool {
		return slices.ContainsFunc(all, func(p string) bool { return path == p || strings.HasPrefix(path, p+"/") })
	}
	for _, p := range list(t, "-deps", "./cmd/kubevet") {
		for _, rule := range notLinked {
			if within(p.ImportPath, rule.packages) && !within(p.ImportPath, rule.allowed) {
				t.Errorf("kubevet links %s: %s", p.ImportPath, rule.why)
			}
		}
	}
}

// library reports whether other programs may embed a package. Packages of the command and
// generators are no libraries.
func library(path string) bool {
	for _, folder := range []string{"rules", "manifestlint", "auditlog", "analyzers", "internal/report"} {
		if path == folder || strings.HasPrefix(path, folder+"/") {
			return !strings.Contains(path, "/internal/")
		}
	}
	return false
}

// TestAnalyzersNeedLittle checks that a tool that embeds the analyzers gets only x/tools
// and its dependencies.
func TestAnalyzersNeedLittle(t *testing.T) {
	allowed := []string{module + "analyzers", module + "rules", "golang.org/x/tools/", "golang.org/x/mod/", "golang.org/x/sync/"}
	for _, p := range list(t, "-deps", "./analyzers") {
		ok := p.Standard
		for _, prefix := range allowed {
			ok = ok || strings.HasPrefix(p.ImportPath, prefix)
		}
		if !ok {
			t.Errorf("the analyzers depend on %s", p.ImportPath)
		}
	}
}
