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
func (s *entryChecker) mergePatches(report func(*failure)) {
	list := s.out.PatchesStrategicMerge[:0]
	for i, entry := range s.out.PatchesStrategicMerge {
		text, at := string(entry), s.entry("patchesStrategicMerge", i)
		if s.skipRemote(text, isRemoteFile, at) {
			continue
		}
		if strings.Contains(text, "\n") {
			node, _ := s.k.places.lookUp("patchesStrategicMerge", i)
			list = append(list, types.PatchStrategicMerge(s.inline(text, node)))
			continue
		}
		if exists(filepath.Join(s.k.dir, filepath.FromSlash(text))) || !strings.ContainsAny(text, "{:") {
			err := s.checkFile(at, text, func(path string) {
				s.patchFiles[path] = s.k
			})
			if err != nil {
				report(err)
			}
		}
		list = append(list, entry)
	}
	s.out.PatchesStrategicMerge = list
}

// patchList checks the entries of patches or patchesJson6902.
func (s *entryChecker) patchList(name string, all []types.Patch, withoutJSON bool, report func(*failure)) []types.Patch {
	var kept []types.Patch
	for i, patch := range all {
		at := s.k.places.span(name, i, "path")
		text := []byte(patch.Patch)
		if patch.Path != "" {
			if s.skipRemote(patch.Path, isRemoteFile, at) {
				continue
			}
			err := s.checkFile(at, patch.Path, func(path string) {
				s.patchFiles[path] = s.k
				text, _ = s.k.links.readRegular(path, s.k.boundary, maxFile)
			})
			if err != nil {
				report(err)
			}
		}
		if isJSONPatch(text) {
			if s.jsonPatches = true; withoutJSON {
				continue
			}
		} else if patch.Patch != "" {
			node, _ := s.k.places.lookUp(name, i, "patch")
			patch.Patch = s.inline(patch.Patch, node)
		}
		kept = append(kept, patch)
	}
	return kept
}

// isJSONPatch reports whether a patch is a JSON patch, which is a list.
func isJSONPatch(text []byte) bool {
	var doc yaml.Node
	if yaml.NewDecoder(bytes.NewReader(text)).Decode(&doc) != nil {
		return false
	}
	return len(doc.Content) > 0 && doc.Content[0].Kind == yaml.SequenceNode
}

// inline returns the text of a patch in the kustomization, with numbered lines.
func (s *entryChecker) inline(text string, node *yaml.Node) string {
	if node == nil || node.Kind != yaml.ScalarNode || checkAliases([]byte(text)) != nil {
		return text
	}
	return s.numbering.inline(s.k.path, text, node, s.k.places.indentOf(node.Line))
}
