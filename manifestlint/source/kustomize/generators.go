package kustomize

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/types"
)

// generators checks configMapGenerator and secretGenerator.
func (s *entryChecker) generators(report func(*failure)) {
	k := s.k
	s.out.ConfigMapGenerator = slices.Clone(k.ConfigMapGenerator)
	for i := range s.out.ConfigMapGenerator {
		s.generator("configMapGenerator", i, &s.out.ConfigMapGenerator[i].GeneratorArgs, report)
	}
	s.out.SecretGenerator = slices.Clone(k.SecretGenerator)
	for i := range s.out.SecretGenerator {
		s.generator("secretGenerator", i, &s.out.SecretGenerator[i].GeneratorArgs, report)
	}
}

func (s *entryChecker) generator(name string, i int, args *types.GeneratorArgs, report func(*failure)) {
	list := func(field string, entries []string, keyed bool) []string {
		var kept []string
		for j, entry := range entries {
			at := s.k.places.span(name, i, field, j)
			if s.skipRemote(entry, isRemoteData, at) {
				continue
			}
			path := entry
			if _, after, ok := strings.Cut(entry, "="); ok && keyed {
				path = after
			}
			if err := s.checkFile(at, path, func(path string) { s.dataFiles[path] = true }); err != nil {
				report(err)
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
