package source

import (
	"io"
	"path"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

type uses struct {
	files []use
	// resources are the entries of the field resources: files, directories and
	// URLs.
	resources []string
	// otherKind is set if the document declares an apiVersion that is not
	// kustomize's.
	otherKind bool
}

type use struct {
	// path is relative to the kustomization's directory, with slashes.
	path string
	// field is the field of the kustomization that has the path.
	field string
}

// parseUses returns the files that a kustomization names. It reads the fields
// with paths of kustomize's types.Kustomization (kyaml and api 0.21), and
// former fields that `kustomize edit fix` still converts. An invalid text names
// no files.
func parseUses(text io.Reader) uses {
	var u uses
	decoder := yaml.NewDecoder(text)
	// kustomize expects one document, after any empty documents.
	for range 8 {
		var document yaml.Node
		if err := decoder.Decode(&document); err != nil {
			return u
		}
		if document.Kind != yaml.DocumentNode || len(document.Content) == 0 {
			continue
		}
		if root := unalias(document.Content[0]); root.Kind == yaml.MappingNode {
			u.read(root)
			return u
		}
	}
	return u
}

func (u *uses) read(root *yaml.Node) {
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i].Value, unalias(root.Content[i+1])
		switch key {
		case "apiVersion":
			u.otherKind = value.Value != "" && !strings.HasPrefix(value.Value, "kustomize.config.k8s.io/")
		case "resources", "bases":
			for item := range items(value) {
				u.resources = append(u.resources, path.Clean(item.Value))
			}
		case "patches":
			// Formerly a list of strategic merge patches, now a list of mappings.
			for item := range items(value) {
				u.add(key, item)
				u.add(key, field(item, "path"))
			}
		case "patchesStrategicMerge", "transformers", "generators", "validators", "configurations", "crds":
			for item := range items(value) {
				u.add(key, item)
			}
		case "patchesJson6902", "replacements":
			for item := range items(value) {
				u.add(key, field(item, "path"))
			}
		case "openapi":
			u.add(key, field(value, "path"))
		case "configMapGenerator", "secretGenerator":
			for item := range items(value) {
				u.addData(key, item)
			}
		case "helmCharts", "helmChartInflationGenerator":
			for item := range items(value) {
				u.add("helmCharts", field(item, "valuesFile"))
				u.add("helmCharts", field(item, "values"))
				for file := range items(field(item, "additionalValuesFiles")) {
					u.add("helmCharts", file)
				}
			}
		}
	}
}

// addData adds the files of an item of a generator. An entry of files is PATH
// or KEY=PATH.
func (u *uses) addData(key string, item *yaml.Node) {
	for file := range items(field(item, "files")) {
		named := *file
		if _, after, ok := strings.Cut(file.Value, "="); ok {
			named.Value = after
		}
		u.add(key, &named)
	}
	for file := range items(field(item, "envs")) {
		u.add(key, file)
	}
	u.add(key, field(item, "env"))
}

// add adds the file that a scalar names. It ignores URLs, absolute paths, which
// kustomize refuses, and documents in place of a path.
func (u *uses) add(key string, node *yaml.Node) {
	if node == nil || node.Kind != yaml.ScalarNode {
		return
	}
	value := node.Value
	if value == "" || value[0] == '/' || strings.ContainsAny(value, "\n\x00") || strings.Contains(value, "://") {
		return
	}
	u.files = append(u.files, use{path: path.Clean(value), field: key})
}

// unalias returns the node that an alias refers to, or n if n is not an alias.
// An alias never refers to an alias.
func unalias(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		return n.Alias
	}
	return n
}

// items yields the items of a sequence, and nothing for other nodes.
func items(n *yaml.Node) func(yield func(*yaml.Node) bool) {
	return func(yield func(*yaml.Node) bool) {
		if n == nil || n.Kind != yaml.SequenceNode {
			return
		}
		for _, item := range n.Content {
			if !yield(unalias(item)) {
				return
			}
		}
	}
}

// field returns the value of a mapping's key; nil for none.
func field(n *yaml.Node, key string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return unalias(n.Content[i+1])
		}
	}
	return nil
}
