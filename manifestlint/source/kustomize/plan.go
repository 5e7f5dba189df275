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

	"github.com/kubevet/kubevet/rules"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// plan says what one build may read. It has each kustomization as kubevet
// parsed it, without remote entries. kustomize reads only files that were
// checked.
type plan struct {
	root   *kustomization
	all    []*kustomization
	served map[string][]byte
	lines  *numbering
	// data are the files that generators read as data. plain are the files with
	// resources. patches are the files with patches, with the kustomization
	// that names each file.
	data, plain map[string]bool
	patches     map[string]*kustomization
	// inflated has the location of each chart's entry in a kustomization. The
	// key is the name of the file with the rendered chart, which exists only in
	// the build.
	inflated map[string]location
	// plugins are the files with configurations of generators, transformers and
	// validators.
	plugins []string
	// graphName returns the path of a file as the user would type it.
	graphName func(path string) string
	// left are the entries that were left out of the build.
	left []*failure
	// jsonPatches is set if a kustomization of the plan has JSON patches.
	jsonPatches bool
	jsonOps     map[operationsKey]*operations
}

// newPlan plans a build. With withoutJSON, it leaves out JSON patches: see
// comparison.
func (b *builder) newPlan(root *kustomization, withoutJSON bool) (*plan, *failure) {
	p := &plan{
		root: root, all: b.graph.reach(root), served: map[string][]byte{}, lines: newNumbering(&b.trees),
		graphName: b.graph.name,
		inflated:  map[string]location{},
		data:      map[string]bool{}, plain: map[string]bool{}, patches: map[string]*kustomization{},
	}
	if len(p.all) >= maxKustomizations || b.graph.visits(root, map[*kustomization]int{}) > maxKustomizations {
		return p, root.lacks(rules.SkipNotRendered, span{}, fmt.Sprintf("it builds with more than %d kustomizations", maxKustomizations))
	}
	for _, k := range p.all {
		if k.err != nil {
			return p, k.err
		}
		served := k.Kustomization
		served.Bases, served.ImageTags = nil, nil // parse copied them to Resources and Images
		s := &step{plan: p, b: b, k: k, out: &served}
		if failed := s.check(withoutJSON); failed != nil {
			return p, failed
		}
		if (withoutJSON || len(p.left) > 0) && served.GeneratorOptions == nil {
			// kustomize refuses a kustomization without any entries, and all
			// entries may have been left out.
			served.GeneratorOptions = &types.GeneratorOptions{}
		}
		text, err := json.Marshal(&served)
		if err != nil {
			return p, k.fails(span{}, "the kustomization cannot be read: "+err.Error())
		}
		p.served[k.path] = text
	}
	return p, nil
}

// step checks one kustomization of a plan, and makes the copy for kustomize.
type step struct {
	*plan
	b   *builder
	k   *kustomization
	out *types.Kustomization
}

// check checks all files and directories that a kustomization names. It returns
// the first failure.
func (s *step) check(withoutJSON bool) (failed *failure) {
	keep := func(err *failure) {
		if failed == nil {
			failed = err
		}
	}
	k := s.k
	if k.Kind != "" && k.Kind != types.KustomizationKind && k.Kind != types.ComponentKind {
		keep(k.fails(k.places.span("kind"), fmt.Sprintf("kind is %q: kustomize wants Kustomization or Component", k.Kind)))
	}
	s.out.Resources = s.entries("resources", k.Resources, remote, keep, func(i int, entry string) *failure {
		at := s.entry("resources", i)
		if dir, ok := k.directory(entry); ok {
			if s.b.graph.load(dir) == nil {
				return k.fails(at, fmt.Sprintf("%s is a directory without a kustomization", entry))
			}
			return nil
		}
		return s.file(at, entry, func(path string) { s.plain[path] = true })
	})
	s.out.Components = s.entries("components", k.Components, remote, keep, func(i int, entry string) *failure {
		dir, ok := k.directory(entry)
		if !ok || s.b.graph.load(dir) == nil {
			return s.absent(s.entry("components", i), entry, "no directory with a component")
		}
		return nil
	})
	for _, list := range [...]struct {
		name    string
		entries *[]string
	}{{"generators", &s.out.Generators}, {"transformers", &s.out.Transformers}, {"validators", &s.out.Validators}} {
		*list.entries = s.entries(list.name, *list.entries, remote, keep, func(i int, entry string) *failure {
			return s.plugin(s.entry(list.name, i), entry)
		})
	}
	for _, list := range [...]struct {
		name    string
		entries *[]string
	}{{"crds", &s.out.Crds}, {"configurations", &s.out.Configurations}} {
		*list.entries = s.entries(list.name, *list.entries, remoteFile, keep, func(i int, entry string) *failure {
			return s.file(s.entry(list.name, i), entry, nil)
		})
	}
	s.out.PatchesStrategicMerge = slices.Clone(k.PatchesStrategicMerge)
	s.mergePatches(keep)
	s.out.Patches = s.patchList("patches", k.Patches, withoutJSON, keep)
	s.out.PatchesJson6902 = s.patchList("patchesJson6902", k.PatchesJson6902, withoutJSON, keep)
	s.out.Replacements = slices.DeleteFunc(slices.Clone(k.Replacements), func(r types.ReplacementField) bool {
		i := slices.IndexFunc(k.Replacements, func(o types.ReplacementField) bool { return o.Path == r.Path })
		return r.Path != "" && s.leftOut(r.Path, remoteFile, k.places.span("replacements", i, "path"))
	})
	if path := k.OpenAPI["path"]; path != "" {
		if at := k.places.span("openapi", "path"); s.leftOut(path, remoteFile, at) {
			s.out.OpenAPI = nil
		} else if err := s.file(at, path, nil); err != nil {
			keep(err)
		}
	}
	s.generators(keep)
	s.charts(keep)
	return failed
}

