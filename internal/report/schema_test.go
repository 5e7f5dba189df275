package report_test

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/rules"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

const findingsSchema = "../../schema/findings.schema.json"

// compile loads the schema at the fragment ref of a file. It also enables checks of
// formats such as uri.
func compile(t testing.TB, file, ref string) *jsonschema.Schema {
	t.Helper()
	data, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer data.Close()
	doc, err := jsonschema.UnmarshalJSON(data)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	schema, err := c.Compile("schema.json" + ref)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return schema
}

func validate(t testing.TB, schema *jsonschema.Schema, data []byte) {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Errorf("%v\n%s", err, data)
		return
	}
	if err := schema.Validate(doc); err != nil {
		t.Errorf("%#v\n%s", err, data)
	}
}

func TestFindingsSchema(t *testing.T) {
	document, record := compile(t, findingsSchema, ""), compile(t, findingsSchema, "#record")
	all := runs()
	all["nothing"] = run{}
	for name, r := range all {
		t.Run(name, func(t *testing.T) {
			validate(t, document, render(t, "json", r, options()))
			for line := range bytes.Lines(render(t, "jsonl", r, options())) {
				validate(t, record, line)
			}
		})
	}
}

func TestFindingsSchemaRejects(t *testing.T) {
	document, record := compile(t, findingsSchema, ""), compile(t, findingsSchema, "#record")
	good := render(t, "json", ordinaryRun(), options())
	for _, change := range [][2]string{
		{`"severity":"error"`, `"severity":"fatal"`},
		{`"line":21`, `"line":-1`},
		{`"line":21`, `"line":"21"`},
		{`"endColumn":26,`, ``},
		{`"document":0`, `"document":0,"extra":1`},
		{`"minors":"1.30..1.37"`, `"minors":"v1.30"`},
		{`"kind":"error","text"`, `"kind":"notice","text"`},
		{`"unreadable": []`, `"unreadable": null`},
		{`"reason": "templated"`, `"reason": "tired"`},
	} {
		bad := strings.Replace(string(good), change[0], change[1], 1)
		if bad == string(good) {
			t.Errorf("%s: not in the document", change[0])
			continue
		}
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(bad))
		if err != nil {
			t.Fatal(err)
		}
		if document.Validate(doc) == nil {
			t.Errorf("%s: schema accepts it", change[1])
		}
	}
	for _, bad := range []string{`{}`, `{"finding":{}}`, `{"summary":{}}`, `[]`} {
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(bad))
		if err != nil {
			t.Fatal(err)
		}
		if record.Validate(doc) == nil {
			t.Errorf("%s: schema accepts it", bad)
		}
	}
}

type node struct {
	Description string          `json:"description"`
	Anchor      string          `json:"$anchor"`
	Ref         string          `json:"$ref"`
	Required    []string        `json:"required"`
	Properties  map[string]node `json:"properties"`
	Items       *node           `json:"items"`
	OneOf       []node          `json:"oneOf"`
	Enum        []string        `json:"enum"`
	Defs        map[string]node `json:"$defs"`
	Additional  json.RawMessage `json:"additionalProperties"`
}

func readSchema(t *testing.T) node {
	t.Helper()
	data, err := os.ReadFile(findingsSchema)
	if err != nil {
		t.Fatal(err)
	}
	var schema node
	if err := json.Unmarshal(data, &schema); err != nil {
		t.Fatal(err)
	}
	return schema
}

