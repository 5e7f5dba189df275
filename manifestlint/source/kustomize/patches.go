package kustomize

import (
	"bytes"
	"path/filepath"
	"strings"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// mergePatches checks the entries of patchesStrategicMerge. An entry is a path
// or the patch itself.
func (s *step) mergePatches(keep func(*failure)) {
	list := s.out.PatchesStrategicMerge[:0]
	for i, entry := range s.out.PatchesStrategicMerge {
		text, at := string(entry), s.entry("patchesStrategicMerge", i)
		if s.leftOut(text, remoteFile, at) {
			continue
		}
		if strings.Contains(text, "\n") {
			node, _ := s.k.places.at("patchesStrategicMerge", i)
			list = append(list, types.PatchStrategicMerge(s.inline(text, node)))
			continue
		}
		if exists(filepath.Join(s.k.dir, filepath.FromSlash(text))) || !strings.ContainsAny(text, "{:") {
			err := s.file(at, text, func(path string) {
				s.patches[path] = s.k
			})
			if err != nil {
				keep(err)
			}
		}
		list = append(list, entry)
	}
	s.out.PatchesStrategicMerge = list
}

// patchList checks the entries of patches or patchesJson6902.
func (s *step) patchList(name string, all []types.Patch, withoutJSON bool, keep func(*failure)) []types.Patch {
	var kept []types.Patch
	for i, patch := range all {
		at := s.k.places.span(name, i, "path")
		text := []byte(patch.Patch)
		if patch.Path != "" {
			if s.leftOut(patch.Path, remoteFile, at) {
				continue
			}
			err := s.file(at, patch.Path, func(path string) {
				s.patches[path] = s.k
				text, _ = s.k.links.readRegular(path, s.k.boundary, maxFile)
			})
			if err != nil {
				keep(err)
			}
		}
		if isJSONPatch(text) {
			if s.jsonPatches = true; withoutJSON {
				continue
			}
		} else if patch.Patch != "" {
			node, _ := s.k.places.at(name, i, "patch")
			patch.Patch = s.inline(patch.Patch, node)
		}
		kept = append(kept, patch)
	}
	return kept
}

// isJSONPatch reports whether a patch is a JSON patch, that is, a list.
func isJSONPatch(text []byte) bool {
	var doc yaml.Node
	if yaml.NewDecoder(bytes.NewReader(text)).Decode(&doc) != nil {
		return false
	}
	return len(doc.Content) > 0 && doc.Content[0].Kind == yaml.SequenceNode
}

// inline returns the text of a patch that is written in the kustomization, with
// numbered lines.
func (s *step) inline(text string, node *yaml.Node) string {
	if node == nil || node.Kind != yaml.ScalarNode || bounded([]byte(text)) != nil {
		return text
	}
	return s.lines.inline(s.k.path, text, node, s.k.places.indentOf(node.Line))
}
