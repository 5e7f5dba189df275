package kindwarning

import (
	"slices"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// customResourceDefinition warns about the schemas of a definition. On update it
// warns only about values that the old definition lacks. Source: the strategy in
// pkg/registry/customresourcedefinition of apiextensions-apiserver (1.34–1.37).
func (w *writer) customResourceDefinition(r apiserver.Request) {
	if w.Minor < 34 {
		return
	}
	old := w.schemas(r.Old)
	found := w.schemas(r.New)
	for _, f := range found.formats {
		if !old.seen[f.at.Text] {
			w.warn(apiserver.Advice, f.path, "unrecognized format "+quote(f.at.Text), f.at)
		}
	}
	for i, typ := range [...]string{"array", "object"} {
		if set := found.sets[i]; set.at != nil && old.sets[i].at == nil {
			w.warn(apiserver.Advice, set.path, "x-kubernetes-list-type: set for items of type "+quote(typ)+
				" is not supported by server-side apply or CEL validation rules", set.at)
		}
	}
}

// schemaFacts has the parts of a definition's schemas that may lead to warnings.
type schemaFacts struct {
	writer *writer
	// formats has the first place of each format that the server does not know.
	formats []placed
	seen    map[string]bool // texts of the formats in formats
	// sets has the first list of arrays and the first list of objects with
	// x-kubernetes-list-type: set.
	sets [2]placed
}

// placed is a value in a schema with its path.
type placed struct {
	path string
	at   *wire.Value
}

// schemaPath is the path to a part of a schema, as a linked list.
type schemaPath struct {
	parent *schemaPath
	field  string
	key    string // the key in a map, or ""
	index  int    // the index in a list plus 1, or 0
}

// path returns the path in the server's notation. It stops after about a
// kilobyte.
func (t *schemaPath) path() string {
	var steps []*schemaPath
	for ; t != nil; t = t.parent {
		steps = append(steps, t)
	}
	const maxLength = 1 << 10
	path := make([]byte, 0, 128)
	for _, step := range slices.Backward(steps) {
		if len(path)+len(step.key) > maxLength {
			return string(path) + "…"
		}
		if len(path) > 0 {
			path = append(path, '.')
		}
		path = append(path, step.field...)
		switch {
		case step.index > 0:
			path = append(path, wire.Index(step.index-1)...)
		case step.key != "":
			path = append(append(append(path, '['), step.key...), ']')
		}
	}
	return string(path)
}

func (w *writer) schemas(crd *wire.Value) schemaFacts {
	facts := schemaFacts{writer: w}
	for i, version := range crd.At("spec", "versions").Elements() {
		facts.schema(&schemaPath{field: "spec.versions" + wire.Index(i) + ".schema.openAPIV3Schema"}, version.At("schema", "openAPIV3Schema"))
	}
	return facts
}

// schema checks a JSON schema and all schemas in it, in the order of SchemaHas in
// pkg/apis/apiextensions/validation/validation.go of apiextensions-apiserver.
func (f *schemaFacts) schema(t *schemaPath, s *wire.Value) {
	if s == nil || s.Kind != wire.Map {
		return
	}
	f.checkOne(t, s)
	f.child(t, s, "items")
	f.childList(t, s, "items")
	f.childList(t, s, "allOf")
	f.childList(t, s, "anyOf")
	f.childList(t, s, "oneOf")
	f.child(t, s, "not")
	f.childMap(t, s, "properties")
	f.child(t, s, "additionalProperties")
	f.childMap(t, s, "patternProperties")
	f.child(t, s, "additionalItems")
	f.childMap(t, s, "definitions")
	f.childMap(t, s, "dependencies")
}

// child checks the schema in a field.
func (f *schemaFacts) child(t *schemaPath, s *wire.Value, name string) {
	if v := s.Get(name); v != nil && v.Kind == wire.Map {
		f.schema(&schemaPath{parent: t, field: name}, v)
	}
}

// childList checks the schemas in a field that is a list.
func (f *schemaFacts) childList(t *schemaPath, s *wire.Value, name string) {
	for i, v := range s.Get(name).Elements() {
		f.schema(&schemaPath{parent: t, field: name, index: i + 1}, v)
	}
}

// childMap checks the schemas in a field that is a map.
func (f *schemaFacts) childMap(t *schemaPath, s *wire.Value, name string) {
	for _, field := range s.Get(name).Entries() {
		f.schema(&schemaPath{parent: t, field: name, key: field.Name}, field.Value)
	}
}

// checkOne checks a schema without the schemas in it.
func (f *schemaFacts) checkOne(t *schemaPath, s *wire.Value) {
	typ := s.Get("type").StringOr("")
	if format := s.Get("format"); format.StringOr("") != "" && !f.writer.knowsFormat(typ, format.Text) && !f.seen[format.Text] && len(f.seen) < maxWarnings {
		if f.seen == nil {
			f.seen = map[string]bool{}
		}
		f.seen[format.Text] = true
		f.formats = append(f.formats, placed{t.path() + ".format", format})
	}
	set := s.Get("x-kubernetes-list-type")
	item := s.Get("items")
	if f.writer.Minor < 37 || set.StringOr("") != "set" || item == nil || item.Kind != wire.Map {
		return
	}
	i := slices.Index([]string{"array", "object"}, item.Get("type").StringOr(""))
	if i >= 0 && f.sets[i].at == nil {
		f.sets[i] = placed{t.path() + ".x-kubernetes-list-type", set}
	}
}

// knowsFormat reports whether the server accepts a format without a warning.
// Servers accept a format one minor after its introduction, so that a cluster can
// be downgraded. 1.34 and 1.35 check only strings. Source: GetUnrecognizedFormats
// in pkg/apiserver/validation/formats.go of apiextensions-apiserver.
func (w *writer) knowsFormat(typ, format string) bool {
	switch typ {
	case "string":
	case "":
		if w.Minor < 36 {
			return true
		}
	case "integer":
		return w.Minor < 36 || format == "int32" || format == "int64"
	case "number":
		return w.Minor < 36 || format == "float" || format == "double"
	default:
		return w.Minor < 36
	}
	switch strings.ReplaceAll(format, "-", "") {
	case "bsonobjectid", "uri", "email", "hostname", "ipv4", "ipv6", "cidr", "mac",
		"uuid", "uuid3", "uuid4", "uuid5", "isbn", "isbn10", "isbn13", "creditcard", "ssn",
		"hexcolor", "rgbcolor", "byte", "password", "date", "duration", "datetime":
		return true
	case "k8sshortname", "k8slongname": // 1.34 introduced these formats
		return w.Minor >= 35
	}
	return false
}
