package validation

import (
	"slices"
	"strconv"
	"strings"
)

// affinity checks the affinity of a pod. Source: validateAffinity.
func (v *validator) affinity(a node) {
	if !a.isSet() {
		return
	}
	if nodes := a.get("nodeAffinity"); nodes.isSet() {
		if required := nodes.get("requiredDuringSchedulingIgnoredDuringExecution"); required.isSet() {
			v.nodeSelector(required, v.minor < 33)
		}
		for _, term := range nodes.get("preferredDuringSchedulingIgnoredDuringExecution").items {
			v.weight(term)
			v.nodeSelectorTerm(term.get("preference"), true)
		}
	}
	for _, field := range []string{"podAffinity", "podAntiAffinity"} {
		pods := a.get(field)
		for _, term := range pods.get("requiredDuringSchedulingIgnoredDuringExecution").items {
			v.podAffinityTerm(term)
		}
		for _, term := range pods.get("preferredDuringSchedulingIgnoredDuringExecution").items {
			v.weight(term)
			v.podAffinityTerm(term.get("podAffinityTerm"))
		}
	}
}

func (v *validator) weight(term node) {
	if w := term.num("weight", 0); w <= 0 || w > 100 {
		v.invalid(term.get("weight"), itoa(w), "must be in the range 1-100")
	}
}

// nodeSelector checks a node selector. Source: ValidateNodeSelector.
func (v *validator) nodeSelector(n node, anyValue bool) {
	terms := n.get("nodeSelectorTerms")
	if terms.length() == 0 {
		v.required(terms, "must have at least one node selector term")
	}
	for _, term := range terms.items {
		v.nodeSelectorTerm(term, anyValue)
	}
}

// nodeSelectorTerm checks a term of a node selector. Source:
// ValidateNodeSelectorTerm.
func (v *validator) nodeSelectorTerm(term node, anyValue bool) {
	for _, r := range term.get("matchExpressions").items {
		v.nodeRequirement(r, anyValue)
	}
	for _, r := range term.get("matchFields").items {
		v.fieldRequirement(r)
	}
}

const badOperator = "not a valid selector operator"

