package validation

import (
	"slices"
	"strconv"
)

// claimObject checks a PersistentVolumeClaim. Source:
// ValidatePersistentVolumeClaim.
func (v *validator) claimObject(obj node) {
	v.metadata(obj, true, subdomainErrors)
	v.claimSpec(obj.get("spec"), true)
	if v.req.Old != nil {
		v.claimUpdate(obj)
	}
}

// claimTemplate checks the claim template of an ephemeral volume. Source:
// ValidatePersistentVolumeClaimTemplate.
func (v *validator) claimTemplate(t node) {
	meta := t.get("metadata")
	v.annotations(meta.get("annotations"))
	v.labels(meta.get("labels"))
	detail := "cannot be set"
	if v.minor < 26 {
		detail = "cannot be set for an ephemeral volume"
	}
	for _, field := range []string{"name", "generateName", "namespace", "selfLink", "uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "ownerReferences", "finalizers", "managedFields"} {
		if n := meta.get(field); n.text() != "" || n.length() > 0 || n.num(field, 0) != 0 {
			at := n
			if field == "uid" {
				at = n.withPath(meta.p.child("uID"))
			}
			v.forbidden(at, detail)
		}
	}
	v.claimSpec(t.get("spec"), false)
}

func (v *validator) accessModes(list node) {
	known := []string{"ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"}
	if !v.server.Enabled("ReadWriteOncePod") {
		known = known[:3]
	}
	alone, other := false, false
	for _, m := range list.items {
		v.enum(m.withPath(list.p), m.text(), known...)
		switch {
		case m.text() == "ReadWriteOncePod":
			alone = v.minor >= 22
		case slices.Contains(known, m.text()):
			other = true
		}
	}
	if alone && other {
		v.forbidden(list, "may not use ReadWriteOncePod with other access modes")
	}
}

// claimSpec checks the spec of a PersistentVolumeClaim or, if isObject is false,
// of a claim template. For a PersistentVolumeClaim, the server first makes
// dataSource and dataSourceRef equal. Source: ValidatePersistentVolumeClaimSpec.
func (v *validator) claimSpec(spec node, isObject bool) {
	if modes := spec.get("accessModes"); modes.length() == 0 {
		v.required(modes, "at least 1 access mode is required")
	}
	v.labelSelector(spec.get("selector"))
	v.accessModes(spec.get("accessModes"))
	storage := spec.at("resources", "requests", "storage").withPath(spec.p.child("resources").key("storage"))
	if q, ok := quantity(storage); !ok {
		v.required(storage, "")
	} else if q.Sign() <= 0 {
		v.invalid(storage, strconv.Quote(q.String()), "must be greater than zero")
	}
	if class := spec.get("storageClassName"); class.text() != "" {
		v.dnsSubdomain(class, class.text())
	}
	if mode := spec.get("volumeMode"); mode.isSet() {
		v.enum(mode, mode.text(), "Block", "Filesystem")
	}
	v.dataSources(spec, isObject)
	if class := v.gated("VolumeAttributesClass", spec.get("volumeAttributesClassName")); class.text() != "" {
		v.dnsSubdomain(class, class.text())
	}
}

// dataSources checks the data source of a claim. isObject is as in claimSpec. For
// a PersistentVolumeClaim, the server first drops a source that is neither a
// claim nor a snapshot.
func (v *validator) dataSources(spec node, isObject bool) {
	source, ref := spec.get("dataSource"), v.gated("AnyVolumeDataSource", spec.get("dataSourceRef"))
	if isObject && source.isSet() && !ref.isSet() {
		group, kind := source.str("apiGroup"), source.str("kind")
		if !(kind == "PersistentVolumeClaim" && group == "") && !(kind == "VolumeSnapshot" && group == "snapshot.storage.k8s.io") {
			source = source.absent()
		}
	}
	if ref.str("namespace") != "" && (v.minor < 26 || !v.server.Enabled("CrossNamespaceVolumeDataSource")) {
		ref = ref.absent()
	}
	if isObject && v.minor >= 24 {
		switch {
		case source.isSet() && !ref.isSet():
			ref.v = source.v
		case ref.isSet() && !source.isSet() && ref.str("namespace") == "":
			source.v = ref.v
		}
	}
	for _, n := range []node{source, ref} {
		if !n.isSet() {
			continue
		}
		v.needAll(n, "name", "kind")
		group := n.str("apiGroup")
		if group == "" && n.str("kind") != "PersistentVolumeClaim" {
			detail := "must be 'PersistentVolumeClaim' when referencing the default apiGroup"
			if v.minor < 26 {
				detail = ""
			}
			v.invalid(n.get("kind").withPath(n.p), strconv.Quote(n.str("kind")), detail)
		}
		if group != "" && v.minor >= 29 {
			v.dnsSubdomain(n.get("apiGroup"), group)
		}
	}
	if ref.isSet() && source.isSet() && (source.str("name") != ref.str("name") || source.str("kind") != ref.str("kind") || source.str("apiGroup") != ref.str("apiGroup")) {
		at := source.withPath(spec.p)
		text := source.p.String()
		if v.minor >= 34 {
			text = "{}"
		}
		v.invalid(at, text, "must match dataSourceRef")
		if v.minor < 34 {
			v.inexact()
		}
	}
}

// claimUpdate checks that an update does not change immutable fields of a claim.
// The text is inexact, because the server's error contains a diff.
func (v *validator) claimUpdate(obj node) {
	spec, old := obj.get("spec"), root(v.req.Old).get("spec")
	stays := func(field string) bool { return same(spec.v.Get(field), old.v.Get(field)) }
	bound := obj.at("status").str("phase") == "Bound" || root(v.req.Old).at("status").str("phase") == "Bound"
	size, before := spec.at("resources", "requests", "storage"), old.at("resources", "requests", "storage")
	newSize, _ := quantity(size)
	oldSize, _ := quantity(before)
	class := spec.str("storageClassName") == old.str("storageClassName") || !old.has("storageClassName")
	name := old.str("volumeName") == "" || spec.str("volumeName") == old.str("volumeName")
	mode := spec.strOr("volumeMode", "Filesystem") == old.strOr("volumeMode", "Filesystem")
	if !stays("accessModes") || !stays("selector") || !class || !name || !mode || !stays("dataSource") || !bound && newSize.Cmp(oldSize) != 0 {
		fields := "resources.requests"
		if v.minor >= 29 {
			fields += " and volumeAttributesClassName"
		}
		v.forbidden(spec, "spec is immutable after creation except "+fields+" for bound claims\n…")
		v.inexact()
	}
	if newSize.Cmp(oldSize) < 0 {
		capacity, _ := quantity(root(v.req.Old).at("status", "capacity", "storage"))
		if v.minor < 23 || !v.server.Enabled("RecoverVolumeExpansionFailure") {
			v.forbidden(size, "field can not be less than previous value")
		} else if newSize.Cmp(capacity) <= 0 {
			v.forbidden(size, "field can not be less than status.capacity")
		}
	}
	if !mode {
		v.invalid(spec.get("volumeMode").withPath(nameOnlyPath("volumeMode")), v.typed(spec.strOr("volumeMode", "Filesystem")), "field is immutable")
	}
}

func nameOnlyPath(name string) *path { return &path{name: name} }
