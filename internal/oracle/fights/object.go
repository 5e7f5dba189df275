package main

import (
	"encoding/json"
	"strings"

	"sigs.k8s.io/yaml"
)

// object is an object of the Kubernetes API.
type object map[string]any

// parse reads an object from YAML.
func parse(text string) object {
	var o object
	if err := yaml.Unmarshal([]byte(text), &o); err != nil {
		panic(err)
	}
	return o
}

// clone returns a deep copy.
func (o object) clone() object {
	data, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	var c object
	if err := json.Unmarshal(data, &c); err != nil {
		panic(err)
	}
	return c
}

// at returns the object at a path, and creates it if necessary. A number in the
// path is the index of a list item.
func (o object) at(path ...string) map[string]any {
	m := map[string]any(o)
	for i := 0; i < len(path); i++ {
		if list, ok := m[path[i]].([]any); ok {
			i++
			m = list[int(path[i][0]-'0')].(map[string]any)
			continue
		}
		next, ok := m[path[i]].(map[string]any)
		if !ok {
			next = map[string]any{}
			m[path[i]] = next
		}
		m = next
	}
	return m
}

// set sets the value at a path. The last name can have any characters.
func (o object) set(value any, path ...string) object {
	o.at(path[:len(path)-1]...)[path[len(path)-1]] = value
	return o
}

// with returns a copy with this value at a path.
func (o object) with(value any, path ...string) object { return o.clone().set(value, path...) }

// without returns a copy without the value at a path.
func (o object) without(path ...string) object {
	c := o.clone()
	delete(c.at(path[:len(path)-1]...), path[len(path)-1])
	return c
}

func (o object) value(path ...string) any { return o.at(path[:len(path)-1]...)[path[len(path)-1]] }

func (o object) text(path ...string) string {
	s, _ := o.value(path...).(string)
	return s
}

// thing is an object of a scene: its address on the server and its first
// content.
type thing struct {
	object                           object
	group, version, resource, ns, id string
}

// thing returns the thing for an object in YAML. If its kind has namespaces, it
// is in the scene's namespace.
func (p *play) thing(text string) *thing {
	o := parse(text)
	group, version, found := strings.Cut(o.text("apiVersion"), "/")
	if !found {
		group, version = "", group
	}
	t := &thing{object: o, group: group, version: version, resource: plural(o.text("kind")), id: o.text("metadata", "name")}
	if !cluster[o.text("kind")] {
		t.ns = o.text("metadata", "namespace")
		if t.ns == "" {
			t.ns = p.ns
			o.set(p.ns, "metadata", "namespace")
		}
		p.namespace(t.ns)
	}
	return t
}

// cluster has the kinds without a namespace.
var cluster = map[string]bool{
	"Node": true, "Namespace": true, "ClusterRole": true, "ClusterRoleBinding": true, "StorageClass": true, "PriorityClass": true,
	"MutatingWebhookConfiguration": true, "ValidatingWebhookConfiguration": true, "CustomResourceDefinition": true, "PersistentVolume": true,
	"IngressClass": true, "APIService": true, "ClusterIssuer": true, "NodePool": true, "Tenant": true, "ValidatingAdmissionPolicy": true, "ClusterPolicy": true,
	"CSIDriver": true, "CiliumNode": true, "MachineConfigPool": true, "FelixConfiguration": true, "ValidatingAdmissionPolicyBinding": true,
	"NodeClaim": true, "ManagedCluster": true,
}

func plural(kind string) string {
	lower := strings.ToLower(kind)
	switch {
	case lower == "endpoints":
		return lower
	case strings.HasSuffix(lower, "ss"), strings.HasSuffix(lower, "ch"):
		return lower + "es"
	case strings.HasSuffix(lower, "y") && !strings.HasSuffix(lower, "way"):
		return strings.TrimSuffix(lower, "y") + "ies"
	}
	return lower + "s"
}

// collection returns the path of all objects of the thing's kind.
func (t *thing) collection() string {
	path := "/apis/" + t.group + "/" + t.version
	if t.group == "" {
		path = "/api/" + t.version
	}
	if t.ns != "" {
		path += "/namespaces/" + t.ns
	}
	return path + "/" + t.resource
}

func (t *thing) path() string { return t.collection() + "/" + t.id }

// named returns a thing of the same kind with another name.
func (t *thing) named(name string) *thing {
	c := *t
	c.id, c.object = name, t.object.with(name, "metadata", "name")
	return &c
}
