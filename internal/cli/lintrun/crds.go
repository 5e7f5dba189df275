package lintrun

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/checks"
	"github.com/kubevet/kubevet/manifestlint/objectcontext"
	"github.com/kubevet/kubevet/manifestlint/source"
)

// gatherCRDs reads the objects that --crd and the configuration name: the cluster
// has them, and they are not checked. A path that cannot be read is an error,
// since the checks of custom resources would be wrong without it.
func (r *Run) gatherCRDs(ctx context.Context) ([]objectcontext.Object, error) {
	var all []objectcontext.Object
	for _, path := range r.set.crds {
		given, err := r.gatherPath(ctx, path)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(given, func(o objectcontext.Object) bool { return o.Kind == "CustomResourceDefinition" }) {
			r.note(fmt.Sprintf("--crd %s: there is no CustomResourceDefinition in it", path))
		}
		all = append(all, given...)
	}
	return all, nil
}

func (r *Run) gatherPath(ctx context.Context, path string) ([]objectcontext.Object, error) {
	if path == source.StdinName {
		return nil, app.Usagef("--crd cannot read standard input: name a file or a directory")
	}
	list, problems := source.Expand([]string{path}, source.Options{Dir: r.Dir, NoGitignore: true})
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
		Kinds: checks.ContextKinds(), MaxDocument: int(r.set.maxDocument), NewReader: in.NewReader,
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

// crdPaths returns the paths of the configuration and then those of the flag,
// relative to the working directory.
func crdPaths(a *app.App, f *Flags, configured []string, configFile string) []string {
	var all []string
	for _, path := range configured {
		if !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(configFile), filepath.FromSlash(path))
		}
		all = append(all, a.Name(path))
	}
	return append(all, f.CRDs...)
}
