package auditreport

import (
	"bytes"
	"encoding/json"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

var update = flag.Bool("update", false, "rewrite schema/audit.schema.json and goldens")

const (
	schemaFile   = "../../schema/audit.schema.json"
	findingsFile = "../../schema/findings.schema.json"
	schemaID     = "https://raw.githubusercontent.com/kubevet/kubevet/main/schema/audit.schema.json"
	findingsID   = "https://raw.githubusercontent.com/kubevet/kubevet/main/schema/findings.schema.json"
)

// TestSchema checks that the published schemas agree with the Go types and their comments.
// With -update it generates the schemas.
func TestSchema(t *testing.T) {
	docs := fieldDocs(t)
	for _, c := range []struct {
		typ                          reflect.Type
		file, id, title, description string
	}{
		{
			reflect.TypeFor[Document](), schemaFile, schemaID, "kubevet audit report",
			"What kubevet audit writes with -o json. A line of -o jsonl has a kind, and under the key of that name one of the parts.",
		},
		{
			reflect.TypeFor[Diff](), "../../schema/auditdiff.schema.json", strings.Replace(schemaID, "audit.", "auditdiff.", 1), "kubevet audit diff",
			"What kubevet audit diff writes with -o json.",
		},
	} {
		defs := map[string]any{}
		root := object(c.typ, docs, defs)
		root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
		root["$id"] = c.id
		root["title"] = c.title
		root["description"] = c.description
		root["$defs"] = defs
		var want bytes.Buffer
		e := json.NewEncoder(&want)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		if err := e.Encode(root); err != nil {
			t.Fatal(err)
		}
		if *update {
			if err := os.WriteFile(c.file, want.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(c.file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want.Bytes()) {
			t.Errorf("%s does not match the types: run go test ./internal/auditreport -update", c.file)
		}
	}
}

// object returns the schema of a struct type. It adds the schemas of the structs in its
// fields to defs.
func object(typ reflect.Type, docs map[string]string, defs map[string]any) map[string]any {
	properties := map[string]any{}
	required := []string{}
	for i := range typ.NumField() {
		f := typ.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			continue
		}
		p := value(f.Type, docs, defs)
		if doc := docs[typ.Name()+"."+f.Name]; doc != "" {
			p["description"] = doc
		}
		properties[name] = p
		if options != "omitempty" {
			required = append(required, name)
		}
	}
	o := map[string]any{"type": "object", "additionalProperties": false, "properties": properties, "required": required}
	if doc := docs[typ.Name()]; doc != "" {
		o["description"] = doc
	}
	return o
}

func value(typ reflect.Type, docs map[string]string, defs map[string]any) map[string]any {
	switch typ.Kind() {
	case reflect.Pointer:
		return value(typ.Elem(), docs, defs)
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return map[string]any{"type": "integer", "minimum": 0}
	case reflect.Int32: // an index, or -1
		return map[string]any{"type": "integer", "minimum": -1}
	case reflect.Float64:
		return map[string]any{"type": "number", "minimum": 0}
	case reflect.Slice:
		return map[string]any{"type": "array", "items": value(typ.Elem(), docs, defs)}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": value(typ.Elem(), docs, defs)}
	case reflect.Struct:
		if !strings.HasSuffix(typ.PkgPath(), "/auditreport") {
			switch typ.Name() {
			case "Finding":
				return map[string]any{"$ref": findingsID + "#/$defs/finding"}
			case "Unreadable":
				return map[string]any{"type": "object", "additionalProperties": false, "required": []string{"file", "error"},
					"properties": map[string]any{"file": map[string]any{"type": "string"}, "error": map[string]any{"type": "string"}}}
			}
		}
		name := strings.ToLower(typ.Name()[:1]) + typ.Name()[1:]
		if _, known := defs[name]; !known {
			defs[name] = nil
			defs[name] = object(typ, docs, defs)
		}
		return map[string]any{"$ref": "#/$defs/" + name}
	}
	panic("schema: " + typ.String())
}

// fieldDocs returns the comments of the types and fields of Document.
func fieldDocs(t *testing.T) map[string]string {
	t.Helper()
	docs := map[string]string{}
	for _, name := range []string{"document.go", "codedocument.go", "admission.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		addDocs(docs, file)
	}
	return docs
}

// addDocs adds the comments of the types and fields in a file to docs.
func addDocs(docs map[string]string, file *ast.File) {
	text := func(g *ast.CommentGroup) string { return strings.Join(strings.Fields(g.Text()), " ") }
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, s := range g.Specs {
			typ, ok := s.(*ast.TypeSpec)
			if !ok {
				continue
			}
			docs[typ.Name.Name] = text(g.Doc)
			st, ok := typ.Type.(*ast.StructType)
			if !ok {
				continue
			}
			for _, f := range st.Fields.List {
				for _, n := range f.Names {
					docs[typ.Name.Name+"."+n.Name] = text(f.Doc)
				}
			}
		}
	}
}

// validate checks that a report in JSON satisfies the published schema.
func validate(t *testing.T, data []byte) {
	t.Helper()
	c := jsonschema.NewCompiler()
	for id, file := range map[string]string{schemaID: schemaFile, findingsID: findingsFile} {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.AddResource(id, doc); err != nil {
			t.Fatal(err)
		}
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

func TestFormatsAreNamedOnce(t *testing.T) {
	names := Formats()
	slices.Sort(names)
	if len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Errorf("%q", names)
	}
}
