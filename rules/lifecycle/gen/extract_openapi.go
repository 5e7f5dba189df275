package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// swagger has the parts of an OpenAPI 2.0 document that the generator reads.
type swagger struct {
	Paths map[string]map[string]json.RawMessage
	// Definitions are the types by name. The kinds of a type are in its extension
	// field.
	Definitions map[string]struct {
		GVK        []openAPIKind `json:"x-kubernetes-group-version-kind"`
		Properties map[string]struct {
			Items struct {
				Ref string `json:"$ref"`
			}
		}
	}
}

type openAPIKind struct {
	Group   string `json:"group"`
	Version string `json:"version"`
	Kind    string `json:"kind"`
}

// extractOpenAPI returns the kinds for which a server has paths, and the item
// kind of each list kind.
func extractOpenAPI(file string) ([]servedPath, []listKind, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, nil, err
	}
	var doc swagger
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, nil, fmt.Errorf("reading %s: %w", file, err)
	}
	paths, err := doc.served()
	if err != nil {
		return nil, nil, fmt.Errorf("reading %s: %w", file, err)
	}
	return paths, doc.lists(), nil
}

func (doc *swagger) served() ([]servedPath, error) {
	type key struct {
		gvk
		gv       string
		resource string
	}
	merged := map[key]*servedPath{}
	for path, item := range doc.Paths {
		p, ok := parsePath(path)
		if !ok {
			continue
		}
		for method, raw := range item {
			if method == "parameters" {
				continue
			}
			var op struct {
				GVK *openAPIKind `json:"x-kubernetes-group-version-kind"`
			}
			if err := json.Unmarshal(raw, &op); err != nil {
				return nil, fmt.Errorf("%s %s: %w", method, path, err)
			}
			if op.GVK == nil {
				continue
			}
			p.gvk = gvk(*op.GVK)
			k := key{p.gvk, groupVersion(p.PathGroup, p.PathVersion), p.Resource}
			m := merged[k]
			if m == nil {
				m = new(servedPath)
				*m = p
				merged[k] = m
			}
			m.Namespaced = m.Namespaced || p.Namespaced
			m.Create = m.Create || method == "post" || method == "put"
		}
	}
	list := make([]servedPath, 0, len(merged))
	for _, p := range merged {
		list = append(list, *p)
	}
	return sortedCompact(list, func(a, b servedPath) int {
		return cmp.Or(a.gvk.compare(b.gvk), cmp.Compare(a.PathGroup, b.PathGroup), cmp.Compare(a.PathVersion, b.PathVersion), cmp.Compare(a.Resource, b.Resource))
	}), nil
}

// parsePath splits an API path into its group, version, resource and subresource.
// ok is false for watch paths and for paths without a resource.
func parsePath(path string) (_ servedPath, ok bool) {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	var p servedPath
	switch {
	case len(parts) > 2 && parts[0] == "api":
		p.PathVersion, parts = parts[1], parts[2:]
	case len(parts) > 3 && parts[0] == "apis":
		p.PathGroup, p.PathVersion, parts = parts[1], parts[2], parts[3:]
	default:
		return p, false
	}
	if parts[0] == "watch" {
		return p, false
	}
	if len(parts) > 2 && parts[0] == "namespaces" && parts[1] == "{namespace}" {
		p.Namespaced, parts = true, parts[2:]
	}
	p.Resource = parts[0]
	// The rest has the form resource, resource/{name} or
	// resource/{name}/subresource[/{path}].
	if len(parts) > 2 {
		p.Resource += "/" + parts[2]
	}
	return p, true
}

func (doc *swagger) lists() []listKind {
	var lists []listKind
	for _, def := range doc.Definitions {
		if len(def.GVK) != 1 || !strings.HasSuffix(def.GVK[0].Kind, "List") {
			continue
		}
		items, ok := def.Properties["items"]
		if !ok {
			continue
		}
		item := doc.Definitions[strings.TrimPrefix(items.Items.Ref, "#/definitions/")]
		if len(item.GVK) != 1 {
			continue
		}
		lists = append(lists, listKind{gvk(def.GVK[0]), gvk(item.GVK[0])})
	}
	return sortedCompact(lists, func(a, b listKind) int { return a.gvk.compare(b.gvk) })
}
