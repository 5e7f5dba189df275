package validation

import (
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// nameRule returns the server's messages about a name, or nil if it is valid.
type nameRule func(m lifecycle.Minor, name string) []string

// pathSegmentErrors checks the minimal requirements of every name. Source:
// IsValidPathSegmentName in k8s.io/apimachinery/pkg/api/validation/path.
func pathSegmentErrors(_ lifecycle.Minor, name string) []string {
	if name == "." || name == ".." {
		return []string{"may not be '" + name + "'"}
	}
	var errs []string
	for _, c := range []string{"/", "%"} {
		if strings.Contains(name, c) {
			errs = append(errs, "may not contain '"+c+"'")
		}
	}
	return errs
}

// maskDash replaces the end of the prefix of a generated name if it is a dash, which
// a name cannot end with: "web-" becomes "wea", as on the server. Source:
// maskTrailingDash.
func maskDash(name string) string {
	if len(name) > 1 && strings.HasSuffix(name, "-") {
		return name[:len(name)-2] + "a"
	}
	return name
}

// metadata checks the metadata of an object, except the fields that an update
// cannot change, because tools copy them from the stored object. Source:
// ValidateObjectMeta and ValidateObjectMetaUpdate in pkg/apis/core/validation,
// which extend the functions in
// k8s.io/apimachinery/pkg/api/validation/objectmeta.go.
func (v *validator) metadata(obj node, namespaced bool, rule nameRule) {
	v.commonMetadata(obj, namespaced, rule)
	finalizers := obj.at("metadata", "finalizers")
	for _, f := range finalizers.items {
		v.kubeFinalizer(f)
	}
}

// commonMetadata checks the metadata of kinds outside of core, apps and batch.
// For these kinds the server uses only the functions of apimachinery.
func (v *validator) commonMetadata(obj node, namespaced bool, rule nameRule) {
	meta := obj.get("metadata")
	if v.req.Old == nil {
		v.name(meta, rule)
		if ns := meta.get("namespace"); namespaced && ns.text() != "" {
			v.invalidString(ns, ns.text(), labelErrors(v.minor, ns.text()))
		}
	}
	v.labels(meta.get("labels"))
	v.annotations(meta.get("annotations"))
	v.ownerReferences(meta.get("ownerReferences"))
	v.finalizers(meta.get("finalizers"))
}

// name checks the name, or the prefix of a generated name with five characters
// appended, as the server does.
func (v *validator) name(meta node, rule nameRule) {
	name, prefix := meta.get("name"), meta.get("generateName")
	if prefix.text() != "" {
		for _, m := range rule(v.minor, maskDash(prefix.text())) {
			v.invalid(prefix, strconv.Quote(prefix.text()), m)
		}
		if name.text() == "" {
			generated := cut(prefix.text(), 58) + "…"
			for _, m := range rule(v.minor, cut(prefix.text(), 58)+"bcdfg") {
				v.invalid(name, strconv.Quote(generated), m)
				v.inexact()
			}
			return
		}
	}
	if name.text() == "" {
		v.required(name, "name or generateName is required")
		return
	}
	v.invalidString(name, name.text(), rule(v.minor, name.text()))
}

func cut(s string, n int) string {
	if len(s) > n {
		return s[:n]
	}
	return s
}

// labels checks a map of labels. All errors have the path of the map. Source:
// ValidateLabels in k8s.io/apimachinery/pkg/apis/meta/v1/validation.
func (v *validator) labels(labels node) {
	for k, value := range labels.entries {
		for _, m := range qualifiedErrors(v.minor, k) {
			v.invalid(value, strconv.Quote(k), m)
		}
		v.invalidString(value, value.text(), labelValueErrors(v.minor, value.text()))
	}
}

// labelName checks the key of a label. Source: ValidateLabelName.
func (v *validator) labelName(n node, name string) {
	v.invalidString(n, name, qualifiedErrors(v.minor, name))
}

// maxAnnotations is the maximum size in bytes of all annotations together.
const maxAnnotations = 256 << 10

// annotations checks the annotations of an object. Source: ValidateAnnotations.
func (v *validator) annotations(annotations node) {
	size := 0
	for k, value := range annotations.entries {
		for _, m := range qualifiedErrors(v.minor, strings.ToLower(k)) {
			v.invalid(value, strconv.Quote(k), m)
		}
		size += len(k) + len(value.text())
	}
	if size > maxAnnotations {
		v.tooLong(annotations, maxAnnotations)
	}
}

// ownerReferences checks the owner references of an object. The server's error
// about several controllers contains all references. Source:
// ValidateOwnerReferences.
func (v *validator) ownerReferences(refs node) {
	first := ""
	for _, ref := range refs.items {
		if v.minor < 37 { // before 1.37, paths do not have the index
			ref = ref.withPath(refs.p)
		}
		v.ownerReference(ref)
		if !ref.isTrue("controller") {
			continue
		}
		this := ref.str("kind") + "/" + ref.str("name")
		if first == "" {
			first = this
			continue
		}
		v.invalid(refs, v.ownersText(refs), `Only one reference can have Controller set to true. Found "true" in references for `+first+" and "+this)
		if v.minor < 34 {
			v.inexact()
		}
	}
}

// ownersText formats a list of owner references for an error.
func (v *validator) ownersText(refs node) string {
	texts := make([]string, 0, refs.length())
	for _, ref := range refs.items {
		texts = append(texts, v.ownerText(ref))
	}
	if v.minor >= 34 {
		return "[" + strings.Join(texts, ",") + "]"
	}
	return "[]v1.OwnerReference{" + strings.Join(texts, ", ") + "}"
}

func (v *validator) ownerReference(ref node) {
	apiVersion := ref.get("apiVersion")
	group, version, isValid := groupVersion(apiVersion.text())
	empty := func(field, what string) {
		n := ref.get(field)
		switch {
		case n.text() != "":
		case v.minor >= 37:
			v.required(n, "must not be empty")
		case v.minor >= 34:
			v.invalid(n, `""`, "must not be empty")
		default:
			v.invalid(n, `""`, what+" must not be empty")
		}
	}
	switch {
	case v.minor < 37:
		if version == "" {
			v.invalidString(apiVersion, apiVersion.text(), []string{"version must not be empty"})
		}
	case apiVersion.text() == "":
		v.required(apiVersion, "must not be empty")
	case !isValid || version == "":
		v.invalidString(apiVersion, apiVersion.text(), []string{"must be <group>/<version> or <version>"})
	}
	empty("kind", "kind")
	empty("name", "name")
	empty("uid", "uid")
	if group == "" && version == "v1" && ref.str("kind") == "Event" {
		v.invalid(ref, v.ownerText(ref), "/v1, Kind=Event is disallowed from being an owner")
	}
}

// ownerText formats a metav1.OwnerReference for an error.
func (v *validator) ownerText(ref node) string {
	if v.minor >= 34 {
		text := `{"apiVersion":` + jsonString(ref.str("apiVersion")) + `,"kind":` + jsonString(ref.str("kind")) + `,"name":` + jsonString(ref.str("name")) + `,"uid":` + jsonString(ref.str("uid"))
		for _, field := range []string{"controller", "blockOwnerDeletion"} {
			if n := ref.get(field); n.isSet() {
				text += `,"` + field + `":` + strconv.FormatBool(n.boolean())
			}
		}
		return text + "}"
	}
	pointer := func(field string) string {
		if ref.has(field) {
			return "(*bool)(0x0)"
		}
		return "(*bool)(nil)"
	}
	return "v1.OwnerReference{APIVersion:" + strconv.Quote(ref.str("apiVersion")) + ", Kind:" + strconv.Quote(ref.str("kind")) + ", Name:" + strconv.Quote(ref.str("name")) + ", UID:" + strconv.Quote(ref.str("uid")) + ", Controller:" + pointer("controller") + ", BlockOwnerDeletion:" + pointer("blockOwnerDeletion") + "}"
}

// groupVersion splits an apiVersion. ok is false if it has more than one slash.
// Source: schema.ParseGroupVersion.
func groupVersion(s string) (group, version string, ok bool) {
	if s == "" || s == "/" {
		return "", "", true
	}
	switch strings.Count(s, "/") {
	case 0:
		return "", s, true
	case 1:
		group, version, _ = strings.Cut(s, "/")
		return group, version, true
	}
	return "", "", false
}

// finalizers checks the finalizers of an object. Source: ValidateFinalizers.
func (v *validator) finalizers(list node) {
	orphan, foreground := false, false
	for _, f := range list.items {
		v.invalidString(f.withPath(list.p), f.text(), qualifiedErrors(v.minor, f.text()))
		orphan = orphan || f.text() == "orphan"
		foreground = foreground || f.text() == "foregroundDeletion"
	}
	if orphan && foreground {
		v.invalid(list, v.stringList(list.texts()), "finalizer orphan and foregroundDeletion cannot be both set")
	}
}

// kubeFinalizer checks that a finalizer without a slash is one of Kubernetes'
// own. Source: validateKubeFinalizerName.
func (v *validator) kubeFinalizer(f node) {
	switch name := f.text(); {
	case strings.Contains(name, "/"), name == "kubernetes", name == "orphan", name == "foregroundDeletion":
	default:
		v.invalidString(f, name, []string{"name is neither a standard finalizer name nor is it fully qualified"})
	}
}

// pathSegment checks the name of a new object if there are no errors yet. Source:
// rest.BeforeCreate in k8s.io/apiserver/pkg/registry/rest/create.go.
func (v *validator) pathSegment(obj node) {
	if v.req.Old == nil && len(v.causes) == 0 {
		name := obj.at("metadata", "name")
		v.invalidString(name, name.text(), pathSegmentErrors(v.minor, name.text()))
	}
}

// immutable checks that an update does not change a field. It compares the values
// as written, because the field has no default. Source: ValidateImmutableField.
func (v *validator) immutable(now, before node, value string) {
	if !same(now.v, before.v) {
		v.invalid(now, value, "field is immutable")
	}
}

// same reports whether two values are equal as written, in any order of fields.
// Absent, null and empty values are equal.
func same(a, b *wire.Value) bool {
	if isEmpty(a) || isEmpty(b) {
		return isEmpty(a) && isEmpty(b)
	}
	if a.Kind != b.Kind || a.Text != b.Text || len(a.Items) != len(b.Items) {
		return false
	}
	for i := range a.Items {
		if !same(a.Items[i], b.Items[i]) {
			return false
		}
	}
	values := make(map[string]*wire.Value, len(b.Fields))
	for i := range b.Fields {
		if f := &b.Fields[i]; !isEmpty(f.Value) {
			values[f.Name] = f.Value
		}
	}
	for i := range a.Fields {
		f := &a.Fields[i]
		if isEmpty(f.Value) {
			continue
		}
		if !same(f.Value, values[f.Name]) {
			return false
		}
		delete(values, f.Name)
	}
	return len(values) == 0
}

// isEmpty reports whether a value is absent, null, or an empty map or list.
func isEmpty(v *wire.Value) bool {
	return v.IsNull() || v.Kind == wire.Map && len(v.Fields) == 0 || v.Kind == wire.List && len(v.Items) == 0
}
