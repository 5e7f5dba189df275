package lintrun

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/settings"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/checks"
	"github.com/kubevet/kubevet/manifestlint/objectcontext"
	"github.com/kubevet/kubevet/manifestlint/source"
)

// gatherCRDs reads what --crd and the configuration name: objects that the
// cluster has and that are not judged here. What cannot be read is an error,
// since everything that is judged by it would be judged wrong.
func gatherCRDs(ctx context.Context, a *app.App, s *settings.Settings) ([]objectcontext.Object, error) {
	var all []objectcontext.Object
	for _, path := range s.Crds {
		given, err := gatherPath(ctx, a, path, s)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(given, func(o objectcontext.Object) bool { return o.Kind == "CustomResourceDefinition" }) {
			s.Notes = append(s.Notes, fmt.Sprintf("--crd %s: there is no CustomResourceDefinition in it", path))
		}
		all = append(all, given...)
	}
	return all, nil
}

func gatherPath(ctx context.Context, a *app.App, path string, s *settings.Settings) ([]objectcontext.Object, error) {
	if path == source.StdinName {
		return nil, app.Usagef("--crd reads no standard input: name a file or a directory")
	}
	list, problems := source.Expand([]string{path}, source.Options{Dir: a.Dir, NoGitignore: true})
	in := NewInputs(list)
	defer in.Close()
	var errs []error
	for _, p := range problems {
		switch p.Kind {
		case source.Usage, source.Missing, source.Unreadable:
			errs = append(errs, fmt.Errorf("--crd: %w", p))
		}
	}
	if len(errs) > 0 {
		return nil, app.Usage(errors.Join(errs...))
	}
	given, err := objectcontext.Collect(ctx, in.Seq(), objectcontext.Options{
		Kinds: checks.ContextKinds(), MaxDocument: int(s.MaxDocument), NewReader: in.NewReader,
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
func crdPaths(a *app.App, f *Flags, configured []string, configFile string) []string {
	var all []string
	for _, path := range configured {
		if !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(configFile), filepath.FromSlash(path))
		}
		all = append(all, a.Name(path))
	}
	return append(all, f.Crds...)
}
