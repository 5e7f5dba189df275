package validation

import "github.com/kubevet/kubevet/rules/apiserver/wire"

// storedExpressions are the texts of the stored object's expressions, one set for
// each purpose. On create all sets are nil. On update, conditions is never nil.
// Source: preexistingExpressions in
// pkg/apis/admissionregistration/validation/validation.go, 1.28 to 1.37.
type storedExpressions struct {
	conditions, validations, messages, annotations, applied map[string]bool
}

func (v *validator) storedPolicy() (s storedExpressions) {
	if v.req.Old == nil {
		return s
	}
	spec := v.req.Old.Get("spec")
	s.conditions = expressions(spec.Get("matchConditions"), "expression")
	s.validations = expressions(spec.Get("validations"), "expression")
	s.messages = expressions(spec.Get("validations"), "messageExpression")
	s.annotations = expressions(spec.Get("auditAnnotations"), "valueExpression")
	s.applied = map[string]bool{}
	for _, m := range spec.Get("mutations").Elements() {
		if e := m.At("applyConfiguration", "expression"); e != nil {
			s.applied[e.StringOr("")] = true
		}
	}
	return s
}

// storedConditions returns the match conditions of all stored webhooks, or nil on
// create.
func (v *validator) storedConditions() map[string]bool {
	if v.req.Old == nil {
		return nil
	}
	all := map[string]bool{}
	for _, h := range v.req.Old.Get("webhooks").Elements() {
		for e := range expressions(h.Get("matchConditions"), "expression") {
			all[e] = true
		}
	}
	return all
}

// conditionsChanged reports whether an update of a policy changes its match
// conditions, or the variables that they can use. If neither changes, the server
// does not check the conditions again.
func (p *policy) conditionsChanged() bool {
	old := p.req.Old.Get("spec")
	for _, field := range []string{"paramKind", "matchConditions"} {
		if now, before := p.spec.v.Get(field), old.Get(field); !same(now, before) && (length(now) > 0 || length(before) > 0) {
			return true
		}
	}
	return false
}

// expressions returns the set of values that the items of a list have in a field.
func expressions(list *wire.Value, field string) map[string]bool {
	all := map[string]bool{}
	for _, item := range list.Elements() {
		if e := item.Get(field); e != nil {
			all[e.StringOr("")] = true
		}
	}
	return all
}

// length returns the number of items or fields of a value, and 0 for nil.
func length(v *wire.Value) int {
	if v == nil {
		return 0
	}
	return len(v.Items) + len(v.Fields)
}
