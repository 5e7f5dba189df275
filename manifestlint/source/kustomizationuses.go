package source

import (
	"io"
	"path"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// uses are the files that a kustomization names.
type uses struct {
	files []use
	// resources are the entries of the field resources: files, directories and
	// URLs.
	resources []string
	// otherKind is set if the document declares an apiVersion that does not
	// belong to kustomize.
	otherKind bool
}

type use struct {
	// path is relative to the kustomization's directory, with slashes.
	path string
	// as is the name of the field that has the path.
	as string
}

// parseUses returns the files that a kustomization names. It reads the fields
// with paths of kustomize's types.Kustomization (kyaml and api 0.21). This
// includes former fields that `kustomize edit fix` still converts. A text that
// does not parse, or has another structure, names no files.
func parseUses(text io.Reader) uses {
	var u uses
	decoder := yaml.NewDecoder(text)
	// kustomize expects one document. Empty documents before it are skipped.
	for range 8 {
		var document yaml.Node
		if err := decoder.Decode(&document); err != nil {
			return u
		}
		if document.Kind != yaml.DocumentNode || len(document.Content) == 0 {
			continue
		}
		if root := follow(document.Content[0]); root.Kind == yaml.MappingNode {
			u.read(root)
			return u
		}
	}
	return u
}

func (u *uses) read(root *yaml.Node) {
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i].Value, follow(root.Content[i+1])
		switch key {
		case "apiVersion":
			u.otherKind = value.Value != "" && !strings.HasPrefix(value.Value, "kustomize.config.k8s.io/")
		case "resources", "bases":
			for item := range items(value) {
				u.resources = append(u.resources, path.Clean(item.Value))
			}
		case "patches":
			// Formerly a list of strategic merge patches, now a list of
			// mappings.
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

// addData adds the files of an item of a generator. An entry of files is a
// path, or key=path.
func (u *uses) addData(as string, item *yaml.Node) {
	for file := range items(field(item, "files")) {
		named := *file
		if _, after, ok := strings.Cut(file.Value, "="); ok {
			named.Value = after
		}
		u.add(as, &named)
	}
	for file := range items(field(item, "envs")) {
		u.add(as, file)
	}
	u.add(as, field(item, "env"))
}

// add adds the file that a scalar names. It adds nothing for a URL, for a
// document in place of a path, or for an absolute path, which kustomize
// refuses.
func (u *uses) add(as string, node *yaml.Node) {
	if node == nil || node.Kind != yaml.ScalarNode {
		return
	}
	value := node.Value
	if value == "" || value[0] == '/' || strings.ContainsAny(value, "\n\x00") || strings.Contains(value, "://") {
		return
	}
	u.files = append(u.files, use{path: path.Clean(value), as: as})
}

// follow returns the node that an alias refers to, or n if n is not an alias.
// An alias never refers to an alias.
func follow(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		return n.Alias
	}
	return n
}

// items yields the items of a sequence. It yields nothing for another node.
func items(n *yaml.Node) func(yield func(*yaml.Node) bool) {
	return func(yield func(*yaml.Node) bool) {
		if n == nil || n.Kind != yaml.SequenceNode {
			return
		}
		for _, item := range n.Content {
			if !yield(follow(item)) {
				return
			}
		}
	}
}

// field returns the value of a mapping's key, or nil.
func field(n *yaml.Node, key string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return follow(n.Content[i+1])
		}
	}
	return nil
}
