package helmchart

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"helm.sh/helm/v4/pkg/chart/common"
	chart "helm.sh/helm/v4/pkg/chart/v2"
)

// errRemote is the error for a schema that refers to another file.
var errRemote = errors.New("kubevet does not fetch it")

// noLoader loads neither files nor addresses.
type noLoader struct{}

func (noLoader) Load(string) (any, error) { return nil, errRemote }

// validate checks values with the schemas of a chart and its dependencies, as
// helm.sh/helm/v4@v4.3.1 pkg/chart/common/util/jsonschema.go does. Schemas that
// refer to other files are not applied.
func (b *built) validate(c *chart.Chart, top any) *Failure {
	values, ok := asMap(top)
	if !ok {
		return nil
	}
	if c.Schema != nil {
		if text := violations(c.Schema, values); text != "" {
			place := path.Join(b.place(c), "values.schema.json")
			return &Failure{File: place, Message: flat("values don't meet the specifications of the schema: " + text), Values: true}
		}
	}
	for _, d := range c.Dependencies() {
		if f := b.validate(d, values[d.Name()]); f != nil {
			return f
		}
	}
	return nil
}

// place returns the directory of a chart. For a chart under another name it is
// that of the file that the chart comes from.
func (b *built) place(c *chart.Chart) string {
	if f := b.folders[c]; f != nil {
		return f.place
	}
	for _, list := range [][]*common.File{c.Templates, c.Files} {
		for _, one := range list {
			if f := b.origins[one]; f != nil {
				return strings.TrimSuffix(strings.TrimSuffix(f.place, f.name), "/")
			}
		}
	}
	return c.Name()
}

// violations returns a description of the violations of a schema, or "" if
// there are none.
func violations(schema []byte, values map[string]any) (text string) {
	defer func() {
		if p := recover(); p != nil {
			text = fmt.Sprintf("unable to validate schema: %v", p)
		}
	}()
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return err.Error()
	}
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(noLoader{})
	const name = "file:///values.schema.json"
	if err := compiler.AddResource(name, parsed); err != nil {
		return err.Error()
	}
	compiled, err := compiler.Compile(name)
	if err != nil {
		if strings.Contains(err.Error(), errRemote.Error()) {
			return ""
		}
		return err.Error()
	}
	if err := compiled.Validate(values); err != nil {
		return strings.TrimPrefix(err.Error(), "jsonschema validation failed with '"+name+"#'\n")
	}
	return ""
}

// asMap converts any of the types that Helm has for a table.
func asMap(v any) (map[string]any, bool) {
	switch v := v.(type) {
	case map[string]any:
		return v, true
	case common.Values:
		return v, true
	}
	return nil, false
}
