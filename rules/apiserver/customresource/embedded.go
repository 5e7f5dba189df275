package customresource

import (
	"fmt"
	"math"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/validation"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// embedder decodes the metadata of embedded resources. Source: coercer in
// apiextensions-apiserver/pkg/apiserver/schema/objectmeta/algorithm.go.
type embedder struct {
	minor   lifecycle.Minor
	unknown []unknownField
	// problem is the first error, and problemPath is the path that it names.
	problemPath, problem string
	at                   *wire.Value
	// meta is the metadata with the error, or nil.
	meta *wire.Value
}

func (e *embedder) value(path []byte, v *wire.Value, s *Schema) {
	if v == nil || s == nil || !s.embedded || e.problem != "" {
		return
	}
	switch v.Kind {
	case wire.Map:
		for i := range v.Fields {
			f := &v.Fields[i]
			if s.EmbeddedResource {
				e.field(path, f)
			}
			if scalar(f.Value) {
				continue
			}
			if p := s.Property(f.Name); p != nil {
				e.value(childPath(path, f.Name), f.Value, p)
			} else if s.Additional != nil {
				e.value(keyPath(path, f.Name), f.Value, s.Additional)
			}
		}
	case wire.List:
		if s.Items == nil {
			return
		}
		for i, item := range v.Items {
			e.value(indexPath(path, i), item, s.Items)
		}
	}
}

func (e *embedder) field(path []byte, f *wire.Field) {
	where := string(childPath(path, f.Name))
	switch f.Name {
	case "apiVersion", "kind":
		if f.Value == nil || f.Value.Kind != wire.String {
			e.problemPath, e.problem, e.at = where, "Invalid value: "+quoteValue(e.minor, quotable(f.Value))+": must be a string", f.Value
		}
	case "metadata":
		unknown, problem, at := decodeMeta(f.Value, where)
		e.unknown = append(e.unknown, unknown...)
		if problem != "" {
			e.problemPath, e.problem, e.at = where, "Invalid value: "+quoteValue(e.minor, quotable(f.Value))+": "+problem, at
			e.meta = f.Value
		}
	}
}

// embedded validates the types and metadata of embedded resources in v. Source:
// Validate in
// apiextensions-apiserver/pkg/apiserver/schema/objectmeta/validation.go.
func (r *report) embedded(path string, v *wire.Value, s *Schema) {
	r.embeddedIn([]byte(path), v, s)
}

func (r *report) embeddedIn(path []byte, v *wire.Value, s *Schema) {
	if v == nil || s == nil || !s.embedded {
		return
	}
	switch v.Kind {
	case wire.Map:
		if s.EmbeddedResource {
			r.resource(path, v)
		}
		for i := range v.Fields {
			f := &v.Fields[i]
			if scalar(f.Value) {
				continue
			}
			if p := s.Property(f.Name); p != nil {
				r.embeddedIn(childPath(path, f.Name), f.Value, p)
			} else if s.Additional != nil {
				r.embeddedIn(keyPath(path, f.Name), f.Value, s.Additional)
			}
		}
	case wire.List:
		if s.Items == nil {
			return
		}
		for i, item := range v.Items {
			r.embeddedIn(indexPath(path, i), item, s.Items)
		}
	}
}

func (r *report) resource(path []byte, v *wire.Value) {
	detail := ""
	if r.minor < 34 {
		detail = "must not be empty"
	}
	for _, name := range [...]string{"apiVersion", "kind"} {
		if v.Field(name) == nil {
			r.required(string(childPath(path, name)), detail, v)
		}
	}
	for i := range v.Fields {
		f := &v.Fields[i]
		where := string(childPath(path, f.Name))
		text := f.Value.StringOr("")
		switch f.Name {
		case "apiVersion":
			if text == "" {
				r.invalid(where, text, "must not be empty", f.Value)
			} else if strings.Count(text, "/") > 1 {
				r.invalid(where, text, "unexpected GroupVersion string: "+text, f.Value)
			}
		case "kind":
			if text == "" {
				r.invalid(where, text, "must not be empty", f.Value)
			} else if messages := validation.DNS1035Label(r.minor, strings.ToLower(text)); len(messages) > 0 {
				r.invalid(where, text, "may have mixed case, but should otherwise match: "+strings.Join(messages, ","), f.Value)
			}
		case "metadata":
			if f.Value != nil && f.Value.Kind == wire.Map {
				r.embeddedMeta(where, v)
			}
		}
	}
}

// embeddedMeta validates the metadata of an embedded resource. The name is
// optional and can be any path segment.
func (r *report) embeddedMeta(path string, v *wire.Value) {
	for _, c := range validation.EmbeddedMeta(apiserver.Server{Minor: r.minor}, v) {
		c.Field = path + strings.TrimPrefix(c.Field, "metadata")
		r.causes = append(r.causes, c)
		r.blocking = r.blocking || strings.HasPrefix(c.Text, errRequired) || strings.HasPrefix(c.Text, errTooLong)
	}
}

// scale validates the values of a scale subresource's fields. Source:
// ValidateScaleSpec and ValidateScaleStatus in
// pkg/registry/customresource/validator.go.
func (r *report) scale(s *Scale, obj *wire.Value) {
	if s == nil {
		return
	}
	r.replicas(s.SpecReplicasPath, obj)
	r.replicas(s.StatusReplicasPath, obj)
	if s.LabelSelectorPath != "" {
		if _, problem, at := nested(obj, s.LabelSelectorPath, wire.String, "string"); problem != "" {
			r.invalid(s.LabelSelectorPath, "", problem, at)
		}
	}
}

func (r *report) replicas(path string, obj *wire.Value) {
	v, problem, at := nested(obj, path, wire.Number, "int64")
	if problem != "" {
		r.invalid(path, int64(0), problem, at)
		return
	}
	if v == nil {
		return
	}
	switch n, _ := number(v.Text).(int64); {
	case n < 0:
		r.invalid(path, n, "should be a non-negative integer", v)
	case n > math.MaxInt32:
		r.invalid(path, n, fmt.Sprintf("should be less than or equal to %v", math.MaxInt32), v)
	}
}

// nested returns the value at a path, or nil. If a value on the path has a wrong
// type, at is this value, and problem is the server's text about it. Source:
// NestedInt64 and NestedString of apimachinery's unstructured helpers.
func nested(obj *wire.Value, path string, kind wire.Kind, typ string) (v *wire.Value, problem string, at *wire.Value) {
	names := strings.Split(strings.TrimPrefix(path, "."), ".")
	v = obj
	for i, name := range names {
		if v.IsNull() {
			return nil, "", nil
		}
		if v.Kind != wire.Map {
			value := plainValue(v)
			return nil, fmt.Sprintf(".%s accessor error: %v is of the type %T, expected map[string]interface{}", strings.Join(names[:i+1], "."), value, value), v
		}
		f := v.Field(name)
		if f == nil {
			return nil, "", nil
		}
		v = f.Value
	}
	value := plainValue(v)
	if kind == wire.Number {
		if _, ok := value.(int64); ok {
			return v, "", v
		}
	} else if _, ok := value.(string); ok {
		return v, "", v
	}
	at = v
	if v == nil {
		at = obj
	}
	return nil, fmt.Sprintf(".%s accessor error: %v is of the type %T, expected %s", strings.Join(names, "."), value, value, typ), at
}
