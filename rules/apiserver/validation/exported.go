package validation

import (
	"slices"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// ObjectMeta returns the errors of an object's metadata, for kinds that other
// packages validate. A name must be a DNS subdomain. If the function name is not
// nil, the errors that it returns for the name are added.
//
// The server validates the metadata of an update three times: as if the object
// were new, then before the kind's validation, and last in the kind's validation.
// Source: validateCommonFields in k8s.io/apiserver/pkg/registry/rest/update.go,
// and ValidateObjectMetaAccessor and ValidateObjectMetaAccessorUpdate in
// k8s.io/apimachinery/pkg/api/validation.
func ObjectMeta(s apiserver.Server, r apiserver.Request, namespaced bool, name func(string) []string) []apiserver.Cause {
	paths := borrowPaths()
	defer paths.release()
	v := validator{server: s, minor: s.Minor, req: r}
	obj := paths.root(r.New)
	if r.Old != nil {
		v.req.Old = nil
		v.plainMetadata(obj, namespaced, pathSegmentErrors)
		v.req.Old = r.Old
		v.plainMetadata(obj, namespaced, nil)
	}
	v.plainMetadata(obj, namespaced, func(m lifecycle.Minor, text string) []string {
		messages := subdomainErrors(m, text)
		if name != nil {
			messages = append(messages, name(text)...)
		}
		return messages
	})
	return v.causes
}

// EmbeddedMeta returns the errors in the metadata of an embedded resource. The
// name is optional and can be any path segment.
func EmbeddedMeta(s apiserver.Server, obj *wire.Value) []apiserver.Cause {
	v := validator{server: s, minor: s.Minor, req: apiserver.Request{New: obj}}
	paths := borrowPaths()
	defer paths.release()
	meta := root(obj).get("metadata")
	if meta.str("name") == "" {
		// If the object has no name, the server checks it with this name.
		named := *obj.Get("metadata")
		named.Fields = append(slices.Clone(named.Fields), wire.Field{Name: "name", Value: &wire.Value{Kind: wire.String, Text: "fakename"}})
		obj = &wire.Value{Kind: wire.Map, Fields: []wire.Field{{Name: "metadata", Value: &named}}}
	}
	v.plainMetadata(paths.root(obj), meta.str("namespace") != "", pathSegmentErrors)
	return v.causes
}

// plainMetadata checks metadata as commonMetadata does. On update, it does not check
// finalizers: ObjectMeta checks them once, as in a new object.
func (v *validator) plainMetadata(obj node, namespaced bool, rule nameRule) {
	before := len(v.causes)
	v.commonMetadata(obj, namespaced, rule)
	if v.req.Old != nil {
		v.causes = append(v.causes[:before], slices.DeleteFunc(v.causes[before:], func(c apiserver.Cause) bool { return c.Field == "metadata.finalizers" })...)
	}
}

// QualifiedName returns the server's messages about a qualified name, or nil if
// it is valid. Source: IsQualifiedName in
// k8s.io/apimachinery/pkg/util/validation.
func QualifiedName(m lifecycle.Minor, name string) []string { return qualifiedErrors(m, name) }

// DNSLabel returns the server's messages about a DNS label, or nil if it is
// valid. Source: IsDNS1123Label.
func DNSLabel(m lifecycle.Minor, name string) []string { return labelErrors(m, name) }

// LabelValue returns the server's messages about the value of a label, or nil if
// it is valid. Source: IsValidLabelValue.
func LabelValue(m lifecycle.Minor, value string) []string { return labelValueErrors(m, value) }

// DNSSubdomain returns the server's messages about a DNS subdomain, or nil if it
// is valid. Source: IsDNS1123Subdomain.
func DNSSubdomain(m lifecycle.Minor, name string) []string { return subdomainErrors(m, name) }

// DNS1035Label returns the server's messages about a DNS label that begins with a
// letter, or nil if it is valid. Source: IsDNS1035Label.
func DNS1035Label(m lifecycle.Minor, name string) []string { return label1035Errors(m, name) }
