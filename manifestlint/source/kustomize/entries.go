package kustomize

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/kubevet/kubevet/rules"
)

// entryChecker checks one kustomization of a plan, and makes the copy for
// kustomize.
type entryChecker struct {
	*plan
	b   *builder
	k   *kustomization
	out *types.Kustomization
}

// check checks all files and directories that a kustomization names. It returns
// the first failure. withoutJSON leaves out JSON patches: see comparison.
func (s *entryChecker) check(withoutJSON bool) (failed *failure) {
	report := func(err *failure) {
		if failed == nil {
			failed = err
		}
	}
	k := s.k
	if k.Kind != "" && k.Kind != types.KustomizationKind && k.Kind != types.ComponentKind {
		report(k.mistake(k.places.span("kind"), fmt.Sprintf("kind is %q: kustomize wants Kustomization or Component", k.Kind)))
	}
	s.out.Resources = s.entries("resources", k.Resources, isRemote, report, func(i int, entry string) *failure {
		at := s.entry("resources", i)
		if dir, ok := k.directory(entry); ok {
			if s.b.graph.load(dir) == nil {
				return k.mistake(at, fmt.Sprintf("%s is a directory without a kustomization", entry))
			}
			return nil
		}
		return s.checkFile(at, entry, func(path string) { s.resourceFiles[path] = true })
	})
	s.out.Components = s.entries("components", k.Components, isRemote, report, func(i int, entry string) *failure {
		dir, ok := k.directory(entry)
		if !ok || s.b.graph.load(dir) == nil {
			return s.missing(s.entry("components", i), entry, "no directory with a component")
		}
		return nil
	})
	for _, list := range [...]struct {
		name    string
		entries *[]string
	}{{"generators", &s.out.Generators}, {"transformers", &s.out.Transformers}, {"validators", &s.out.Validators}} {
		*list.entries = s.entries(list.name, *list.entries, isRemote, report, func(i int, entry string) *failure {
			return s.plugin(s.entry(list.name, i), entry)
		})
	}
	for _, list := range [...]struct {
		name    string
		entries *[]string
	}{{"crds", &s.out.Crds}, {"configurations", &s.out.Configurations}} {
		*list.entries = s.entries(list.name, *list.entries, isRemoteFile, report, func(i int, entry string) *failure {
			return s.checkFile(s.entry(list.name, i), entry, nil)
		})
	}
	s.out.PatchesStrategicMerge = slices.Clone(k.PatchesStrategicMerge)
	s.mergePatches(report)
	s.out.Patches = s.patchList("patches", k.Patches, withoutJSON, report)
	s.out.PatchesJson6902 = s.patchList("patchesJson6902", k.PatchesJson6902, withoutJSON, report)
	s.out.Replacements = slices.DeleteFunc(slices.Clone(k.Replacements), func(r types.ReplacementField) bool {
		i := slices.IndexFunc(k.Replacements, func(o types.ReplacementField) bool { return o.Path == r.Path })
		return r.Path != "" && s.skipRemote(r.Path, isRemoteFile, k.places.span("replacements", i, "path"))
	})
	if path := k.OpenAPI["path"]; path != "" {
		if at := k.places.span("openapi", "path"); s.skipRemote(path, isRemoteFile, at) {
			s.out.OpenAPI = nil
		} else if err := s.checkFile(at, path, nil); err != nil {
			report(err)
		}
	}
	s.generators(report)
	s.replaceCharts(report)
	return failed
}

// entry returns the span of item i of a list. The items of bases follow those
// of resources.
func (s *entryChecker) entry(list string, i int) span {
	if n, ok := s.k.places.lookUp(list, i); ok {
		return s.k.places.spanOf(n)
	}
	if list == "resources" {
		own, _ := s.k.places.lookUp("resources")
		before := 0
		if own != nil && own.Kind == yaml.SequenceNode {
			before = len(own.Content)
		}
		if n, ok := s.k.places.lookUp("bases", i-before); ok {
			return s.k.places.spanOf(n)
		}
	}
	return s.k.places.span(list)
}

// entries checks the entries of a list, and returns the local ones.
func (s *entryChecker) entries(list string, all []string, isRemote func(string) bool, report func(*failure), check func(int, string) *failure) []string {
	var kept []string
	for i, entry := range all {
		if s.skipRemote(entry, isRemote, s.entry(list, i)) {
			continue
		}
		if err := check(i, entry); err != nil {
			report(err)
		}
		kept = append(kept, entry)
	}
	return kept
}

// skipRemote reports whether kustomize would fetch an entry. If so, it records
// the entry as skipped.
func (s *entryChecker) skipRemote(entry string, isRemote func(string) bool, at span) bool {
	if !isRemote(entry) {
		return false
	}
	s.skipped = append(s.skipped, s.k.unsupported(rules.SkipNotFetched, at, entry))
	return true
}

// checkFile checks a file that a kustomization names, and passes its path to
// found.
func (s *entryChecker) checkFile(at span, entry string, found func(path string)) *failure {
	if filepath.IsAbs(entry) && !s.b.o.Anywhere {
		return s.k.mistake(at, fmt.Sprintf("%s is an absolute path, which only --load-restrictor=none allows", entry))
	}
	full := entry
	if !filepath.IsAbs(entry) {
		full = filepath.Join(s.k.dir, filepath.FromSlash(entry))
	}
	real, err := s.k.links.resolve(full)
	if err != nil || isDir(real) {
		return s.missing(at, entry, "no such file")
	}
	if !s.k.mayRead(full, real) {
		return s.k.outsideBoundary(at, entry, real)
	}
	if !s.b.o.Anywhere && !within(real, s.k.dir) {
		return s.k.mistake(at, fmt.Sprintf("%s is not in or below the kustomization's directory, which only --load-restrictor=none allows", entry))
	}
	if found != nil {
		found(real)
	}
	return nil
}

func (s *entryChecker) missing(at span, entry, reason string) *failure {
	full := filepath.Join(s.k.dir, filepath.FromSlash(entry))
	if real, err := s.k.links.resolve(full); err == nil && !s.k.mayRead(full, real) {
		return s.k.outsideBoundary(at, entry, real)
	}
	return s.k.mistake(at, fmt.Sprintf("%s: %s", shorten(entry), reason))
}

// outsideBoundary returns the failure for an entry outside of the directories
// that the kustomization may read.
func (k *kustomization) outsideBoundary(at span, entry, real string) *failure {
	reason := "lies outside of the repository"
	switch {
	case k.boundary == "":
		reason = "is a link out of the linted directory"
	case within(real, k.boundary):
		reason = "belongs to git itself"
	}
	return k.unsupported(rules.SkipNotRendered, at, fmt.Sprintf("%s %s", entry, reason))
}

// shorten shortens an entry for messages. An entry can be a whole document.
func shorten(entry string) string {
	line, _, more := strings.Cut(entry, "\n")
	if r := []rune(line); len(r) > 100 {
		line, more = string(r[:100]), true
	}
	if more {
		line += "…"
	}
	return line
}
