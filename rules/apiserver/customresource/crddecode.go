package customresource

import "github.com/kubevet/kubevet/rules/apiserver/wire"

// definitionSpec is a definition in the server's internal version. The field
// common has the parts that are equal in all versions.
type definitionSpec struct {
	obj, spec *wire.Value
	// version is spec.version, which v1 does not have.
	version  string
	versions []definitionVersion
	common   definitionParts
	preserve bool
}

type definitionVersion struct {
	name            string
	served, storage bool
	deprecated      bool
	warning         *wire.Value
	parts           definitionParts
	at              *wire.Value
}

// definitionParts are the parts that a definition has once or in each version.
type definitionParts struct {
	schema, subresources, columns, selectable *wire.Value
}

func (d *definitionSpec) group() string { return d.spec.Get("group").StringOr("") }

// openAPI returns the schema inside a CustomResourceValidation, or nil.
func openAPI(schema *wire.Value) *wire.Value {
	if s := schema.Get("openAPIV3Schema"); !s.IsNull() {
		return s
	}
	return nil
}

// decode decodes a definition, sets its defaults, and moves equal parts of all
// versions to common. Source:
// Convert_v1_CustomResourceDefinitionSpec_To_apiextensions….
func (c *definitionValidator) decode(obj *wire.Value) *definitionSpec {
	spec := obj.Get("spec")
	d := &definitionSpec{obj: obj, spec: spec, version: "", preserve: spec.Get("preserveUnknownFields").IsTrue()}
	for _, at := range spec.Get("versions").Elements() {
		d.versions = append(d.versions, definitionVersion{
			name: at.Get("name").StringOr(""), served: at.Get("served").IsTrue(), storage: at.Get("storage").IsTrue(),
			deprecated: at.Get("deprecated").IsTrue(), warning: nonNull(at.Get("deprecationWarning")), at: at,
			parts: definitionParts{
				nonNull(at.Get("schema")), nonNull(at.Get("subresources")),
				filled(at.Get("additionalPrinterColumns")), filled(at.Get("selectableFields")),
			},
		})
	}
	if c.beta {
		d.preserve = d.preserve || spec.Get("preserveUnknownFields").IsNull()
		d.common = definitionParts{
			nonNull(spec.Get("validation")), nonNull(spec.Get("subresources")), filled(spec.Get("additionalPrinterColumns")), nil,
		}
		d.version = spec.Get("version").StringOr("")
		if len(d.versions) == 0 && d.version != "" {
			d.versions = []definitionVersion{{name: d.version, served: true, storage: true, at: spec}}
		}
		if d.version == "" && len(d.versions) > 0 {
			d.version = d.versions[0].name
		}
		return d
	}
	if len(d.versions) == 0 {
		return d
	}
	d.version = d.versions[0].name
	for _, part := range []func(*definitionParts) **wire.Value{
		func(p *definitionParts) **wire.Value { return &p.schema },
		func(p *definitionParts) **wire.Value { return &p.subresources },
		func(p *definitionParts) **wire.Value { return &p.columns },
		func(p *definitionParts) **wire.Value { return &p.selectable },
	} {
		first, same := *part(&d.versions[0].parts), true
		for i := range d.versions {
			same = same && samePart(*part(&d.versions[i].parts), first)
		}
		if !same {
			continue
		}
		*part(&d.common) = first
		for i := range d.versions {
			*part(&d.versions[i].parts) = nil
		}
	}
	return d
}

// samePart reports whether two parts of versions are equal after decoding. Null,
// empty and false equal an absent value.
func samePart(a, b *wire.Value) bool {
	if a == nil || b == nil || a.Kind != wire.Map || b.Kind != wire.Map {
		return equal(a, b)
	}
	return equal(a, b) || equal(withoutZeros(a), withoutZeros(b))
}

// withoutZeros returns v without fields that have zero values. It keeps fields
// with arbitrary values, such as default, and fields in which false means
// something else than absent.
func withoutZeros(v *wire.Value) *wire.Value {
	if v == nil || v.Kind != wire.Map && v.Kind != wire.List {
		return v
	}
	clone := &wire.Value{Kind: v.Kind}
	for i := range v.Fields {
		f := v.Fields[i]
		switch f.Name {
		case "default", "example", "enum":
		case "properties":
			if f.Value != nil && len(f.Value.Fields) == 0 {
				continue
			}
			named := &wire.Value{Kind: wire.Map}
			for _, p := range f.Value.Fields {
				named.Fields = append(named.Fields, wire.Field{Name: p.Name, Value: withoutZeros(p.Value)})
			}
			f.Value = named
		case "additionalProperties", "x-kubernetes-preserve-unknown-fields", "status", "scale", "not", "items", "openAPIV3Schema":
			f.Value = withoutZeros(f.Value)
		default:
			if !isSet(f.Value) || (f.Value.Kind == wire.Map || f.Value.Kind == wire.List) && len(f.Value.Fields)+len(f.Value.Items) == 0 {
				continue
			}
			f.Value = withoutZeros(f.Value)
		}
		if !f.Value.IsNull() {
			clone.Fields = append(clone.Fields, f)
		}
	}
	for _, item := range v.Items {
		clone.Items = append(clone.Items, withoutZeros(item))
	}
	return clone
}

// nonNull returns v, or nil if v is null.
func nonNull(v *wire.Value) *wire.Value {
	if v.IsNull() {
		return nil
	}
	return v
}

func filled(v *wire.Value) *wire.Value {
	if len(v.Elements()) == 0 {
		return nil
	}
	return v
}

// schemas returns all root schemas of a definition. The schema of a version
// without one is nil.
func (d *definitionSpec) schemas() []*wire.Value {
	list := []*wire.Value{openAPI(d.common.schema)}
	for i := range d.versions {
		list = append(list, openAPI(d.versions[i].parts.schema))
	}
	return list
}

// anyVersionHas reports whether any version has the part that the function part
// returns.
func (d *definitionSpec) anyVersionHas(part func(*definitionParts) *wire.Value) bool {
	for i := range d.versions {
		if part(&d.versions[i].parts) != nil {
			return true
		}
	}
	return false
}

// sameInAllVersions reports whether all versions have the same value for the part
// that the function part returns. It returns false if a version lacks the part.
func (d *definitionSpec) sameInAllVersions(part func(*definitionParts) *wire.Value) bool {
	for i := range d.versions {
		if p := part(&d.versions[i].parts); p == nil || !equal(p, part(&d.versions[0].parts)) {
			return false
		}
	}
	return len(d.versions) > 0
}

func schemaPart(p *definitionParts) *wire.Value       { return p.schema }
func subresourcesPart(p *definitionParts) *wire.Value { return p.subresources }
func columnsPart(p *definitionParts) *wire.Value      { return p.columns }
