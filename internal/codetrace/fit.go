package codetrace

import (
	"slices"
	"strings"

	"github.com/kubevet/kubevet/analyzers"
)

// trial says how well the requests of a client agree with some code.
type trial struct {
	// knows is true if the code names one of the custom resources that the client
	// requests. strange is true if the client requests custom resources, but the code
	// names none of them and names others.
	knows, strange bool
}

// try compares the custom resources that a client requests with those that the packages
// in scope name. If code chooses resources at run time and names no custom resources, it
// is never strange.
func try(c Client, scope []*analyzers.Trace) (t trial) {
	var strangers []API
	for _, a := range c.APIs {
		if custom(a.Group) {
			strangers = append(strangers, a)
		}
	}
	if len(strangers) == 0 {
		return t
	}
	open, own := false, false
	for _, tr := range scope {
		open = open || slices.ContainsFunc(tr.Imports, openEnded)
		own = own || ownAPIs(tr)
		for _, a := range strangers {
			t.knows = t.knows || names(tr, a)
		}
	}
	// A program with custom resources would also request these, so the client is probably
	// another program.
	t.strange = !t.knows && (own || !open)
	return t
}

// ownAPIs reports whether a package names a custom resource.
func ownAPIs(t *analyzers.Trace) bool {
	return slices.ContainsFunc(t.Places, func(p analyzers.TracedPlace) bool { return p.Verb != "" && custom(p.Group) }) ||
		slices.ContainsFunc(t.Writes, func(w analyzers.TracedWrite) bool { return custom(w.Group) })
}

// names reports whether a package names the group of an API. If the group in the code is
// unknown, it compares the version and the kind instead.
func names(t *analyzers.Trace, a API) bool {
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

// openEnded reports whether a package allows its importers to request APIs that their
// code does not name. path is the import path of the package.
func openEnded(path string) bool {
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

// resembles reports whether a service account, or its namespace, has a name like a module
// or a package. user is the user name of the service account.
func resembles(user string, paths ...string) bool {
	account, ok := strings.CutPrefix(user, "system:serviceaccount:")
	if !ok {
		return false
	}
	namespace, name, _ := strings.Cut(account, ":")
	for _, p := range paths {
		for base := range strings.SplitSeq(p, "/") {
			stem := stemOf(base)
			if len(stem) < 4 || generic[base] || strings.Contains(base, ".") || plain[stem] {
				continue
			}
			if hasWord(namespace, stem) || hasWord(name, stem) {
				return true
			}
		}
	}
	return false
}

// plain has words in import paths that occur in many projects.
var plain = map[string]bool{
	"kubernetes": true, "kube": true, "system": true, "cluster": true, "internal": true, "github": true, "default": true, "pkg": true, "cmd": true,
}

// stemOf returns a name without the ending that marks it as a program, such as
// "-controller".
func stemOf(name string) string {
	for _, end := range []string{"-controller-manager", "-controller", "-operator", "-manager", "-webhook", "-server", "-agent"} {
		if stem, ok := strings.CutSuffix(name, end); ok {
			return stem
		}
	}
	return name
}

// hasWord reports whether a name contains a word, separated by dashes.
func hasWord(name, word string) bool {
	return strings.Contains("-"+name+"-", "-"+word+"-")
}
