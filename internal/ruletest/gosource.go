package ruletest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"
)

// qualifiers has the packages that a Go example may use without an import. The keys are
// the names that real code uses for them.
var qualifiers = map[string]string{
	"context": "context",
	"errors":  "errors",
	"exec":    "os/exec",
	"flag":    "flag",
	"fmt":     "fmt",
	"http":    "net/http",
	"io":      "io",
	"json":    "encoding/json",
	"log":     "log",
	"os":      "os",
	"slices":  "slices",
	"strings": "strings",
	"time":    "time",

	"admissionregistrationv1": "k8s.io/api/admissionregistration/v1",
	"admissionv1":             "k8s.io/api/admission/v1",
	"admissionv1beta1":        "k8s.io/api/admission/v1beta1",
	"appsv1":                  "k8s.io/api/apps/v1",
	"authenticationv1":        "k8s.io/api/authentication/v1",
	"authorizationv1":         "k8s.io/api/authorization/v1",
	"autoscalingv1":           "k8s.io/api/autoscaling/v1",
	"batchv1":                 "k8s.io/api/batch/v1",
	"certificatesv1":          "k8s.io/api/certificates/v1",
	"coordinationv1":          "k8s.io/api/coordination/v1",
	"corev1":                  "k8s.io/api/core/v1",
	"networkingv1":            "k8s.io/api/networking/v1",
	"policyv1":                "k8s.io/api/policy/v1",
	"batchv1beta1":            "k8s.io/api/batch/v1beta1",
	"policyv1beta1":           "k8s.io/api/policy/v1beta1",
	"rbacv1":                  "k8s.io/api/rbac/v1",

	"apierrors":    "k8s.io/apimachinery/pkg/api/errors",
	"fields":       "k8s.io/apimachinery/pkg/fields",
	"labels":       "k8s.io/apimachinery/pkg/labels",
	"meta":         "k8s.io/apimachinery/pkg/api/meta",
	"metav1":       "k8s.io/apimachinery/pkg/apis/meta/v1",
	"runtime":      "k8s.io/apimachinery/pkg/runtime",
	"schema":       "k8s.io/apimachinery/pkg/runtime/schema",
	"sets":         "k8s.io/apimachinery/pkg/util/sets",
	"types":        "k8s.io/apimachinery/pkg/types",
	"unstructured": "k8s.io/apimachinery/pkg/apis/meta/v1/unstructured",

	"applyappsv1":    "k8s.io/client-go/applyconfigurations/apps/v1",
	"applycorev1":    "k8s.io/client-go/applyconfigurations/core/v1",
	"applymetav1":    "k8s.io/client-go/applyconfigurations/meta/v1",
	"cache":          "k8s.io/client-go/tools/cache",
	"clientcmd":      "k8s.io/client-go/tools/clientcmd",
	"csaupgrade":     "k8s.io/client-go/util/csaupgrade",
	"dynamic":        "k8s.io/client-go/dynamic",
	"kubernetes":     "k8s.io/client-go/kubernetes",
	"metadata":       "k8s.io/client-go/metadata",
	"rest":           "k8s.io/client-go/rest",
	"retry":          "k8s.io/client-go/util/retry",
	"scale":          "k8s.io/client-go/scale",
	"typedappsv1":    "k8s.io/client-go/kubernetes/typed/apps/v1",
	"typedcorev1":    "k8s.io/client-go/kubernetes/typed/core/v1",
	"dryrun":         "k8s.io/apiserver/pkg/util/dryrun",
	"genericrequest": "k8s.io/apiserver/pkg/endpoints/request",
	"cmdutil":        "k8s.io/kubectl/pkg/cmd/util",
	"resource":       "k8s.io/cli-runtime/pkg/resource",
	"ptr":            "k8s.io/utils/ptr",
	"klog":           "k8s.io/klog/v2",

	"admission":      "sigs.k8s.io/controller-runtime/pkg/webhook/admission",
	"client":         "sigs.k8s.io/controller-runtime/pkg/client",
	"controllerutil": "sigs.k8s.io/controller-runtime/pkg/controller/controllerutil",
	"ctrl":           "sigs.k8s.io/controller-runtime",
	"manager":        "sigs.k8s.io/controller-runtime/pkg/manager",
	"reconcile":      "sigs.k8s.io/controller-runtime/pkg/reconcile",

	"cobra": "github.com/spf13/cobra",
	"pflag": "github.com/spf13/pflag",
	"ssa":   "github.com/fluxcd/pkg/ssa",
}

// goFile converts a Go example to a file that compiles. It adds a missing package clause
// and missing imports to the first line, so that line numbers stay correct. For an
// example that begins with a comment, it adds them in a new line before the comment.
// added is the number of added lines.
func goFile(ex Example) (text []byte, added int, err error) {
	source := string(ex.Source)
	fset := token.NewFileSet()
	if _, err := parser.ParseFile(fset, ex.File, source, parser.PackageClauseOnly); err != nil {
		if strings.HasPrefix(source, "/") {
			source, added = "package example\n"+source, 1
		} else {
			source = "package example; " + source
		}
	}
	f, err := parser.ParseFile(fset, ex.File, source, 0)
	if err != nil {
		return nil, 0, fmt.Errorf("parsing the example: %w", err)
	}
	imports := map[string]bool{}
	unresolved := map[*ast.Ident]bool{}
	for _, id := range f.Unresolved {
		unresolved[id] = true
	}
	imported := importedNames(f)
	ast.Inspect(f, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok && unresolved[id] && !imported[id.Name] && qualifiers[id.Name] != "" {
				imports[id.Name] = true
			}
		}
		return true
	})
	var decls strings.Builder
	for _, name := range slices.Sorted(maps.Keys(imports)) {
		fmt.Fprintf(&decls, "; import %s %q", name, qualifiers[name])
	}
	end := fset.Position(f.Name.End()).Offset
	return []byte(source[:end] + decls.String() + source[end:]), added, nil
}

// importedNames returns the names of a file's imports, as far as the paths show them.
func importedNames(f *ast.File) map[string]bool {
	names := map[string]bool{}
	for _, spec := range f.Imports {
		path := strings.Trim(spec.Path.Value, `"`)
		name := path[strings.LastIndexByte(path, '/')+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = true
	}
	return names
}
