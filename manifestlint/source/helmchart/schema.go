package helmchart

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"reflect"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"helm.sh/helm/v4/pkg/chart/common"
	chart "helm.sh/helm/v4/pkg/chart/v2"
)

// errRemote is the error for a schema that refers to another file or address.
var errRemote = errors.New("kubevet does not fetch it")

type noLoader struct{}

func (noLoader) Load(string) (any, error) { return nil, errRemote }

// validate checks values with the schemas of a chart and its dependencies, like
// helm.sh/helm/v4@v4.3.1 pkg/chart/common/util/jsonschema.go. It ignores a
// schema that refers to another file.
func (b *built) validate(c *chart.Chart, top any) *Failure {
	values, ok := asMap(top)
	if !ok {
		return nil
	}
	if c.Schema != nil {
		text, err := violations(c.Schema, values)
		place := path.Join(b.place(c), "values.schema.json")
		if err != nil {
			return &Failure{File: place, Message: err.Error(), overLimit: true}
		}
		if text != "" {
			return &Failure{File: place, Message: oneLine("values don't meet the specifications of the schema: " + text), Values: true}
		}
	}
	for _, d := range c.Dependencies() {
		if f := b.validate(d, values[d.Name()]); f != nil {
			return f
		}
	}
	return nil
}

// place returns the directory of a chart. For a copy that Helm made, such as
// for an alias, it finds the directory from the chart's files.
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

// violations describes how values violate a schema; "" if they do not. An error
// wraps errBudget.
func violations(schema []byte, values map[string]any) (text string, err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case tooManySteps:
			text, err = "", fmt.Errorf("%w: checking the values applies more than %d schemas", errBudget, maxSchemaSteps)
		default:
			text = fmt.Sprintf("unable to validate schema: %v", p)
		}
	}()
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return err.Error(), nil
	}
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(noLoader{})
	const name = "file:///values.schema.json"
	if err := compiler.AddResource(name, parsed); err != nil {
		return err.Error(), nil
	}
	compiled, err := compiler.Compile(name)
	if err != nil {
		if strings.Contains(err.Error(), errRemote.Error()) {
			return "", nil
		}
		return err.Error(), nil
	}
	countSteps(compiled)
	if err := compiled.Validate(values); err != nil {
		return strings.TrimPrefix(err.Error(), "jsonschema validation failed with '"+name+"#'\n"), nil
	}
	return "", nil
}

// maxSchemaSteps is the largest number of times that one validation applies
// schemas. The number can grow exponentially if schemas refer to each other.
const maxSchemaSteps = 500_000

// tooManySteps is the value of the panic that ends a validation. The library
// has no other way to stop.
type tooManySteps struct{}

// stepCounter is a schema extension that counts how often schemas are applied.
type stepCounter struct{ n int }

func (c *stepCounter) Validate(*jsonschema.ValidatorContext, any) {
	if c.n++; c.n > maxSchemaSteps {
		panic(tooManySteps{})
	}
}

// countSteps adds a stepCounter to a compiled schema and to all schemas that it
// refers to. A counter in the compiler's vocabulary would also change the
// metaschema that checks the schemas.
func countSteps(schema *jsonschema.Schema) {
	counter := &stepCounter{}
	seen := map[*jsonschema.Schema]bool{}
	todo := []*jsonschema.Schema{schema}
	add := func(s *jsonschema.Schema) {
		if s != nil && !seen[s] {
			seen[s] = true
			todo = append(todo, s)
		}
	}
	var collect func(v reflect.Value)
	collect = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Interface:
			if !v.IsNil() {
				collect(v.Elem())
			}
		case reflect.Pointer:
			switch p := v.Interface().(type) {
			case *jsonschema.Schema:
				add(p)
			case *jsonschema.DynamicRef:
				if p != nil {
					add(p.Ref)
				}
			}
		case reflect.Slice:
			for i := range v.Len() {
				collect(v.Index(i))
			}
		case reflect.Map:
			for _, key := range v.MapKeys() {
				collect(v.MapIndex(key))
			}
		}
	}
	seen[schema] = true
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for field, v := range reflect.ValueOf(s).Elem().Fields() {
			if field.IsExported() {
				collect(v)
			}
		}
		s.Extensions = append(s.Extensions, counter)
	}
}

// asMap converts a value to a map if it has one of Helm's types for maps.
func asMap(v any) (map[string]any, bool) {
	switch v := v.(type) {
	case map[string]any:
		return v, true
	case common.Values:
		return v, true
	}
	return nil, false
}
