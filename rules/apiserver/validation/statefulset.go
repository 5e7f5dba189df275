package validation

import (
	"slices"
	"strconv"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// statefulSet checks a StatefulSet. Source: ValidateStatefulSet and
// ValidateStatefulSetUpdate.
func (v *validator) statefulSet(obj node) {
	rule := nameRule(labelErrors)
	if v.minor < 27 {
		rule = subdomainErrors
	}
	v.metadata(obj, true, rule)
	spec, old := obj.get("spec"), root(v.req.Old).get("spec")
	skip := v.req.Old != nil && v.minor >= 34 && v.storedIsInvalid(old)
	v.statefulSpec(spec, skip)
	if v.req.Old != nil {
		v.immutableStatefulSet(spec, old)
	}
}

// storedIsInvalid reports whether the server would refuse the stored set, which
// an older server may have stored because it did not validate templates.
func (v *validator) storedIsInvalid(old node) bool {
	return len(v.errorsOf(func() { v.statefulSpec(old, false) })) > 0
}

// statefulSpec checks the spec of a StatefulSet. Up to 1.33 the template is
// hardly checked; see statefulTemplate. Source: ValidateStatefulSetSpec.
func (v *validator) statefulSpec(spec node, skipTemplate bool) {
	if p := spec.get("podManagementPolicy"); p.text() != "" && p.text() != "OrderedReady" && p.text() != "Parallel" {
		v.invalid(p, v.typed(p.text()), "must be 'OrderedReady' or 'Parallel'")
	}
	v.statefulStrategy(spec)
	if p := v.gated("StatefulSetAutoDeletePVC", spec.get("persistentVolumeClaimRetentionPolicy")); p.isSet() {
		for _, field := range []string{"whenDeleted", "whenScaled"} {
			if n := p.get(field); n.text() != "" {
				v.enum(n, n.text(), "Retain", "Delete")
			}
		}
	}
	claims := spec.get("volumeClaimTemplates")
	if v.minor >= 34 && v.req.Old == nil {
		for _, c := range claims.items {
			v.claimSpec(c.get("spec"), false)
		}
	}
	v.nonnegative(spec.get("replicas"))
	v.nonnegative(v.gated("StatefulSetMinReadySeconds", spec.get("minReadySeconds")))
	if ordinals := v.gated("StatefulSetStartOrdinal", spec.get("ordinals")); ordinals.isSet() {
		v.nonnegative(ordinals.get("start").withPath(spec.p.child("ordinals.start")))
	}
	if name := spec.get("serviceName"); v.minor >= 33 && v.req.Old == nil && name.text() != "" {
		v.dnsLabel(name, name.text())
	}
	selector, template := v.specSelector(spec), spec.get("template")
	if v.selectorFor(selector, "statefulset", "") {
		if !selector.isSet() || !isEmptySelector(selector) {
			v.templateMatches(template, selector)
		}
		if v.minor >= 34 && !skipTemplate {
			v.template(withoutNames(template), claimVolumes(claims))
		}
		v.statefulTemplate(template)
	}
	v.alwaysRunning(template, "StatefulSet")
}

// statefulTemplate makes the checks of a template that all servers make.
func (v *validator) statefulTemplate(t node) {
	meta := t.get("metadata")
	annotations := meta.get("annotations").withPath(t.p.child("annotations"))
	v.labels(meta.get("labels").withPath(t.p.child("labels")))
	v.annotations(annotations)
	v.podAnnotations(annotations, t.get("spec"))
}

// withoutNames returns the template without hostname and subdomain, which the
// server sets for each pod.
func withoutNames(t node) node {
	spec := t.v.Get("spec")
	if spec.Get("hostname") == nil && spec.Get("subdomain") == nil {
		return t
	}
	return t.with("spec", without(spec, "hostname", "subdomain"))
}

func without(m *wire.Value, names ...string) *wire.Value {
	c := *m
	c.Fields = make([]wire.Field, 0, len(m.Fields))
fields:
	for _, f := range m.Fields {
		for _, n := range names {
			if f.Name == n {
				continue fields
			}
		}
		c.Fields = append(c.Fields, f)
	}
	return &c
}

// with returns a copy of a map with one field set to value.
func (n node) with(name string, value *wire.Value) node {
	c := wire.Value{Kind: wire.Map}
	if n.v != nil {
		c = *n.v
	}
	c.Fields = slices.Clone(c.Fields)
	at := slices.IndexFunc(c.Fields, func(f wire.Field) bool { return f.Name == name })
	if at < 0 {
		c.Fields = append(c.Fields, wire.Field{Name: name, Value: value})
	} else {
		c.Fields[at].Value = value
	}
	n.v = &c
	return n
}

// claimVolumes returns the volumes that the server adds to the template, one for
// each claim template. Source: volumesToAddForTemplates.
func claimVolumes(claims node) []node {
	var volumes []node
	seen := newNames(claims.length())
	for _, c := range claims.items {
		name := c.v.At("metadata", "name")
		if !seen.add(name.StringOr("")) {
			continue
		}
		claim := &wire.Value{Kind: wire.Map, Fields: []wire.Field{{Name: "claimName", Value: name}}}
		volume := &wire.Value{Kind: wire.Map, Fields: []wire.Field{{Name: "name", Value: name}, {Name: "persistentVolumeClaim", Value: claim}}}
		volumes = append(volumes, node{v: volume, owner: c.owner})
	}
	return volumes
}

// statefulStrategy checks the update strategy. The default is RollingUpdate, and
// OnDelete in apps/v1beta1.
func (v *validator) statefulStrategy(spec node) {
	s := spec.get("updateStrategy")
	rolling := s.get("rollingUpdate")
	def := "RollingUpdate"
	if v.req.APIVersion == "apps/v1beta1" {
		def = "OnDelete"
	}
	switch kind := s.strOr("type", def); kind {
	case "OnDelete":
		if rolling.isSet() {
			v.onlyRolling(rolling)
		}
	case "RollingUpdate":
		v.nonnegative(rolling.get("partition"))
		n := v.gated("MaxUnavailableStatefulSet", rolling.get("maxUnavailable"))
		if !n.isSet() {
			return
		}
		v.intOrPercent(n)
		if intOrPercentValue(n, 1) == 0 {
			v.invalid(n, v.intOrString(n), "cannot be 0")
		}
		v.atMost100(n)
	default:
		detail := "must be 'RollingUpdate' or 'OnDelete'"
		if v.minor >= 37 && v.server.Enabled("StatefulSetRecreateStrategy") {
			detail = "must be 'RollingUpdate', 'OnDelete', or 'Recreate'"
			if kind == "Recreate" {
				if rolling.isSet() {
					v.onlyRolling(rolling)
				}
				return
			}
		}
		text := "apps.StatefulSetUpdateStrategy{Type:" + strconv.Quote(kind) + ", RollingUpdate:(*apps.RollingUpdateStatefulSetStrategy)(nil)}"
		if v.minor >= 34 {
			text = `{"Type":` + jsonString(kind) + `,"RollingUpdate":null}`
		}
		v.invalid(s, text, detail)
		if rolling.isSet() {
			v.inexact()
		}
	}
}

func (v *validator) onlyRolling(rolling node) {
	partition, n := itoa(rolling.num("partition", 0)), v.gated("MaxUnavailableStatefulSet", rolling.get("maxUnavailable"))
	text := "apps.RollingUpdateStatefulSetStrategy{Partition:" + partition
	switch {
	case v.minor >= 34 && n.isSet():
		text = `{"Partition":` + partition + `,"MaxUnavailable":` + v.intOrString(n) + "}"
	case v.minor >= 34:
		text = `{"Partition":` + partition + `,"MaxUnavailable":null}`
	case v.minor >= 24 && n.isSet():
		text += ", MaxUnavailable:(*intstr.IntOrString)(0x0)}"
	case v.minor >= 24:
		text += ", MaxUnavailable:(*intstr.IntOrString)(nil)}"
	default:
		text += "}"
	}
	v.invalid(rolling, text, "only allowed for updateStrategy 'RollingUpdate'")
	if n.isSet() && v.minor < 34 {
		v.inexact()
	}
}

// immutableStatefulSet checks that an update does not change immutable fields.
func (v *validator) immutableStatefulSet(spec, old node) {
	if v.minor >= 37 {
		v.immutable(spec.get("selector"), old.get("selector"), v.selector(spec.get("selector")))
		claims := spec.get("volumeClaimTemplates")
		before := len(v.causes)
		v.immutable(claims, old.get("volumeClaimTemplates"), jsonOf(claims.v))
		if len(v.causes) > before {
			v.inexact()
		}
		v.immutable(spec.get("serviceName"), old.get("serviceName"), strconv.Quote(spec.str("serviceName")))
		if now := spec.strOr("podManagementPolicy", "OrderedReady"); now != old.strOr("podManagementPolicy", "OrderedReady") {
			v.invalid(spec.get("podManagementPolicy"), v.typed(now), "field is immutable")
		}
		return
	}
	if same(spec.v.Get("selector"), old.v.Get("selector")) && spec.str("serviceName") == old.str("serviceName") &&
		spec.strOr("podManagementPolicy", "OrderedReady") == old.strOr("podManagementPolicy", "OrderedReady") &&
		sameClaims(spec.get("volumeClaimTemplates"), old.get("volumeClaimTemplates")) &&
		(v.minor >= 33 || spec.num("revisionHistoryLimit", 10) == old.num("revisionHistoryLimit", 10)) {
		return
	}
	fields := "'replicas', 'ordinals', 'template', 'updateStrategy', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds'"
	switch {
	case v.minor >= 33:
		fields = "'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds'"
	case v.minor >= 26:
	case v.minor >= 23:
		fields = "'replicas', 'template', 'updateStrategy', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds'"
	case v.minor == 22:
		fields = "'replicas', 'template', 'updateStrategy' and 'minReadySeconds'"
	default:
		fields = "'replicas', 'template', and 'updateStrategy'"
	}
	v.forbidden(spec, "updates to statefulset spec for fields other than "+fields+" are forbidden")
}

// sameClaims reports whether claim templates are equal, without the fields that
// the server adds to stored templates.
func sameClaims(a, b node) bool {
	if a.length() != b.length() {
		return false
	}
	for i, c := range a.items {
		d := b.item(i)
		if c.at("metadata").str("name") != d.at("metadata").str("name") {
			return false
		}
		spec, old := c.get("spec"), d.get("spec")
		for _, field := range []string{"accessModes", "selector", "resources", "volumeName", "storageClassName", "dataSource"} {
			if !same(spec.v.Get(field), old.v.Get(field)) {
				return false
			}
		}
		if spec.strOr("volumeMode", "Filesystem") != old.strOr("volumeMode", "Filesystem") {
			return false
		}
	}
	return true
}
