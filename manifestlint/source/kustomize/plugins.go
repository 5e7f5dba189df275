package kustomize

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/kubevet/kubevet/rules"
)

// plugin checks an entry of generators, transformers or validators. An entry is
// the text of a configuration, a file with configurations, or a directory whose
// kustomization has configurations as resources.
func (s *entryChecker) plugin(at span, entry string) *failure {
	if dir, ok := s.k.directory(entry); ok {
		for _, k := range s.b.graph.allIncluded(s.b.graph.load(dir)) {
			if k == nil || k.err != nil {
				return s.missing(at, entry, "no directory with a kustomization")
			}
			// kustomize must run only documents that were checked before, so the
			// kustomization must not change them.
			if !onlyResources(&k.Kustomization) {
				return s.k.unsupported(rules.SkipNotRendered, at, fmt.Sprintf("%s is a kustomization that changes plugins, which is not supported", entry))
			}
			for _, r := range k.Resources {
				if _, ok := k.directory(r); ok || isRemote(r) {
					continue
				}
				text, err := s.k.links.readRegular(filepath.Join(k.dir, filepath.FromSlash(r)), k.boundary, maxFile)
				if err != nil {
					return s.k.mistake(at, fmt.Sprintf("%s: %s: %s", entry, r, withoutPath(err)))
				}
				if failed := s.pluginText(at, text); failed != nil {
					return failed
				}
			}
		}
		return nil
	}
	if strings.Contains(entry, "\n") {
		return s.pluginText(at, []byte(entry))
	}
	var path string
	if failed := s.checkFile(at, entry, func(p string) { path = p }); failed != nil {
		return failed
	}
	text, err := s.k.links.readRegular(path, s.k.boundary, maxFile)
	if err != nil {
		return s.k.mistake(at, fmt.Sprintf("%s: %s", entry, withoutPath(err)))
	}
	s.plugins = append(s.plugins, path)
	return s.pluginText(at, text)
}

// onlyResources reports whether a kustomization has no fields except resources
// and bases.
func onlyResources(k *types.Kustomization) bool {
	expected := types.Kustomization{TypeMeta: k.TypeMeta, MetaData: k.MetaData, Resources: k.Resources, Bases: k.Bases}
	actual, errHas := json.Marshal(k)
	want, errWant := json.Marshal(&expected)
	return errors.Join(errHas, errWant) == nil && bytes.Equal(actual, want)
}

// pluginText checks the configuration of plugins. All plugins must be built-in
// plugins of kustomize, and all files in the configuration must be local.
func (s *entryChecker) pluginText(at span, text []byte) *failure {
	if checkAliases(text) != nil {
		return s.k.mistake(at, errAliases.Error())
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var doc yaml.Node
		if err := decoder.Decode(&doc); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return s.k.mistake(at, "a plugin's configuration does not parse: "+yamlText(err))
		}
		if len(doc.Content) == 0 || doc.Content[0].ShortTag() == "!!null" {
			continue
		}
		var object any
		if err := doc.Content[0].Decode(&object); err != nil {
			return s.k.mistake(at, "a plugin's configuration does not parse: "+yamlText(err))
		}
		m, _ := object.(map[string]any)
		if version, _ := m["apiVersion"].(string); version != "builtin" {
			kind, _ := m["kind"].(string)
			return s.k.unsupported(rules.SkipNotRendered, at, fmt.Sprintf("%s is a plugin of its own, which is not executed", kind))
		}
		if path := remotePath(object, ""); path != "" {
			return s.k.unsupported(rules.SkipNotFetched, at, path)
		}
		if kind, _ := m["kind"].(string); strings.HasPrefix(kind, "HelmChart") && !(s.b.o.EnableHelm && s.b.o.HelmCommand != "") {
			return s.k.unsupported(rules.SkipNotRendered, at, "a plugin that inflates a Helm chart needs --enable-helm and --helm-command")
		}
	}
}

// remotePath returns a path in a plugin's configuration that kustomize would
// fetch; "" for none.
func remotePath(v any, key string) string {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if path := remotePath(v[name], strings.ToLower(name)); path != "" {
				return path
			}
		}
	case []any:
		for _, value := range v {
			if path := remotePath(value, key); path != "" {
				return path
			}
		}
	case string:
		switch key {
		case "path", "paths", "files", "envs", "env", "valuesfile", "additionalvaluesfiles":
			if isRemoteData(v) {
				return v
			}
		}
	}
	return ""
}
