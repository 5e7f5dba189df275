package validation

import (
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// failurePolicy checks the pod failure policy of a Job. Source:
// validatePodFailurePolicy (since 1.25).
func (v *validator) failurePolicy(spec, policy node, perIndex, defaults bool) {
	rules := policy.get("rules")
	if defaults && v.minor == 28 && !v.server.Enabled("JobBackoffLimitPerIndex") {
		// If the gate is off, the strategy of jobs drops rules with the action
		// FailIndex, too.
		var kept []*wire.Value
		for _, r := range rules.items {
			if r.str("action") != "FailIndex" {
				kept = append(kept, r.v)
			}
		}
		rules.v = &wire.Value{Kind: wire.List, Items: kept}
	}
	if rules.length() > 20 {
		v.tooMany(rules, rules.length(), 20)
	}
	containers := newNames(0)
	for _, field := range []string{"containers", "initContainers"} {
		for _, c := range spec.at("template", "spec", field).items {
			containers.add(c.str("name"))
		}
	}
	actions := []string{"Count", "FailIndex", "FailJob", "Ignore"}
	if v.minor < 28 {
		actions = []string{"Count", "FailJob", "Ignore"}
	}
	for _, r := range rules.items {
		action := r.get("action")
		switch {
		case action.text() == "":
			v.required(action, "valid values: "+quotedList(actions))
		case v.minor >= 28 && action.text() == "FailIndex":
			if !perIndex {
				v.invalid(action, v.typed("FailIndex"), "requires the backoffLimitPerIndex to be set")
			}
		default:
			v.enum(action, action.text(), actions...)
		}
		codes, conditions := r.get("onExitCodes"), r.get("onPodConditions")
		if codes.isSet() {
			v.exitCodes(codes, containers)
		}
		if conditions.length() > 0 {
			v.podConditions(conditions, defaults)
		}
		switch {
		case codes.isSet() && conditions.length() > 0:
			v.add(r, "Invalid value: specifying both OnExitCodes and OnPodConditions is not supported")
		case !codes.isSet() && conditions.length() == 0:
			v.add(r, "Invalid value: specifying one of OnExitCodes and OnPodConditions is required")
		}
	}
}

// quotedList formats a list as fmt's %q does.
func quotedList(texts []string) string {
	quoted := make([]string, len(texts))
	for i, s := range texts {
		quoted[i] = strconv.Quote(s)
	}
	return "[" + strings.Join(quoted, " ") + "]"
}

func (v *validator) choice(n node, values ...string) {
	if n.text() == "" {
		v.required(n, "valid values: "+quotedList(values))
		return
	}
	v.enum(n, n.text(), values...)
}

func (v *validator) podConditions(list node, defaults bool) {
	if list.length() > 20 {
		v.tooMany(list, list.length(), 20)
	}
	for _, c := range list.items {
		v.qualifiedName(c.get("type"), c.str("type"), c.str("type"))
		if c.str("status") != "" || !defaults { // the default is True
			v.choice(c.get("status"), "False", "True", "Unknown")
		}
	}
}

func (v *validator) exitCodes(codes node, containers *names) {
	operator, name, values := codes.get("operator"), codes.get("containerName"), codes.get("values")
	v.choice(operator, "In", "NotIn")
	if name.isSet() && !containers.has(name.text()) {
		v.invalidString(name, name.text(), []string{"must be one of the container or initContainer names in the pod template"})
	}
	numbers := make([]int64, 0, values.length())
	for _, n := range values.items {
		i, _ := n.number()
		numbers = append(numbers, i)
	}
	switch {
	case len(numbers) == 0:
		v.invalid(values, v.numbers(numbers, values.isSet()), "at least one value is required")
	case len(numbers) > 255:
		v.tooMany(values, len(numbers), 255)
	}
	seen, ordered := map[int64]bool{}, true
	for j, n := range values.items {
		i := numbers[j]
		if operator.text() == "In" && i == 0 {
			v.invalid(n, "0", "must not be 0 for the In operator")
		}
		if seen[i] {
			v.duplicate(n, itoa(i))
		}
		seen[i] = true
		ordered = ordered && (j == 0 || numbers[j-1] <= i)
	}
	if !ordered {
		v.invalid(values, v.numbers(numbers, true), "must be ordered")
	}
}

// numbers formats a []int32 for an error. isSet is false for a nil list.
func (v *validator) numbers(list []int64, isSet bool) string {
	texts := make([]string, len(list))
	for i, n := range list {
		texts[i] = itoa(n)
	}
	switch {
	case v.minor >= 34 && !isSet:
		return "null"
	case v.minor >= 34:
		return "[" + strings.Join(texts, ",") + "]"
	case !isSet:
		return "[]int32(nil)"
	}
	return "[]int32{" + strings.Join(texts, ", ") + "}"
}
