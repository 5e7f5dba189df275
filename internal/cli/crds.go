package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/checks"
	"github.com/kubevet/kubevet/manifestlint/source"
)

// gatherCRDs reads what --crd and the configuration name: objects that the
// cluster has and that are not judged here. What cannot be read is an error,
// since everything that is judged by it would be judged wrong.
func (a *app) gatherCRDs(ctx context.Context, s *settings) ([]manifestlint.Given, error) {
	var all []manifestlint.Given
	for _, path := range s.crds {
		given, err := a.gatherPath(ctx, path, s)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(given, func(g manifestlint.Given) bool { return g.Object.Kind == "CustomResourceDefinition" }) {
			s.notes = append(s.notes, fmt.Sprintf("--crd %s: there is no CustomResourceDefinition in it", path))
		}
		all = append(all, given...)
	}
	return all, nil
}

func (a *app) gatherPath(ctx context.Context, path string, s *settings) ([]manifestlint.Given, error) {
	if path == source.StdinName {
		return nil, usagef("--crd reads no standard input: name a file or a directory")
	}
	list, problems := source.Expand([]string{path}, source.Options{Dir: a.dir, NoGitignore: true})
	in := newInputs(list)
	defer in.close()
	var errs []error
	for _, p := range problems {
		switch p.Kind {
		case source.Usage, source.Missing, source.Unreadable:
			errs = append(errs, fmt.Errorf("--crd: %w", p))
		}
	}
	if len(errs) > 0 {
		return nil, usage(errors.Join(errs...))
	}
	given, err := manifestlint.Gather(ctx, in.seq(), manifestlint.GatherOptions{
		Kinds: checks.GatheredKinds(), MaxDocument: int(s.maxDocument), NewReader: in.newReader,
		Trouble: func(e manifestlint.Event) {
			switch {
			case e.Err != nil:
				errs = append(errs, fmt.Errorf("--crd: %w", e.Err))
			default:
				errs = append(errs, fmt.Errorf("--crd: %s:%d: %s", e.Input.Name, e.NotJudged.Line, why(e.NotJudged)))
			}
		},
	})
	if err != nil {
		return nil, err
	}
	return given, errors.Join(errs...)
}

// crdPaths are the paths of the flag, relative to the working directory, and
// before them those of the configuration.
func (a *app) crdPaths(f *lintFlags, configured []string, configFile string) []string {
	var all []string
	for _, path := range configured {
		if !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(configFile), filepath.FromSlash(path))
		}
		all = append(all, a.name(path))
	}
	return append(all, f.crds...)
}
