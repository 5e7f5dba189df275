// Package additional reads a user's list of deprecated API versions, such as
// those of custom resources. The format is that of pluto's
// --additional-versions files (github.com/FairwindsOps/pluto,
// pkg/api/versions.go, 5.24.0), so that users can keep their lists.
package additional

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/rules/lifecycle"
	"k8s.io/apimachinery/pkg/util/version"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Kubernetes is the name of the component for versions of Kubernetes.
const Kubernetes = "k8s"

// Version is a deprecated API version.
type Version struct {
	// APIVersion is the group and version, such as apps/v1. An empty Kind means
	// all kinds of this version.
	APIVersion, Kind string
	// Deprecated and Removed are the component's versions that deprecate and
	// remove the API; nil for none. Available is the first version with the
	// replacement; nil if unknown.
	Deprecated, Removed, Available *version.Version
	// Replacement is the API version to use instead; empty for none.
	Replacement string
	// Component is the program to which the versions belong, such as Kubernetes
	// or istio.
	Component string
	// Line is the line of the entry in its file.
	Line int
}

// Versions is the content of a file.
type Versions struct {
	List []Version
	// Targets has the versions of components for which objects are checked, by
	// the name of the component. It leaves out Kubernetes.
	Targets map[string]*version.Version
}

// MaxSize is the largest size of a file, in bytes.
const MaxSize = 4 << 20

// Parse parses a file. The error joins all mistakes in the file, each with the
// file's name and the line.
func Parse(name string, data []byte) (*Versions, error) {
	if len(data) > MaxSize {
		return nil, fmt.Errorf("%s: more than %d bytes", name, MaxSize)
	}
	p := &parser{name: name, out: &Versions{Targets: map[string]*version.Version{}}}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, fmt.Errorf("%s: an empty file: want deprecated-versions", name)
	case err != nil:
		return nil, fmt.Errorf("%s: %s", name, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode {
		return nil, fmt.Errorf("%s:%d: want a mapping with deprecated-versions", name, max(doc.Line, 1))
	}
	p.file(doc.Content[0])
	return p.out, errors.Join(p.errs...)
}

type parser struct {
	name string
	out  *Versions
	errs []error
}

func (p *parser) errorf(n *yaml.Node, format string, args ...any) {
	p.errs = append(p.errs, fmt.Errorf("%s:%d: %s", p.name, n.Line, fmt.Sprintf(format, args...)))
}

// file parses the mapping at the root of the file.
func (p *parser) file(root *yaml.Node) {
	found := false
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		switch key.Value {
		case "target-versions":
			if value.Kind != yaml.MappingNode {
				p.errorf(value, "target-versions: want a mapping of components to versions")
				continue
			}
			for j := 0; j+1 < len(value.Content); j += 2 {
				component := value.Content[j].Value
				if v := p.version(value.Content[j+1], "target-versions."+component); v != nil && component != Kubernetes {
					p.out.Targets[component] = v
				}
			}
		case "deprecated-versions":
			found = true
			if value.Kind != yaml.SequenceNode {
				p.errorf(value, "deprecated-versions: want a list")
				continue
			}
			for _, item := range value.Content {
				p.entry(item)
			}
		default:
			p.errorf(key, "unknown key %.64q: want deprecated-versions or target-versions", key.Value)
		}
	}
	if !found {
		p.errorf(root, "there is no deprecated-versions")
	}
}

// entry parses an item of deprecated-versions.
func (p *parser) entry(n *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		p.errorf(n, "want an entry with version, kind, deprecated-in, removed-in")
		return
	}
	v := Version{Component: Kubernetes, Line: n.Line}
	failed := len(p.errs)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if value.Kind != yaml.ScalarNode {
			p.errorf(value, "%s: want a text", key.Value)
			continue
		}
		switch key.Value {
		case "version":
			v.APIVersion = value.Value
		case "kind":
			v.Kind = value.Value
		case "deprecated-in":
			v.Deprecated = p.version(value, key.Value)
		case "removed-in":
			v.Removed = p.version(value, key.Value)
		case "replacement-api":
			v.Replacement = value.Value
		case "replacement-available-in":
			v.Available = p.version(value, key.Value)
		case "component":
			if value.Value != "" {
				v.Component = value.Value
			}
		default:
			p.errorf(key, "unknown key %.64q: want version, kind, deprecated-in, removed-in, replacement-api, replacement-available-in or component", key.Value)
		}
	}
	if len(p.errs) > failed {
		return
	}
	switch {
	case v.APIVersion == "":
		p.errorf(n, "an entry without version")
	case strings.Count(v.APIVersion, "/") > 1:
		p.errorf(n, "version %.64q: want GROUP/VERSION", v.APIVersion)
	case v.Deprecated == nil && v.Removed == nil:
		p.errorf(n, "%s: neither deprecated-in nor removed-in", v.APIVersion)
	case known(v):
		p.errorf(n, "%s %s is an API of Kubernetes itself, whose history is known", v.APIVersion, v.Kind)
	case slices.ContainsFunc(p.out.List, func(known Version) bool { return known.APIVersion == v.APIVersion && known.Kind == v.Kind }):
		p.errorf(n, "%s %s is there twice", v.APIVersion, v.Kind)
	default:
		p.out.List = append(p.out.List, v)
	}
}

// known reports whether v is a kind in a version of Kubernetes. It returns
// false if v names no kind.
func known(v Version) bool {
	_, ok := lifecycle.LookupGV(v.APIVersion, v.Kind)
	return v.Kind != "" && ok
}

// version parses a version. The leading v, which pluto requires, is optional.
func (p *parser) version(n *yaml.Node, key string) *version.Version {
	if n.Value == "" || n.ShortTag() == "!!null" {
		return nil
	}
	v, err := ParseVersion(n.Value)
	if err != nil {
		p.errorf(n, "%s: %v", key, err)
	}
	return v
}

// ParseVersion parses a version such as v1.9.0, v1.9, v1 or 1.9.0-rc.1.
func ParseVersion(s string) (*version.Version, error) {
	if v, err := version.ParseSemantic(s); err == nil {
		return v, nil
	}
	if number := strings.TrimPrefix(s, "v"); number != "" && strings.Trim(number, "0123456789") == "" {
		s += ".0"
	}
	if v, err := version.ParseGeneric(s); err == nil && !strings.ContainsAny(s, " \t\r\n") {
		return v, nil
	}
	return nil, fmt.Errorf("%.64q is no version such as v1.9.0", s)
}

// Untargeted returns a component other than Kubernetes that has entries but no
// version in Targets; "" for none.
func (v *Versions) Untargeted() string {
	for _, name := range v.Components() {
		if name != Kubernetes && v.Targets[name] == nil {
			return name
		}
	}
	return ""
}

// Components returns the components of the entries, sorted.
func (v *Versions) Components() []string {
	all := map[string]bool{}
	for _, e := range v.List {
		all[e.Component] = true
	}
	return slices.Sorted(maps.Keys(all))
}

// Find returns the entry for an API version and kind; nil for none.
func (v *Versions) Find(apiVersion, kind string) *Version {
	for i := range v.List {
		if e := &v.List[i]; e.APIVersion == apiVersion && (e.Kind == "" || e.Kind == kind) {
			return e
		}
	}
	return nil
}
