package customresource

import (
	"slices"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// unknownField is a field that the server drops because the schema does not
// describe it.
type unknownField struct {
	path string
	at   *wire.Value
}

// pruner finds the fields of an object that the server prunes. Only servers of
// 1.23 to 1.37 report these fields. Source: prune and skipPrune in
// apiextensions-apiserver/pkg/apiserver/schema/pruning.
type pruner struct {
	path   []byte
	fields []unknownField
}

// maxUnknown is the maximum number of unknown fields that are returned for one
// object. The server's warnings have space for far fewer.
const maxUnknown = 10000

// unknownFields returns the unknown fields of an object, sorted by path as on the
// server.
func unknownFields(obj *wire.Value, s *Schema) []unknownField {
	var p pruner
	p.object(obj, s, true)
	slices.SortStableFunc(p.fields, func(a, b unknownField) int { return strings.Compare(a.path, b.path) })
	return p.fields
}

func isTypeOrObjectMeta(name string) bool {
	return name == "apiVersion" || name == "kind" || name == "metadata"
}

func (p *pruner) object(v *wire.Value, s *Schema, embedded bool) {
	if v == nil || v.Kind != wire.Map || len(p.fields) >= maxUnknown {
		return
	}
	preserve := s != nil && s.PreserveUnknownFields
	n := len(p.path)
	for i := range v.Fields {
		f := &v.Fields[i]
		if embedded && isTypeOrObjectMeta(f.Name) {
			continue
		}
		sub := s.Property(f.Name)
		switch {
		case sub != nil:
		case s != nil && (s.AllowAdditional || s.ForbidAdditional):
			sub = s.Additional // nil if additionalProperties is true
		case preserve:
			continue
		default:
			if n > 0 || !isTypeOrObjectMeta(f.Name) {
				p.key(f.Name)
				p.fields = append(p.fields, unknownField{string(p.path), f.Value})
				p.path = p.path[:n]
			}
			continue
		}
		if scalar(f.Value) {
			continue
		}
		p.key(f.Name)
		p.value(f.Value, sub)
		p.path = p.path[:n]
	}
}

func (p *pruner) value(v *wire.Value, s *Schema) {
	if v == nil {
		return
	}
	switch v.Kind {
	case wire.Map:
		p.object(v, s, s != nil && s.EmbeddedResource)
	case wire.List:
		var items *Schema
		preserve := false
		if s != nil {
			items, preserve = s.Items, s.PreserveUnknownFields
		}
		if preserve && items == nil {
			return
		}
		n := len(p.path)
		for i, item := range v.Items {
			if scalar(item) {
				continue
			}
			p.path = append(strconv.AppendInt(append(p.path, '['), int64(i), 10), ']')
			if preserve {
				p.preservedList(item, items)
			} else {
				p.value(item, items)
			}
			p.path = p.path[:n]
		}
	}
}

// preservedList visits a list that preserves unknown fields. The server then also
// keeps the unknown fields of the items.
func (p *pruner) preservedList(v *wire.Value, s *Schema) {
	if s.PreserveUnknownFields {
		p.value(v, s)
		return
	}
	kept := Schema{
		Properties: s.Properties, Additional: s.Additional, Items: s.Items, EmbeddedResource: s.EmbeddedResource,
		AllowAdditional: s.AllowAdditional, ForbidAdditional: s.ForbidAdditional, PreserveUnknownFields: true,
	}
	p.value(v, &kept)
}

func (p *pruner) key(name string) {
	if len(p.path) > 0 {
		p.path = append(p.path, '.')
	}
	p.path = append(p.path, name...)
}

func scalar(v *wire.Value) bool {
	return v == nil || v.Kind != wire.Map && v.Kind != wire.List
}
