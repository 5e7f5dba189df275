package validation

import "slices"

// labelSelector checks a label selector. Up to 1.24 it does not check the values.
// Source: ValidateLabelSelector in
// k8s.io/apimachinery/pkg/apis/meta/v1/validation.
func (v *validator) labelSelector(s node) {
	if !s.isSet() {
		return
	}
	v.labels(s.get("matchLabels"))
	for _, r := range s.get("matchExpressions").items {
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
		default:
			v.invalid(operator, v.typed(operator.text()), badOperator)
		}
		v.labelName(r.get("key"), r.str("key"))
		if v.minor >= 25 {
			v.labelValues(values)
		}
	}
}

// isParsable reports whether the server can parse a selector. Source:
// LabelSelectorAsSelector in k8s.io/apimachinery/pkg/apis/meta/v1/helpers.go.
func (v *validator) isParsable(s node) bool {
	for k, value := range s.get("matchLabels").entries {
		if len(qualifiedErrors(v.minor, k)) > 0 || len(labelValueErrors(v.minor, value.text())) > 0 {
			return false
		}
	}
	for _, r := range s.get("matchExpressions").items {
		values := r.get("values")
		switch r.str("operator") {
		case "In", "NotIn":
			if values.length() == 0 {
				return false
			}
		case "Exists", "DoesNotExist":
			if values.length() > 0 {
				return false
			}
		default:
			return false
		}
		if len(qualifiedErrors(v.minor, r.str("key"))) > 0 {
			return false
		}
		for _, value := range values.items {
			if len(labelValueErrors(v.minor, value.text())) > 0 {
				return false
			}
		}
	}
	return true
}

// selects reports whether a selector matches labels. A null selector matches
// nothing, and an empty selector matches everything.
func selects(s, labels node) bool {
	if !s.isSet() {
		return false
	}
	label := func(key string) (string, bool) {
		v := labels.v.Get(key)
		return v.StringOr(""), v != nil
	}
	for k, want := range s.get("matchLabels").entries {
		if got, ok := label(k); !ok || got != want.text() {
			return false
		}
	}
	for _, r := range s.get("matchExpressions").items {
		got, ok := label(r.str("key"))
		in := ok && slices.Contains(r.get("values").texts(), got)
		switch r.str("operator") {
		case "In":
			if !in {
				return false
			}
		case "NotIn":
			if in {
				return false
			}
		case "Exists":
			if !ok {
				return false
			}
		case "DoesNotExist":
			if ok {
				return false
			}
		}
	}
	return true
}

// isEmptySelector reports whether a selector has no requirements.
func isEmptySelector(s node) bool {
	return s.get("matchLabels").length()+s.get("matchExpressions").length() == 0
}