// entry returns the span of item i of a list. The items of bases come after the
// items of resources.
func (s *step) entry(list string, i int) span {
	if n, ok := s.k.places.at(list, i); ok {
		return s.k.places.spanOf(n)
	}
	if list == "resources" {
		own, _ := s.k.places.at("resources")
		before := 0
		if own != nil && own.Kind == yaml.SequenceNode {
			before = len(own.Content)
		}
		if n, ok := s.k.places.at("bases", i-before); ok {
			return s.k.places.spanOf(n)
		}
	}
	return s.k.places.span(list)
}

// entries checks the entries of a list, and returns the local ones.
func (s *step) entries(list string, all []string, isRemote func(string) bool, keep func(*failure), look func(int, string) *failure) []string {
	var kept []string
	for i, entry := range all {
		if s.leftOut(entry, isRemote, s.entry(list, i)) {
			continue
		}
		if err := look(i, entry); err != nil {
			keep(err)
		}
		kept = append(kept, entry)
	}
	return kept
}

// leftOut reports whether kustomize would fetch an entry. It records such an
// entry as left out.
func (s *step) leftOut(entry string, isRemote func(string) bool, at span) bool {
	if !isRemote(entry) {
		return false
	}
	s.left = append(s.left, s.k.lacks(rules.SkipNotFetched, at, entry))
	return true
}

// file checks a file that a kustomization names. It passes the file's path to
// found.
func (s *step) file(at span, entry string, found func(path string)) *failure {
	if filepath.IsAbs(entry) && !s.b.o.Anywhere {
		return s.k.fails(at, fmt.Sprintf("%s is an absolute path, which only --load-restrictor=none allows", entry))
	}
	full := entry
	if !filepath.IsAbs(entry) {
		full = filepath.Join(s.k.dir, filepath.FromSlash(entry))
	}
	real, err := s.k.links.real(full)
	if err != nil || isDir(real) {
		return s.absent(at, entry, "no such file")
	}
	if !s.k.permits(full, real) {
		return s.k.outside(at, entry, real)
	}
	if !s.b.o.Anywhere && !within(real, s.k.dir) {
		return s.k.fails(at, fmt.Sprintf("%s is not in or below the kustomization's directory, which only --load-restrictor=none allows", entry))
	}
	if found != nil {
		found(real)
	}
	return nil
}

func (s *step) absent(at span, entry, what string) *failure {
	full := filepath.Join(s.k.dir, filepath.FromSlash(entry))
	if real, err := s.k.links.real(full); err == nil && !s.k.permits(full, real) {
		return s.k.outside(at, entry, real)
	}
	return s.k.fails(at, fmt.Sprintf("%s: %s", clip(entry), what))
}

// outside returns the failure for an entry outside of the directories that the
// kustomization may read.
func (k *kustomization) outside(at span, entry, real string) *failure {
	where := "lies outside of the repository"
	switch {
	case k.boundary == "":
		where = "is a link out of the linted directory"
	case within(real, k.boundary):
		where = "belongs to git itself"
	}
	return k.lacks(rules.SkipNotRendered, at, fmt.Sprintf("%s %s", entry, where))
}

// clip shortens an entry for messages. An entry can be a whole document.
func clip(entry string) string {
	line, _, more := strings.Cut(entry, "\n")
	if r := []rune(line); len(r) > 100 {
		line, more = string(r[:100]), true
	}
	if more {
		line += "…"
	}
	return line
}

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

// generators checks configMapGenerator and secretGenerator.
func (s *step) generators(keep func(*failure)) {
	k := s.k
	s.out.ConfigMapGenerator = slices.Clone(k.ConfigMapGenerator)
	for i := range s.out.ConfigMapGenerator {
		s.generator("configMapGenerator", i, &s.out.ConfigMapGenerator[i].GeneratorArgs, keep)
	}
	s.out.SecretGenerator = slices.Clone(k.SecretGenerator)
	for i := range s.out.SecretGenerator {
		s.generator("secretGenerator", i, &s.out.SecretGenerator[i].GeneratorArgs, keep)
	}
}

