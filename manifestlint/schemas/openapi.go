package schemas

import (
	"errors"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

func isOpenAPI(v *wire.Value) bool {
	return v.Get("openapi").StringOr("") != "" || v.Get("swagger").StringOr("") != ""
}

// errIndex is the error for an index of OpenAPI documents, which has no
// schemas.
var errIndex = errors.New("this is the index of the cluster's OpenAPI v3 documents: get one of them, as in " +
	"kubectl get --raw /openapi/v3/apis/GROUP/VERSION")

// isIndex reports whether a document is a server's response to /openapi/v3, the
// list of its OpenAPI documents.
func isIndex(v *wire.Value) bool {
	for _, f := range v.Get("paths").Entries() {
		return f.Value.Get("serverRelativeURL") != nil
	}
	return false
}

// resource has what the paths of an OpenAPI document define about a kind. It is
// zero if no path serves the kind.
type resource struct {
	plural string
	// namespaced is set if objects of the kind have a namespace. status is set if
	// the kind has a status subresource.
	namespaced, status bool
}

// openAPI calls found for each kind of an OpenAPI document with the kind's
// schema. r is the kind's resource, if the document has paths.
func openAPI(doc *wire.Value, found func(gvk groupVersionKind, schema *wire.Value, r resource)) {
	schemas := doc.At("components", "schemas")
	if doc.Get("openapi") == nil {
		schemas = doc.Get("definitions")
	}
	resources := resourcesOf(doc.Get("paths"))
	for _, f := range schemas.Entries() {
		// Schemas with many kinds, such as DeleteOptions, do not describe an
		// object.
		kinds := declaredKinds(f.Value)
		if len(kinds) != 1 || strings.HasSuffix(kinds[0].kind, "List") && f.Value.At("properties", "items") != nil {
			continue
		}
		found(kinds[0], f.Value, resources[kinds[0]])
	}
}

// maxSteps is the number of path elements after /apis/ in the longest path that
// resourcesOf reads.
const maxSteps = 7

// resourcesOf returns the resources that the paths of an OpenAPI document
// serve, such as
// /apis/example.com/v1/namespaces/{namespace}/things/{name}/status.
func resourcesOf(paths *wire.Value) map[groupVersionKind]resource {
	all := map[groupVersionKind]resource{}
	for _, f := range paths.Entries() {
		rest, ok := strings.CutPrefix(f.Name, "/apis/")
		parts := strings.SplitN(strings.TrimSuffix(rest, "/"), "/", maxSteps+1)
		if !ok || len(parts) < 3 {
			continue
		}
		parts = parts[2:]
		namespaced := len(parts) > 2 && parts[0] == "namespaces" && parts[1] == "{namespace}"
		if namespaced {
			parts = parts[2:]
		}
		gvk, ok := kindOfPath(f.Value)
		if !ok || len(parts) > 3 || len(parts) > 1 && parts[1] != "{name}" {
			continue
		}
		if len(parts) == 3 && parts[2] != "status" {
			continue
		}
		r := all[gvk]
		r.plural = parts[0]
		r.namespaced = r.namespaced || namespaced
		r.status = r.status || len(parts) == 3
		all[gvk] = r
	}
	return all
}

// kindOfPath returns the kind that the operations of a path read or write.
func kindOfPath(path *wire.Value) (groupVersionKind, bool) {
	for _, method := range []string{"get", "put", "post"} {
		if kinds := declaredKinds(path.Get(method)); len(kinds) == 1 {
			return kinds[0], true
		}
	}
	return groupVersionKind{}, false
}
