package upgrade

import (
	"bytes"
	"encoding/json"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

var update = flag.Bool("update", false, "rewrite schema/upgrade.schema.json")

const (
	schemaFile = "../../schema/upgrade.schema.json"
	schemaID   = "https://raw.githubusercontent.com/kubevet/kubevet/main/schema/upgrade.schema.json"
)

// TestSchema checks that the published schema agrees with the types in report.go and
// their comments. With -update it generates the schema.
func TestSchema(t *testing.T) {
	s := schemaOf{docs: comments(t), defs: map[string]any{}}
	root := s.object(reflect.TypeFor[Report]())
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["$id"] = schemaID
	root["title"] = "kubevet upgrade report"
	root["description"] = "What kubevet upgrade writes with -o json."
	root["$defs"] = s.defs
	var want bytes.Buffer
	e := json.NewEncoder(&want)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(root); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(schemaFile, want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%s does not match the types: run go test ./internal/upgrade -update", schemaFile)
	}
}

// schemaOf builds the schema of a type. All fields are required, because reports always
// have them.
type schemaOf struct {
	docs map[string]string
	defs map[string]any
}

func (s schemaOf) object(typ reflect.Type) map[string]any {
	properties, required := map[string]any{}, []string{}
	for f := range fields(typ) {
		name := f.Tag.Get("json")
		p := s.value(f.Type)
		if doc := s.docs[typ.Name()+"."+f.Name]; doc != "" {
			p["description"] = doc
		}
		properties[name] = p
		required = append(required, name)
	}
	return map[string]any{"type": "object", "additionalProperties": false, "description": s.docs[typ.Name()], "properties": properties, "required": required}
}

func fields(typ reflect.Type) func(func(reflect.StructField) bool) {
	return func(yield func(reflect.StructField) bool) {
		for i := range typ.NumField() {
			if !yield(typ.Field(i)) {
				return
			}
		}
	}
}

func (s schemaOf) value(typ reflect.Type) map[string]any {
	switch typ.Kind() {
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return map[string]any{"type": "integer", "minimum": 0}
	case reflect.Slice:
		return map[string]any{"type": "array", "items": s.value(typ.Elem())}
	case reflect.Struct:
		name := strings.ToLower(typ.Name()[:1]) + typ.Name()[1:]
		if _, known := s.defs[name]; !known {
			s.defs[name] = nil
			s.defs[name] = s.object(typ)
		}
		return map[string]any{"$ref": "#/$defs/" + name}
	}
	panic("schema: " + typ.String())
}

// comments returns the comments of the types and fields in report.go.
func comments(t *testing.T) map[string]string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "report.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	docs := map[string]string{}
	text := func(g *ast.CommentGroup) string { return strings.Join(strings.Fields(g.Text()), " ") }
	ast.Inspect(file, func(n ast.Node) bool {
		g, ok := n.(*ast.GenDecl)
		if !ok {
			return true
		}
		for _, spec := range g.Specs {
			typ, ok := spec.(*ast.TypeSpec)
			if !ok {
				continue
			}
			docs[typ.Name.Name] = text(g.Doc)
			if st, ok := typ.Type.(*ast.StructType); ok {
				for _, f := range st.Fields.List {
					for _, name := range f.Names {
						docs[typ.Name.Name+"."+name.Name] = text(f.Doc)
					}
				}
			}
		}
		return false
	})
	return docs
}

// validate checks that a report in JSON satisfies the published schema.
func validate(t *testing.T, data []byte) {
	t.Helper()
	file, err := os.Open(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	schemaDoc, err := jsonschema.UnmarshalJSON(file)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(schemaID, schemaDoc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile(schemaID)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(doc); err != nil {
		t.Errorf("%#v", err)
	}
}