func (v *validator) nodeRequirement(r node, anyValue bool) {
	operator, values := r.get("operator"), r.get("values")
	switch operator.text() {
	case "In", "NotIn":
		if values.length() == 0 {
			v.required(values, "must be specified when `operator` is 'In' or 'NotIn'")
		}
	case "Exists", "DoesNotExist":
		if values.length() > 0 {
			v.forbidden(values, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")
		}
	case "Gt", "Lt":
		if values.length() != 1 {
			v.required(values, "must be specified single value when `operator` is 'Lt' or 'Gt'")
		}
	default:
		v.invalid(operator, v.typed(operator.text()), badOperator)
	}
	v.labelName(r.get("key"), r.str("key"))
	if !anyValue {
		v.labelValues(values)
	}
}

func (v *validator) labelValues(values node) {
	for _, value := range values.items {
		v.invalidString(value, value.text(), labelValueErrors(v.minor, value.text()))
	}
}

// fieldRequirement checks a requirement of a node selector about a field of the
// node. Source: ValidateNodeFieldSelectorRequirement.
func (v *validator) fieldRequirement(r node) {
	operator, key, values := r.get("operator"), r.get("key"), r.get("values")
	switch operator.text() {
	case "In", "NotIn":
		if values.length() != 1 {
			v.required(values, "must be only one value when `operator` is 'In' or 'NotIn' for node field selector")
		}
	default:
		v.invalid(operator, v.typed(operator.text()), badOperator)
	}
	if key.text() != "metadata.name" {
		v.invalidString(key, key.text(), []string{"not a valid field selector key"})
		return
	}
	for _, value := range values.items {
		v.dnsSubdomain(value, value.text())
	}
}

// podAffinityTerm checks a pod affinity term. Source: validatePodAffinityTerm.
func (v *validator) podAffinityTerm(term node) {
	v.labelSelector(term.get("labelSelector"))
	if v.minor >= 21 {
		v.labelSelector(term.get("namespaceSelector"))
	}
	for _, ns := range term.get("namespaces").items {
		v.dnsLabel(ns.withPath(term.p.child("namespace")), ns.text())
	}
	if v.minor >= 29 && v.server.Enabled("MatchLabelKeysInPodAffinity") {
		v.matchLabelKeys(term, term.get("matchLabelKeys"), term.get("mismatchLabelKeys"))
	}
	key := term.get("topologyKey")
	if key.text() == "" {
		v.required(key, "can not be empty")
	}
	v.labelName(key, key.text())
}

// matchLabelKeys checks the matchLabelKeys and mismatchLabelKeys of a pod
// affinity term. Source: ValidateMatchLabelKeysAndMismatchLabelKeys.
func (v *validator) matchLabelKeys(term, match, mismatch node) {
	selector := term.get("labelSelector")
	for _, list := range []node{match, mismatch} {
		if list.length() > 0 && !selector.isSet() {
			v.forbidden(list, "must not be specified when labelSelector is not set")
			continue
		}
		for _, key := range list.items {
			v.labelName(key, key.text())
		}
	}
	seen := map[string]bool{}
	for k := range selector.get("matchLabels").entries {
		seen[k] = true
	}
	for _, e := range selector.get("matchExpressions").items {
		key := e.str("key")
		if i := slices.Index(match.texts(), key); i >= 0 && seen[key] {
			for j, other := range match.texts() { // the last index of a repeated key counts
				if other == key {
					i = j
				}
			}
			v.invalidString(e.get("key").withPath(term.p.item(i)), key, []string{"exists in both matchLabelKeys and labelSelector"})
		}
		seen[key] = true
	}
	for _, key := range match.items {
		if slices.Contains(mismatch.texts(), key.text()) {
			v.invalidString(key, key.text(), []string{"exists in both matchLabelKeys and mismatchLabelKeys"})
		}
	}
}

// topologySpread checks the topology spread constraints of a pod. Source:
// validateTopologySpreadConstraints.
func (v *validator) topologySpread(list node) {
	for i, c := range list.items {
		if skew := c.num("maxSkew", 0); skew <= 0 {
			v.invalid(c.get("maxSkew"), itoa(skew), "must be greater than zero")
		}
		key, action := c.str("topologyKey"), c.str("whenUnsatisfiable")
		if key == "" {
			v.required(c.get("topologyKey"), "can not be empty")
		}
		v.enum(c.get("whenUnsatisfiable"), action, "DoNotSchedule", "ScheduleAnyway")
		v.spreadTwice(list, i, c, key, action)
		if d := v.gated("MinDomainsInPodTopologySpread", c.get("minDomains")); d.isSet() {
			n, _ := d.number()
			if n <= 0 {
				v.invalid(d, itoa(n), "must be greater than zero")
			}
			if action != "DoNotSchedule" {
				v.invalid(d, itoa(n), "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not "+action)
			}
		}
		for _, field := range []string{"nodeAffinityPolicy", "nodeTaintsPolicy"} {
			if p := v.gated("NodeInclusionPolicyInPodTopologySpread", c.get(field)); p.isSet() {
				v.enum(p, p.text(), "Honor", "Ignore")
			}
		}
		v.spreadKeys(c, v.gated("MatchLabelKeysInPodTopologySpread", c.get("matchLabelKeys")))
		if v.minor >= 25 {
			v.labelSelector(c.get("labelSelector"))
		}
	}
}

func (v *validator) spreadTwice(list node, i int, c node, key, action string) {
	for _, later := range list.v.Items[i+1 : min(len(list.v.Items), i+1001)] {
		if l := root(later); l.str("topologyKey") == key && l.str("whenUnsatisfiable") == action {
			v.duplicate(node{owner: c.owner, p: c.p.child("{topologyKey, whenUnsatisfiable}")}, strconv.Quote("{"+key+", "+action+"}"))
			return
		}
	}
}

// spreadKeys checks the matchLabelKeys of a topology spread constraint. From 1.34
// on, if the gate is on, the server merges the keys into the selector. It then makes
// the check of matchLabelKeys. Source: ValidateMatchLabelKeysInTopologySpread.
func (v *validator) spreadKeys(c, keys node) {
	if keys.length() == 0 {
		return
	}
	if v.minor >= 34 && v.server.Enabled("MatchLabelKeysInPodTopologySpreadSelectorMerge") {
		v.matchLabelKeys(c, keys, keys.absent())
		return
	}
	selector := c.get("labelSelector")
	if !selector.isSet() {
		v.forbidden(keys, "must not be specified when labelSelector is not set")
	}
	for _, key := range keys.items {
		v.labelName(key, key.text())
		in := !selector.at("matchLabels").v.Get(key.text()).IsNull()
		for _, e := range selector.get("matchExpressions").items {
			in = in || e.str("key") == key.text()
		}
		if in {
			v.invalidString(key, key.text(), []string{"exists in both matchLabelKeys and labelSelector"})
		}
	}
}

// tolerations checks the tolerations of a pod. Source: ValidateTolerations.
func (v *validator) tolerations(list node) {
	for _, t := range list.items {
		key, operator, value, effect := t.get("key"), t.get("operator"), t.get("value"), t.get("effect")
		if key.text() != "" {
			v.declaredSince(37, func() { v.labelName(key, key.text()) })
		}
		if key.text() == "" && operator.text() != "Exists" {
			v.invalid(operator, v.typed(operator.text()), `operator must be Exists when `+"`key`"+` is empty, which means "match all values and all keys"`)
		}
		if t.has("tolerationSeconds") && effect.text() != "NoExecute" {
			v.invalid(effect, v.typed(effect.text()), "effect must be 'NoExecute' when `tolerationSeconds` is set")
		}
		switch op := operator.text(); {
		case op == "" || op == "Equal":
			if errs := labelValueErrors(v.minor, value.text()); len(errs) > 0 {
				v.invalid(value.withPath(operator.p), strconv.Quote(value.text()), strings.Join(errs, ";"))
			}
		case op == "Exists":
			if value.text() != "" {
				v.tolerationValue(t, value.withPath(operator.p))
			}
		case v.minor >= 35 && (op == "Lt" || op == "Gt"):
			v.comparison(operator, value)
		default:
			v.unsupported(operator, v.typed(op), "Equal", "Exists")
		}
		if effect.text() != "" {
			v.enum(effect, effect.text(), "NoSchedule", "PreferNoSchedule", "NoExecute")
		}
	}
}

// tolerationValue adds an error if a toleration has a value with the operator
// Exists. Up to 1.31 the text contains the whole toleration.
func (v *validator) tolerationValue(t, value node) {
	text := strconv.Quote(value.text())
	if v.minor < 32 {
		seconds := "(*int64)(nil)"
		if t.has("tolerationSeconds") {
			seconds = "(*int64)(0x0)"
		}
		text = "core.Toleration{Key:" + strconv.Quote(t.str("key")) + `, Operator:"Exists", Value:` + text + ", Effect:" + strconv.Quote(t.str("effect")) + ", TolerationSeconds:" + seconds + "}"
	}
	v.invalid(value, text, "value must be empty when `operator` is 'Exists'")
	if v.minor < 32 && t.has("tolerationSeconds") {
		v.inexact()
	}
}

// comparison checks a toleration with the operators Lt or Gt (since 1.35).
func (v *validator) comparison(operator, value node) {
	if !v.server.Enabled("TaintTolerationComparisonOperators") {
		v.unsupported(operator, v.typed(operator.text()), "Equal", "Exists", "Lt", "Gt")
		return
	}
	if msg := decimalError(value.text()); msg != "" {
		v.invalidString(value, value.text(), []string{msg})
	}
	if _, err := strconv.ParseInt(value.text(), 10, 64); err != nil {
		v.invalidString(value, value.text(), []string{err.Error()})
	}
}

// decimalError returns the error in a decimal integer, or "". Source:
// IsDecimalInteger.
func decimalError(s string) string {
	digits := strings.TrimPrefix(s, "-")
	switch {
	case s == "":
		return "must be non-empty"
	case s == "0":
		return ""
	case digits == "" || !everyIn(digits, inDigits) || digits[0] == '0':
		return "must be a valid decimal integer in canonical form"
	}
	return ""
}
