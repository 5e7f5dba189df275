package config

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

var update = flag.Bool("update", false, "rewrite the published schema")

// TestPublishedSchema checks that schema/config.schema.json agrees with the table of
// keys.
func TestPublishedSchema(t *testing.T) {
	path := filepath.Join("..", "..", "..", "schema", "config.schema.json")
	want := JSONSchema()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// git may have converted the line ends in the checkout.
	got = bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n"))
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s is out of date: run go generate ./internal/cli/config (-want +got):\n%s", path, diff)
	}
}

// TestSchemaAgrees checks that the schema and the parser accept the same configurations.
// Only the parser checks the meaning of values.
func TestSchemaAgrees(t *testing.T) {
	schema := compile(t)
	for _, tt := range validConfigs {
		if err := schema.Validate(jsonValue(t, tt.text)); err != nil {
			t.Errorf("%s: the parser accepts what the schema refuses: %v", tt.name, err)
		}
	}
	for _, tt := range invalidConfigs {
		var v any
		if yaml.Unmarshal([]byte(tt.text), &v) != nil {
			continue // the text is not YAML, so the schema does not apply
		}
		switch err := schema.Validate(jsonValue(t, tt.text)); {
		case err == nil && !tt.form:
			t.Errorf("%s: the schema accepts what the parser refuses", tt.name)
		case err != nil && tt.form && tt.name != "key that is a list":
			t.Errorf("%s: marked as a mistake that is none of form, but the schema refuses it: %v", tt.name, err)
		}
	}
}

func compile(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(JSONSchema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("config.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("config.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// jsonValue returns YAML as the JSON value that an editor validates.
func jsonValue(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := yaml.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(stringKeys(v))
	if err != nil {
		t.Fatal(err)
	}
	v, err = jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// stringKeys converts the keys of mappings to strings, because JSON has only string keys.
func stringKeys(v any) any {
	switch v := v.(type) {
	case map[any]any:
		return map[string]any{}
	case map[string]any:
		for k := range v {
			v[k] = stringKeys(v[k])
		}
	case []any:
		for i := range v {
			v[i] = stringKeys(v[i])
		}
	}
	return v
}
