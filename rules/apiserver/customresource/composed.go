package customresource

import (
	"fmt"
	"strconv"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// combinations validates a value by anyOf, oneOf, allOf and not, and returns the
// number of passed checks. If no alternative is valid, it reports the failures of
// the alternative that passed the most checks. Ratcheting does not apply to
// values below these keywords. Source: the schema props validator.
func (v *validator) combinations(path *location, x *wire.Value, s *Schema) (passed int) {
	if len(s.AnyOf) > 0 {
		passed += v.anyOf(path, x, s.AnyOf)
	}
	if len(s.OneOf) > 0 {
		passed += v.oneOf(path, x, s.OneOf)
	}
	if len(s.AllOf) > 0 {
		valid := 0
		for _, sub := range s.AllOf {
			mark := len(v.failures)
			passed += v.value(path, x, sub, nil)
			if len(v.failures) == mark {
				valid++
			}
		}
		if valid < len(s.AllOf) {
			none := ""
			if valid == 0 {
				none = ". None validated"
			}
			v.failWithoutField(x, "%s must validate all the schemas (allOf)%s", strconv.Quote(path.String()), none)
		}
	}
	if s.Not != nil {
		if _, failures := v.attempt(path, x, s.Not); len(failures) == 0 {
			v.failWithoutField(x, "%s must not validate the schema (not)", strconv.Quote(path.String()))
		}
	}
	return passed
}

// attempt validates a value, and returns its failures instead of recording them.
func (v *validator) attempt(path *location, x *wire.Value, s *Schema) (passed int, failures []failure) {
	mark := len(v.failures)
	passed = v.value(path, x, s, nil)
	failures = append(failures, v.failures[mark:]...)
	v.failures = v.failures[:mark]
	return passed, failures
}

func (v *validator) anyOf(path *location, x *wire.Value, schemas []*Schema) (passed int) {
	var best []failure
	mostPassed := -1
	for _, sub := range schemas {
		n, failures := v.attempt(path, x, sub)
		if len(failures) == 0 {
			return n
		}
		if n > mostPassed {
			best, mostPassed = failures, n
		}
	}
	v.failWithoutField(x, "%s must validate at least one schema (anyOf)", strconv.Quote(path.String()))
	v.failures = append(v.failures, best...)
	return mostPassed
}

func (v *validator) oneOf(path *location, x *wire.Value, schemas []*Schema) int {
	var best []failure
	mostPassed, valid, first := -1, 0, 0
	for _, sub := range schemas {
		n, failures := v.attempt(path, x, sub)
		switch {
		case len(failures) == 0:
			if valid++; valid == 1 {
				first, best = n, nil
			}
		case valid == 0 && n > mostPassed:
			best, mostPassed = failures, n
		}
	}
	switch valid {
	case 1:
		return first
	case 0:
		v.failWithoutField(x, "%s must validate one and only one schema (oneOf). Found none valid", strconv.Quote(path.String()))
		v.failures = append(v.failures, best...)
		return mostPassed
	}
	v.failWithoutField(x, "%s must validate one and only one schema (oneOf). Found %d valid alternatives", strconv.Quote(path.String()), valid)
	return 0
}

// failWithoutField records an error that does not name a field.
func (v *validator) failWithoutField(at *wire.Value, format string, args ...any) {
	v.fail(failure{code: failPlain, message: fmt.Sprintf(format, args...), at: at})
}
