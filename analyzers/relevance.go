package analyzers

import (
	"slices"
	"strings"
)

// Relevant reports whether a package is one that every program imports, directly or
// not, that writes to a Kubernetes API, answers admission requests, stores API objects
// or names APIs: the options, the requests or the types of names are declared there. A
// driver may skip packages without it, but for those whose text holds one of Markers.
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

// Markers are texts that make a file worth looking at whatever it imports: a
// suppression, a webhook's marker, the name of a program whose command lines are
// checked, and the flags that are looked for in them.
func Markers() []string {
	return []string{"//kubevet:ignore", "+kubebuilder:webhook:", `"kubectl"`, `"oc"`, "--dry-run", "--server-dry-run"}
}
