//go:build !js

package policy

import (
	"encoding/json"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/kubevet/kubevet/rules/apiserver/customresource"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// customConverter returns the converter for a version of a custom resource, or
// nil if the schema is unknown or not structural. The converter's schema has
// apiVersion, kind and metadata, because the server adds them when it publishes
// the schema of a definition. Source:
// k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder.
func customConverter(d *customresource.Definition, kind schema.GroupVersionKind) managedfields.TypeConverter {
	s := structuralSchema(d, kind.Version)
	if s == nil {
		return nil
	}
	published := s.ToKubeOpenAPI()
	if published.Properties == nil {
		published.Properties = map[string]spec.Schema{}
	}
	published.Properties["apiVersion"] = *spec.StringProperty()
	published.Properties["kind"] = *spec.StringProperty()
	var metadata spec.Schema
	if json.Unmarshal([]byte(objectMeta), &metadata) != nil {
		return nil
	}
	published.Properties["metadata"] = metadata
	published.AddExtension("x-kubernetes-group-version-kind", []any{
		map[string]any{"group": kind.Group, "version": kind.Version, "kind": kind.Kind},
	})
	converter, err := managedfields.NewTypeConverter(map[string]*spec.Schema{"custom": published}, false)
	if err != nil {
		return nil
	}
	return converter
}

func structuralSchema(d *customresource.Definition, version string) *structural.Structural {
	if d == nil || d.At == nil {
		return nil
	}
	var at *wire.Value
	for _, v := range d.At.At("spec", "versions").Elements() {
		if v.Get("name").StringOr("") == version {
			at = v.At("schema", "openAPIV3Schema")
		}
	}
	props, internal := &apiextensionsv1.JSONSchemaProps{}, &apiextensions.JSONSchemaProps{}
	data, err := native(at)
	if err != nil || at == nil {
		return nil
	}
	text, err := json.Marshal(data)
	if err != nil || json.Unmarshal(text, props) != nil {
		return nil
	}
	if apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(props, internal, nil) != nil {
		return nil
	}
	s, err := structural.NewStructural(internal)
	if err != nil {
		return nil
	}
	return s
}

// objectMeta is the schema of ObjectMeta in k8s.io/apimachinery/pkg/apis/meta/v1.
const objectMeta = `{
	"type": "object",
	"properties": {
		"annotations": {"type": "object", "additionalProperties": {"type": "string"}},
		"creationTimestamp": {"type": "string"},
		"deletionGracePeriodSeconds": {"type": "integer"},
		"deletionTimestamp": {"type": "string"},
		"finalizers": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
		"generateName": {"type": "string"},
		"generation": {"type": "integer"},
		"labels": {"type": "object", "additionalProperties": {"type": "string"}},
		"managedFields": {"type": "array", "items": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}, "x-kubernetes-list-type": "atomic"},
		"name": {"type": "string"},
		"namespace": {"type": "string"},
		"ownerReferences": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["uid"], "items": {
			"type": "object", "x-kubernetes-map-type": "atomic", "properties": {
				"apiVersion": {"type": "string"}, "blockOwnerDeletion": {"type": "boolean"}, "controller": {"type": "boolean"},
				"kind": {"type": "string"}, "name": {"type": "string"}, "uid": {"type": "string"}}}},
		"resourceVersion": {"type": "string"},
		"selfLink": {"type": "string"},
		"uid": {"type": "string"}
	}
}`
