package config

import (
	"bytes"
	"encoding/json"

	"github.com/kubevet/kubevet/rules"
)

//go:generate go test . -run ^TestPublishedSchema$ -update

// fragment is a part of a JSON Schema (draft 2020-12), with the keywords that this schema
// needs.
type fragment struct {
	Draft       string               `json:"$schema,omitempty"`
	ID          string               `json:"$id,omitempty"`
	Ref         string               `json:"$ref,omitempty"`
	Title       string               `json:"title,omitempty"`
	Description string               `json:"description,omitempty"`
	Type        []string             `json:"type,omitempty"`
	Enum        []any                `json:"enum,omitempty"`
	Pattern     string               `json:"pattern,omitempty"`
	MinLength   int                  `json:"minLength,omitempty"`
	Minimum     int64                `json:"minimum,omitempty"`
	Maximum     int64                `json:"maximum,omitempty"`
	Items       *fragment            `json:"items,omitempty"`
	Properties  map[string]*fragment `json:"properties,omitempty"`
	Names       *fragment            `json:"propertyNames,omitempty"`
	// Additional is false if no further keys are allowed. Otherwise it is the schema of
	// their values.
	Additional any                  `json:"additionalProperties,omitempty"`
	AnyOf      []*fragment          `json:"anyOf,omitempty"`
	Defs       map[string]*fragment `json:"$defs,omitempty"`
}

// JSONSchema returns the JSON schema of a configuration, which is published as
// schema/config.schema.json. The schema does not check that Kubernetes minors, feature
// gates and APIs exist.
func JSONSchema() []byte {
	root := &fragment{
		Draft:       "https://json-schema.org/draft/2020-12/schema",
		ID:          "https://raw.githubusercontent.com/kubevet/kubevet/main/schema/config.schema.json",
		Title:       "kubevet configuration",
		Description: "Settings of kubevet for the manifests and the Go code of a repository, in .kubevet.yaml.",
		Type:        types("object", "null"),
		Properties:  map[string]*fragment{},
		Additional:  false,
		Defs: map[string]*fragment{
			"rule": {AnyOf: []*fragment{
				{Enum: append(anys(ruleWords()...), false, true)},
				{
					Type: types("object"),
					Properties: map[string]*fragment{
						"enabled":  {Description: "Whether the rule runs.", Type: types("boolean")},
						"severity": {Description: "The severity of the rule's findings.", Enum: anys(severityWords()...)},
						"options":  {Description: "Options of the rule itself; its page names them.", Type: types("object"), Additional: &fragment{Type: types("string", "number", "boolean")}},
					},
					Additional: false,
				},
			}},
		},
	}
	for _, k := range keys {
		s := k.schema()
		s.Description = k.doc
		root.Properties[k.name] = s
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(root); err != nil {
		panic("config: a schema that cannot be written: " + err.Error())
	}
	return b.Bytes()
}

// rulesSchema returns the schema of the key rules. It lists every rule, so that editors
// can complete IDs.
func rulesSchema() *fragment {
	s := &fragment{Type: types("object"), Properties: map[string]*fragment{}, Additional: false}
	for _, r := range rules.Catalogue() {
		s.Properties[r.ID] = &fragment{Ref: "#/$defs/rule", Description: r.Title}
	}
	for former, id := range rules.Redirects() {
		s.Properties[former] = &fragment{Ref: "#/$defs/rule", Description: "The former name of " + id + "."}
	}
	return s
}

func switches(names string) *fragment {
	return &fragment{Type: types("object"), Names: &fragment{Pattern: names}, Additional: boolean()}
}

func boolean() *fragment { return &fragment{Type: types("boolean")} }

func nonempty() *fragment { return &fragment{Type: types("string"), MinLength: 1} }

func types(names ...string) []string { return names }

func anys(words ...string) []any {
	values := make([]any, len(words))
	for i, w := range words {
		values[i] = w
	}
	return values
}
