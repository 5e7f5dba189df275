package codetrace

import (
	"slices"
	"strings"

	"github.com/kubevet/kubevet/analyzers"
)

// comparison is the result of compareResources.
type comparison struct {
	// shared is true if the code names one of the requested custom resources. contradicts
	// is true if the code names only other custom resources.
	shared, contradicts bool
}

// compareResources compares the custom resources that a client requests with those in the
// code of the packages in scope. Code without custom resources that chooses resources at
// run time never contradicts.
func compareResources(c Client, scope []*analyzers.Trace) (t comparison) {
	var strangers []API
	for _, a := range c.APIs {
		if isCustomGroup(a.Group) {
			strangers = append(strangers, a)
		}
	}
	if len(strangers) == 0 {
		return t
	}
	open, own := false, false
	for _, tr := range scope {
		open = open || slices.ContainsFunc(tr.Imports, letsImportersChoose)
		own = own || ownAPIs(tr)
		for _, a := range strangers {
			t.shared = t.shared || namesGroup(tr, a)
		}
	}
	// A program that names custom resources would request these. So the client is
	// probably another program.
	t.contradicts = !t.shared && (own || !open)
	return t
}

// ownAPIs reports whether a package names a custom resource.
func ownAPIs(t *analyzers.Trace) bool {
	return slices.ContainsFunc(t.Places, func(p analyzers.TracedPlace) bool { return p.Verb != "" && isCustomGroup(p.Group) }) ||
		slices.ContainsFunc(t.Writes, func(w analyzers.TracedWrite) bool { return isCustomGroup(w.Group) })
}

// namesGroup reports whether a package names the group of an API. If the code's group is
// unknown, it compares the version and the resource.
func namesGroup(t *analyzers.Trace, a API) bool {
	for _, p := range t.Places {
		if p.Group == a.Group && !p.AnyGroup || p.AnyGroup && p.Version == a.Version && resourceOfPlace(p) == a.Resource {
			return true
		}
	}
	for _, w := range t.Writes {
		if w.Kind != "" && (w.Group == a.Group && !w.AnyGroup || w.AnyGroup && w.Version == a.Version && resourceOf(w) == a.Resource) {
			return true
		}
	}
	return false
}

// letsImportersChoose reports whether importers of a package may request APIs that their
// code does not name. path is the import path of the package.
func letsImportersChoose(path string) bool {
	if i := strings.LastIndex(path, "/vendor/"); i >= 0 {
		path = path[i+len("/vendor/"):]
	}
	switch path {
	case "k8s.io/client-go/discovery", "k8s.io/client-go/dynamic", "k8s.io/client-go/metadata", "k8s.io/client-go/restmapper", "k8s.io/client-go/scale",
		"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured", "github.com/fluxcd/pkg/ssa":
		return true
	}
	return strings.HasPrefix(path, "k8s.io/cli-runtime/") || strings.HasPrefix(path, "k8s.io/kubectl/") || strings.HasPrefix(path, "helm.sh/helm/")
}

// accountResembles reports whether a service account or its namespace has a name like a
// module or package. user is the user name of the service account.
func accountResembles(user string, paths ...string) bool {
	account, ok := strings.CutPrefix(user, "system:serviceaccount:")
	if !ok {
		return false
	}
	namespace, name, _ := strings.Cut(account, ":")
	for _, p := range paths {
		for base := range strings.SplitSeq(p, "/") {
			stem := trimProgramSuffix(base)
			if len(stem) < 4 || commonPrograms[base] || strings.Contains(base, ".") || commonWords[stem] {
				continue
			}
			if hasWord(namespace, stem) || hasWord(name, stem) {
				return true
			}
		}
	}
	return false
}

// commonWords has words that occur in import paths of many projects.
var commonWords = map[string]bool{
	"kubernetes": true, "kube": true, "system": true, "cluster": true, "internal": true, "github": true, "default": true, "pkg": true, "cmd": true,
}

// trimProgramSuffix removes an ending such as "-controller" from a name.
func trimProgramSuffix(name string) string {
	for _, end := range []string{"-controller-manager", "-controller", "-operator", "-manager", "-webhook", "-server", "-agent"} {
		if stem, ok := strings.CutSuffix(name, end); ok {
			return stem
		}
	}
	return name
}

// hasWord reports whether a name contains a word between dashes.
func hasWord(name, word string) bool {
	return strings.Contains("-"+name+"-", "-"+word+"-")
}