func (s *step) generator(name string, i int, args *types.GeneratorArgs, keep func(*failure)) {
	list := func(field string, entries []string, keyed bool) []string {
		var kept []string
		for j, entry := range entries {
			at := s.k.places.span(name, i, field, j)
			if s.leftOut(entry, remoteData, at) {
				continue
			}
			path := entry
			if _, after, ok := strings.Cut(entry, "="); ok && keyed {
				path = after
			}
			if err := s.file(at, path, func(path string) { s.data[path] = true }); err != nil {
				keep(err)
			}
			kept = append(kept, entry)
		}
		return kept
	}
	args.FileSources = list("files", args.FileSources, true)
	args.EnvSources = list("envs", args.EnvSources, false)
	if args.EnvSource != "" {
		if kept := list("env", []string{args.EnvSource}, false); len(kept) == 0 {
			args.EnvSource = ""
		}
	}
}

// plugin checks an entry of generators, transformers or validators. An entry is
// a configuration as text, a file with configurations, or a directory whose
// kustomization has configurations as resources.
func (s *step) plugin(at span, entry string) *failure {
	if dir, ok := s.k.directory(entry); ok {
		for _, k := range s.b.graph.reach(s.b.graph.load(dir)) {
			if k == nil || k.err != nil {
				return s.absent(at, entry, "no directory with a kustomization")
			}
			// kustomize must run only documents that were checked before, so
			// the kustomization must not change them.
			if !onlyResources(&k.Kustomization) {
				return s.k.lacks(rules.SkipNotRendered, at, fmt.Sprintf("%s is a kustomization that changes plugins, which is not supported", entry))
			}
			for _, r := range k.Resources {
				if _, ok := k.directory(r); ok || remote(r) {
					continue
				}
				text, err := s.k.links.readRegular(filepath.Join(k.dir, filepath.FromSlash(r)), k.boundary, maxFile)
				if err != nil {
					return s.k.fails(at, fmt.Sprintf("%s: %s: %s", entry, r, cause(err)))
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
	if failed := s.file(at, entry, func(p string) { path = p }); failed != nil {
		return failed
	}
	text, err := s.k.links.readRegular(path, s.k.boundary, maxFile)
	if err != nil {
		return s.k.fails(at, fmt.Sprintf("%s: %s", entry, cause(err)))
	}
	s.plugins = append(s.plugins, path)
	return s.pluginText(at, text)
}

// onlyResources reports whether a kustomization has no fields except resources
// and bases.
func onlyResources(k *types.Kustomization) bool {
	bare := types.Kustomization{TypeMeta: k.TypeMeta, MetaData: k.MetaData, Resources: k.Resources, Bases: k.Bases}
	has, errHas := json.Marshal(k)
	want, errWant := json.Marshal(&bare)
	return errors.Join(errHas, errWant) == nil && bytes.Equal(has, want)
}

// pluginText checks the configuration of plugins. Only plugins of kustomize
// itself may run, and all files that they name must be local.
func (s *step) pluginText(at span, text []byte) *failure {
	if bounded(text) != nil {
		return s.k.fails(at, errAliases.Error())
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var doc yaml.Node
		if err := decoder.Decode(&doc); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return s.k.fails(at, "a plugin's configuration does not parse: "+yamlText(err))
		}
		if len(doc.Content) == 0 || doc.Content[0].ShortTag() == "!!null" {
			continue
		}
		var object any
		if err := doc.Content[0].Decode(&object); err != nil {
			return s.k.fails(at, "a plugin's configuration does not parse: "+yamlText(err))
		}
		m, _ := object.(map[string]any)
		if version, _ := m["apiVersion"].(string); version != "builtin" {
			kind, _ := m["kind"].(string)
			return s.k.lacks(rules.SkipNotRendered, at, fmt.Sprintf("%s is a plugin of its own, which is not executed", kind))
		}
		if path := remotePath(object, ""); path != "" {
			return s.k.lacks(rules.SkipNotFetched, at, path)
		}
		if kind, _ := m["kind"].(string); strings.HasPrefix(kind, "HelmChart") && !(s.b.o.EnableHelm && s.b.o.HelmCommand != "") {
			return s.k.lacks(rules.SkipNotRendered, at, "a plugin that inflates a Helm chart needs --enable-helm and --helm-command")
		}
	}
}

// remotePath returns a path in a plugin's configuration that kustomize would
// fetch. It returns "" if there is none.
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
			if remoteData(v) {
				return v
			}
		}
	}
	return ""
}
