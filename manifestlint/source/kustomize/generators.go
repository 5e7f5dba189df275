package kustomize

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/types"
)

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
