package customresource

import (
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// schemaCauses validates a value by its schema and adds the errors that the
// server reports. prefix is the path of the value, and v has the options of the
// validation. From 1.24 on, errors about types, lengths and numbers of items have
// kinds of their own. Source: kubeOpenAPIResultToFieldErrors in
// apiextensions-apiserver/pkg/apiserver/validation/validation.go.
func (r *report) schemaCauses(prefix string, x *wire.Value, s *Schema, old *wire.Value, v validator) {
	if s == nil {
		return
	}
	v.minor = r.minor
	v.value(nil, x, s, old)
	if len(v.failures) == 0 {
		return
	}
	seen := make(map[string]bool, len(v.failures))
	for i := range v.failures {
		f := &v.failures[i]
		if seen[f.message] {
			continue
		}
		seen[f.message] = true
		path := prefix
		if name := strings.TrimPrefix(f.path, "."); name != "" && f.code != failPlain {
			if path != "" {
				path += "."
			}
			path += name
		}
		r.failure(path, f)
	}
}

func (r *report) failure(path string, f *failure) {
	switch {
	case f.code == failRequired:
		r.required(path, "", f.at)
	case f.code == failEnum:
		names := make([]string, len(f.values))
		for i, allowed := range f.values {
			if allowed != nil && allowed.Kind == wire.String {
				names[i] = allowed.Text
			} else {
				names[i] = jsonText(plainValue(allowed))
			}
		}
		r.notSupported(path, f.value, names, f.at)
	case f.code == failTooLong && r.minor >= 24:
		r.tooLong(path, f.limit, f.at)
	case (f.code == failMaxItems || f.code == failMaxProperties) && r.minor >= 24:
		r.tooMany(path, f.value.(int64), f.limit, f.at)
	default:
		value := f.value
		if value == nil {
			value = ""
		}
		r.blocking = r.blocking || f.code == failType
		r.invalid(path, value, f.message, f.at)
	}
}
