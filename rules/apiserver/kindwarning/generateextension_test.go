package kindwarning

import (
	"fmt"
	"strings"
)

// The makers below are for kinds that extend a server: webhooks, policies and
// definitions of custom resources.

func (g generator) staticName() object {
	return object{"name": oneOf(g, "w", "w.static.k8s.io", "static.k8s.io", "a.b.static.k8s.io")}
}

func (g generator) webhooks() object {
	return object{"apiVersion": "admissionregistration.k8s.io/v1", "metadata": g.staticName(), "webhooks": listOf(g, 2, func() any {
		return object{
			"name": fmt.Sprintf("w%d.example.com", g.IntN(1e9)), "sideEffects": "None", "admissionReviewVersions": []any{"v1"},
			"clientConfig": object{"url": "https://example.com/x"},
			"rules": listOf(g, 2, func() any {
				return object{
					"operations": []any{"CREATE"}, "apiVersions": []any{"v1"},
					"apiGroups": append([]any{g.group()}, listOf(g, 2, func() any { return g.group() })...),
					"resources": append([]any{g.resource()}, listOf(g, 3, func() any { return g.resource() })...),
				}
			}),
		}
	})}
}

func (g generator) group() string {
	return oneOf(g, "", "apps", "*", "authentication.k8s.io", "authorization.k8s.io", "authorization.k8s.io")
}

func (g generator) resource() string {
	return oneOf(g, "pods", "tokenreviews", "selfsubjectreviews", "subjectaccessreviews", "localsubjectaccessreviews", "selfsubjectaccessreviews", "selfsubjectrulesreviews", "pods/status", "tokenreviews/*")
}

func (g generator) policyVersion() string {
	if g.minor < 30 {
		return "admissionregistration.k8s.io/v1beta1"
	}
	return "admissionregistration.k8s.io/v1"
}

func (g generator) binding() object {
	return object{"apiVersion": g.policyVersion(), "metadata": g.staticName(), "spec": object{"policyName": "p", "validationActions": []any{"Warn"}}}
}

func (g generator) policy() object {
	return object{"apiVersion": g.policyVersion(), "metadata": g.staticName(), "spec": object{
		"matchConstraints": object{"resourceRules": []any{object{"apiGroups": []any{"apps"}, "apiVersions": []any{"v1"}, "operations": []any{"CREATE"}, "resources": []any{"deployments"}}}},
		"validations":      []any{object{"expression": "true"}},
	}}
}

func (g generator) crd() object {
	version := func(name string, storage bool) any {
		return object{"name": name, "served": true, "storage": storage, "schema": object{"openAPIV3Schema": object{
			"type": "object", "properties": object{"spec": g.schema(3), "status": g.schema(1)},
		}}}
	}
	versions := []any{version("v1", true)}
	if g.chance(2) {
		versions = append(versions, version("v2", false))
	}
	if g.chance(4) {
		versions = append(versions, object{"name": "v3", "served": true, "storage": false, "schema": versions[0].(object)["schema"]})
	}
	return object{"apiVersion": "apiextensions.k8s.io/v1", "metadata": object{"name": "ws.example.com"}, "spec": object{
		"group": "example.com", "scope": "Namespaced", "names": object{"plural": "ws", "singular": "w", "kind": "W", "listKind": "WList"}, "versions": versions,
	}}
}

func (g generator) format(s object) object {
	g.maybe(3, s, "format", func() any {
		return oneOf(g, "date-time", "date", "uri", "int32", "int64", "float", "double", "ipv4", "my-format", "My", "k8s-short-name", "k8s-long-name", "d-a-t-e", "byte", "uuid")
	})
	return s
}

func (g generator) schema(depth int) any {
	switch g.IntN(8 + min(depth, 1)*8) {
	case 0, 1:
		return g.format(object{"type": "string"})
	case 2:
		return g.format(object{"type": "integer"})
	case 3:
		return g.format(object{"type": "number"})
	case 4:
		return g.format(object{"type": "boolean"})
	case 5:
		return object{"x-kubernetes-int-or-string": true}
	case 6:
		return g.format(object{"x-kubernetes-preserve-unknown-fields": true, "type": "object"})
	case 7:
		return g.format(object{"type": "string", "anyOf": []any{object{"format": oneOf(g, "date", "odd")}, object{"not": object{"format": "odder"}}}})
	case 8, 9, 10:
		s := object{"type": "array", "items": g.schema(depth - 1)}
		g.maybe(2, s, "x-kubernetes-list-type", func() any { return oneOf(g, "set", "set", "atomic") })
		item := s["items"].(object)
		if s["x-kubernetes-list-type"] == "set" {
			switch item["type"] {
			case "object":
				item["x-kubernetes-map-type"] = "atomic"
			case "array":
				item["x-kubernetes-list-type"] = "atomic"
			}
		}
		return s
	case 11:
		return object{"type": "object", "additionalProperties": g.schema(depth - 1)}
	}
	properties := object{}
	for range g.IntN(4) {
		properties[strings.Repeat("p", 1+g.IntN(5))] = g.schema(depth - 1)
	}
	return object{"type": "object", "properties": properties}
}