// TestFindingsSchemaMatchesTypes checks that the schema and rules.Finding and
// rules.Summary have the same fields.
func TestFindingsSchemaMatchesTypes(t *testing.T) {
	schema := readSchema(t)
	summary := schema.Defs["summary"]
	code := summary.Properties["code"]
	for _, c := range []struct {
		typ    reflect.Type
		schema node
	}{
		{reflect.TypeFor[rules.Finding](), schema.Defs["finding"]},
		{reflect.TypeFor[rules.ObjectRef](), schema.Defs["object"]},
		{reflect.TypeFor[rules.ServerText](), schema.Defs["server"]},
		{reflect.TypeFor[rules.Related](), *schema.Defs["finding"].Properties["related"].Items},
		{reflect.TypeFor[rules.CodeFix](), schema.Defs["finding"].Properties["fix"]},
		{reflect.TypeFor[rules.Edit](), *schema.Defs["finding"].Properties["fix"].Properties["edits"].Items},
		{reflect.TypeFor[rules.Summary](), summary},
		{reflect.TypeFor[rules.CodeSummary](), code},
		{reflect.TypeFor[rules.UnresolvedCall](), *code.Properties["unresolvedCalls"].Items},
		{reflect.TypeFor[rules.SkippedFunction](), *code.Properties["skippedFunctions"].Items},
		{reflect.TypeFor[rules.NotJudged](), *summary.Properties["notJudged"].Items},
		{reflect.TypeFor[rules.Unreadable](), *summary.Properties["unreadable"].Items},
	} {
		var fields, required []string
		for i := range c.typ.NumField() {
			name, tag, _ := strings.Cut(c.typ.Field(i).Tag.Get("json"), ",")
			if name == "-" {
				continue // the field is not in JSON
			}
			fields = append(fields, name)
			if !strings.Contains(tag, "omitempty") {
				required = append(required, name)
			}
		}
		var properties []string
		for name, p := range c.schema.Properties {
			properties = append(properties, name)
			if p.Description == "" && descriptionAt(schema, p.Ref) == "" {
				t.Errorf("%v: %s has no description", c.typ, name)
			}
		}
		slices.Sort(fields)
		slices.Sort(properties)
		if diff := cmp.Diff(fields, properties); diff != "" {
			t.Errorf("%v: fields and properties differ (-type +schema):\n%s", c.typ, diff)
		}
		if diff := cmp.Diff(required, c.schema.Required); diff != "" {
			t.Errorf("%v: required differs (-type +schema):\n%s", c.typ, diff)
		}
		if string(c.schema.Additional) != "false" {
			t.Errorf("%v: the schema allows other properties", c.typ)
		}
	}
}

// descriptionAt returns the description at a reference, such as
// "#/$defs/finding/properties/rule".
func descriptionAt(schema node, ref string) string {
	names := strings.Split(strings.TrimPrefix(ref, "#/$defs/"), "/")
	at := schema.Defs[names[0]]
	for i := 2; i < len(names); i += 2 { // references have "properties" between two names
		at = at.Properties[names[i]]
	}
	return at.Description
}

// TestFindingsSchemaReasons checks that the schema lists all skip reasons of package
// rules.
func TestFindingsSchemaReasons(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", "..", "rules", "summary.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var reasons []string
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if ok && strings.HasPrefix(spec.Names[0].Name, "Skip") {
			value, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			reasons = append(reasons, value)
		}
		return true
	})
	if diff := cmp.Diff(reasons, readSchema(t).Defs["reason"].Enum); diff != "" {
		t.Errorf("reasons (-rules +schema):\n%s", diff)
	}
}

// TestJSONKeepsFindings checks that a report in JSON can be decoded to the same findings.
func TestJSONKeepsFindings(t *testing.T) {
	want := ordinaryRun()
	var got struct {
		Findings []rules.Finding
		Summary  rules.Summary
	}
	if err := json.Unmarshal(render(t, "json", want, report.Options{}), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.findings, got.Findings); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	want.summary.Unreadable = []rules.Unreadable{} // in JSON, the list is never null
	want.summary.Undecided.Reasons = want.summary.Undecided.MostFrequent()
	want.summary.Unchecked.Kinds = want.summary.Unchecked.MostFrequent()
	if diff := cmp.Diff(*want.summary, got.Summary); diff != "" {
		t.Errorf("summary (-want +got):\n%s", diff)
	}
}
