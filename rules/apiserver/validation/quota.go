package validation

import (
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// quotaScope returns the resources that a scope of a ResourceQuota allows. ok is
// false if the minor does not have the scope.
func (v *validator) quotaScope(name string) (resources []string, ok bool) {
	compute := []string{"pods", "cpu", "memory", "limits.cpu", "limits.memory", "requests.cpu", "requests.memory"}
	switch name {
	case "Terminating", "NotTerminating", "NotBestEffort", "PriorityClass":
		return compute, true
	case "CrossNamespacePodAffinity":
		return compute, v.minor >= 22 || v.minor == 21 && v.server.Enabled("PodAffinityNamespaceSelector")
	case "BestEffort":
		return compute[:1], true
	case "VolumeAttributesClass":
		if v.minor >= 33 {
			return []string{"persistentvolumeclaims", "requests.storage"}, true
		}
	}
	return nil, false
}

// resourceQuota checks a ResourceQuota. Source: ValidateResourceQuota, except for
// the status.
func (v *validator) resourceQuota(obj node) {
	v.metadata(obj, true, subdomainErrors)
	spec := obj.get("spec")
	hard := spec.get("hard")
	var keys []string
	for k, value := range hard.entries {
		value.p = hard.p.key(k)
		v.resourceName(value, k)
		if !strings.Contains(k, "/") && !slices.Contains(quotaResources, k) && !isQuotaHugePage(k) {
			v.invalid(value, v.resourceText(k), "must be a standard resource for quota")
		}
		if q, ok := quantity(value); ok {
			v.quantityValue(value, k, q)
		}
		keys = append(keys, k)
	}
	slices.Sort(keys)
	v.scopes(spec.get("scopes"), keys)
	v.scopeSelector(spec, keys)
	if v.req.Old != nil {
		old := root(v.req.Old).at("spec", "scopes")
		a, b := slices.Sorted(slices.Values(spec.get("scopes").texts())), slices.Sorted(slices.Values(old.texts()))
		if !slices.Equal(slices.Compact(a), slices.Compact(b)) {
			v.invalid(spec.get("scopes"), v.scopeList(spec.get("scopes")), "field is immutable")
		}
	}
}

func (v *validator) scopeList(list node) string {
	return strings.Replace(v.stringList(orEmpty(list)), "[]string", "[]core.ResourceQuotaScope", 1)
}

// countDisallowed returns the number of resources that a scope does not allow.
func countDisallowed(keys, allowed []string) (n int) {
	for _, k := range keys {
		if (slices.Contains(quotaResources, k) || isQuotaHugePage(k)) && !slices.Contains(allowed, k) {
			n++
		}
	}
	return n
}

// scopes checks the scopes of a ResourceQuota. Source:
// validateResourceQuotaScopes.
func (v *validator) scopes(list node, keys []string) {
	if list.length() == 0 {
		return
	}
	// Errors about several scopes can be equal, because each quotes the whole
	// list.
	reported := map[string]bool{}
	addError := func(detail string) {
		if !reported[detail] {
			reported[detail] = true
			v.invalid(list, v.scopeList(list), detail)
		}
	}
	for _, s := range list.items {
		allowed, ok := v.quotaScope(s.text())
		if !ok {
			addError("unsupported scope")
		}
		if allowed != nil {
			for range countDisallowed(keys, allowed) {
				addError("unsupported scope applied to resource")
			}
		}
	}
	v.scopesConflict(list.texts(), addError)
}

func (v *validator) scopesConflict(scopes []string, addError func(string)) {
	for _, pair := range [][2]string{{"BestEffort", "NotBestEffort"}, {"Terminating", "NotTerminating"}} {
		if slices.Contains(scopes, pair[0]) && slices.Contains(scopes, pair[1]) {
			addError("conflicting scopes")
		}
	}
}

// scopeSelector checks the scope selector of a ResourceQuota. Source:
// validateScopedResourceSelectorRequirement.
func (v *validator) scopeSelector(spec node, keys []string) {
	selector := spec.get("scopeSelector")
	list := selector.get("matchExpressions")
	var scopes []string
	for _, r := range list.items {
		r.p = list.p
		name, operator, values := r.get("scopeName"), r.get("operator"), r.get("values")
		scopes = append(scopes, name.text())
		allowed, ok := v.quotaScope(name.text())
		if !ok {
			v.invalid(name, v.typed(name.text()), "unsupported scope")
		}
		if allowed != nil {
			for range countDisallowed(keys, allowed) {
				v.invalid(r, v.dump("core.ScopeSelector{…}", selector.v), "unsupported scope applied to resource")
				v.inexact()
			}
		}
		if ok && name.text() != "PriorityClass" && name.text() != "VolumeAttributesClass" && operator.text() != "Exists" {
			exist := "'Exists'"
			if v.minor < 31 {
				exist = "'Exist'"
			}
			v.invalid(operator, v.typed(operator.text()), "must be "+exist+" when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity")
		}
		switch operator.text() {
		case "In", "NotIn":
			if values.length() == 0 {
				v.required(values, "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector")
			}
		case "Exists", "DoesNotExist":
			if values.length() > 0 {
				v.invalid(values, v.stringList(values.texts()), "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector")
			}
		default:
			v.invalid(operator, v.typed(operator.text()), "not a valid selector operator")
		}
	}
	v.scopesConflict(scopes, func(detail string) { v.invalid(list, v.scopeList(spec.get("scopes")), detail) })
}

// limitRange checks a LimitRange. Source: ValidateLimitRange.
func (v *validator) limitRange(obj node) {
	meta := obj.get("metadata")
	if meta.str("name") == "" && meta.str("generateName") == "" {
		// The strategy sets a name before validation.
		meta = meta.with("name", &wire.Value{Kind: wire.String, Text: "limits"})
	}
	v.metadata(obj.with("metadata", meta.v), true, subdomainErrors)
	limits := obj.at("spec", "limits")
	seen := newNames(limits.length())
	for _, l := range limits.items {
		kind := l.get("type")
		name := kind.text()
		if errs := qualifiedErrors(v.minor, name); len(errs) > 0 {
			for _, m := range errs {
				v.invalid(kind, v.typed(name), m)
			}
		} else if !strings.Contains(name, "/") && name != "Pod" && name != "Container" && name != "PersistentVolumeClaim" {
			v.invalid(kind, v.typed(name), "must be a standard limit type or fully qualified")
		}
		if !seen.add(name) {
			v.duplicate(kind, v.typed(name))
		}
		v.limit(l, name)
	}
}

// limitNames checks the names of the resources in list, such as max. It appends the
// names to keys and returns the result.
func (v *validator) limitNames(list node, kind string, keys []string) []string {
	for k, value := range list.entries {
		value.p = list.p.key(k)
		if kind == "Pod" || kind == "Container" {
			v.containerResource(value, k)
		} else {
			v.resourceName(value, k)
		}
		keys = append(keys, k)
	}
	return keys
}

// limit checks one item of a LimitRange with its defaults.
func (v *validator) limit(l node, kind string) {
	maximum, minimum := l.get("max"), l.get("min")
	keys := v.limitNames(minimum, kind, v.limitNames(maximum, kind, nil))
	def, request := l.get("default"), l.get("defaultRequest")
	if kind == "Container" {
		// Source: SetDefaults_LimitRangeItem in pkg/apis/core/v1.
		def = def.merged(maximum)
		request = request.merged(def).merged(minimum)
		l = l.with("default", def.v).with("defaultRequest", request.v)
	}
	if kind == "Pod" {
		for _, n := range []node{def, request} {
			if n.length() > 0 {
				v.forbidden(n, "may not be specified when `type` is 'Pod'")
			}
		}
	} else {
		keys = v.limitNames(request, kind, v.limitNames(def, kind, keys))
	}
	if kind == "PersistentVolumeClaim" && !minimum.has("storage") && !maximum.has("storage") {
		v.required(l.get("limits"), "either minimum or maximum storage value is required, but neither was provided")
	}
	ratio := l.get("maxLimitRequestRatio")
	keys = v.limitNames(ratio, kind, keys)
	slices.Sort(keys)
	for _, k := range slices.Compact(keys) {
		v.limitValues(l, k, kind)
	}
}

// merged returns the map n with the entries of other whose keys n lacks.
func (n node) merged(other node) node {
	if other.length() == 0 {
		return n
	}
	m := &wire.Value{Kind: wire.Map}
	if n.v != nil {
		m.Fields = slices.Clone(n.v.Fields)
	}
	for k, value := range other.entries {
		if n.v.Get(k) == nil {
			m.Fields = append(m.Fields, wire.Field{Name: k, Value: value.v})
		}
	}
	n.v = m
	return n
}

// limitValues compares the minimum, maximum, default and other values of one
// resource.
func (v *validator) limitValues(l node, key, kind string) {
	type value struct {
		n  node
		q  resource.Quantity
		ok bool
	}
	valueOf := func(field string) value {
		n := l.get(field)
		q, ok := quantity(n.get(key))
		return value{n.get(key).withPath(n.p.key(key)), q, ok}
	}
	most, least, def, request, ratio := valueOf("max"), valueOf("min"), valueOf("default"), valueOf("defaultRequest"), valueOf("maxLimitRequestRatio")
	if kind == "Pod" {
		def.ok, request.ok = false, false
	}
	addError := func(at, shown value, detail string) {
		v.invalid(at.n, v.quantityText(shown.q), detail)
		if v.minor < 34 {
			v.inexact()
		}
	}
	less := func(a, b value) bool { return a.ok && b.ok && a.q.Cmp(b.q) < 0 }
	text := func(x value) string { return x.q.String() }
	if less(most, least) {
		addError(least, least, "min value "+text(least)+" is greater than max value "+text(most))
	}
	if less(request, least) {
		addError(request, request, "min value "+text(least)+" is greater than default request value "+text(request))
	}
	if less(most, request) {
		addError(request, request, "default request value "+text(request)+" is greater than max value "+text(most))
	}
	if less(def, request) {
		addError(request, request, "default request value "+text(request)+" is greater than default limit value "+text(def))
	}
	if less(def, least) {
		addError(def, least, "min value "+text(least)+" is greater than default value "+text(def))
	}
	if less(most, def) {
		addError(def, most, "default value "+text(def)+" is greater than max value "+text(most))
	}
	if !ratio.ok {
		return
	}
	if ratio.q.Cmp(resource.MustParse("1")) < 0 {
		addError(ratio, ratio, "ratio "+text(ratio)+" is less than 1")
	}
	if least.ok && most.ok {
		if bound := most.q.AsApproximateFloat64() / least.q.AsApproximateFloat64(); ratio.q.AsApproximateFloat64() > bound {
			addError(ratio, ratio, "ratio "+text(ratio)+" is greater than max/min = "+strconv.FormatFloat(bound, 'f', 6, 64))
		}
	}
	if !isOvercommitAllowed(key) && def.ok && request.ok && def.q.Cmp(request.q) != 0 {
		addError(request, request, "default value "+text(def)+" must equal to defaultRequest value "+text(request)+" in "+key)
	}
}
