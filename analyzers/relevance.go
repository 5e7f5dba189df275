package analyzers

import (
	"slices"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"golang.org/x/tools/go/analysis"
)

// Relevant reports whether a package is a marker of relevant programs: every program
// that writes to a Kubernetes API, answers admission requests, stores API objects or
// names APIs imports one, directly or not. These packages declare the options, the
// requests or the types of names. A driver may skip packages without such an import,
// unless their text contains one of Markers.
func Relevant(importPath string) bool {
	if i := strings.LastIndex(importPath, "/vendor/"); i >= 0 {
		importPath = importPath[i+len("/vendor/"):]
	}
	return slices.Contains([]string{
		"k8s.io/apimachinery/pkg/apis/meta/v1",
		"k8s.io/apimachinery/pkg/runtime/schema",
		"k8s.io/client-go/rest",
		"sigs.k8s.io/controller-runtime/pkg/client",
	}, importPath)
}

// Markers are texts that make a file relevant whatever it imports: a suppression, a
// webhook's marker, the name of a program whose command lines are checked, or a flag
// that is looked for in them.
func Markers() []string {
	return []string{"//kubevet:ignore", "+kubebuilder:webhook:", `"kubectl"`, `"oc"`, "--dry-run", "--server-dry-run"}
}

// Library reports whether functions of a package may write to a Kubernetes API in ways
// that their signatures do not show. Its arguments are the import paths of the package
// and of its imports. A driver may skip the function bodies of all other packages
// outside the module.
func Library(importPath string, imports []string) bool { return apicall.IsHelper(importPath, imports) }

// Client reports whether a package belongs to the client libraries. A Library
// package imports one of them, or a Library package with facts.
func Client(importPath string) bool { return apicall.IsClient(importPath) }

// Facts are the analyzers that find out which functions of a Library package
// write. A driver that runs on source runs them on such packages before it
// analyses the packages that import them. They report nothing.
func Facts() []*analysis.Analyzer { return []*analysis.Analyzer{apicall.Analyzer} }
