package analyzers

import (
	"slices"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"golang.org/x/tools/go/analysis"
)

// Relevant reports whether a package is one of five packages that mark programs for
// Kubernetes. They declare options of writes, requests, types for the names of APIs, and the
// client of Helm 2.
//
// A package that writes to a Kubernetes API, answers admission requests, stores API objects
// or names APIs imports at least one of the five, directly or indirectly. A driver may skip
// other packages, unless their text contains one of Markers.
func Relevant(importPath string) bool {
	if i := strings.LastIndex(importPath, "/vendor/"); i >= 0 {
		importPath = importPath[i+len("/vendor/"):]
	}
	return slices.Contains([]string{
		"k8s.io/apimachinery/pkg/apis/meta/v1",
		"k8s.io/apimachinery/pkg/runtime/schema",
		"k8s.io/client-go/rest",
		"k8s.io/helm/pkg/helm",
		"sigs.k8s.io/controller-runtime/pkg/client",
	}, importPath)
}

// Markers returns the texts that make a file relevant without relevant imports. They are
// the suppression comment, the marker of webhooks, kubectl and oc as program names, and the
// flags for dry runs.
func Markers() []string {
	return []string{"//kubevet:ignore", "+kubebuilder:webhook:", `"kubectl"`, `"oc"`, "--dry-run", "--server-dry-run"}
}

// Library reports whether functions of a package can write to a Kubernetes API although
// their signatures do not show it. Its arguments are the import paths of the package and of
// the package's imports.
//
// In other modules than the checked one, a driver may skip the function bodies of all
// packages for which Library is false.
func Library(importPath string, imports []string) bool { return apicall.IsHelper(importPath, imports) }

// Client reports whether a package belongs to the Kubernetes client libraries. Every
// Library package imports a Client package, or imports a Library package that has facts.
func Client(importPath string) bool { return apicall.IsClient(importPath) }

// Facts returns the analyzers that find out which functions of a Library package write.
// They report nothing. A driver that reads source runs them on each Library package before
// it analyzes the packages that import it.
func Facts() []*analysis.Analyzer { return []*analysis.Analyzer{apicall.Analyzer} }
