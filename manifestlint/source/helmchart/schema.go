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

// errRemote is what a schema gets that wants another file.
var errRemote = errors.New("kubevet does not fetch it")

// noLoader loads nothing: no file, and nothing from the network.
type noLoader struct{}

func (noLoader) Load(string) (any, error) { return nil, errRemote }

// validate holds values against the schemas of a chart and its dependencies, as
// helm.sh/helm/v4@v4.3.1 pkg/chart/common/util/jsonschema.go does, but for what
// a schema would have to fetch. A schema that wants that is not applied.
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

// place is the directory of a chart; that of a chart under another name is that
// of the file it came from.
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

// violations says what values a schema does not allow; "" if there are none.
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

// asMap takes any of the types that Helm has for a table.
func asMap(v any) (map[string]any, bool) {
	switch v := v.(type) {
	case map[string]any:
		return v, true
	case common.Values:
		return v, true
	}
	return nil, false
}
