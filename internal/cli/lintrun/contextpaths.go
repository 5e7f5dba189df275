package lintrun

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/config"
	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/checks"
	"github.com/kubevet/kubevet/manifestlint/objectcontext"
	"github.com/kubevet/kubevet/manifestlint/schemas"
	"github.com/kubevet/kubevet/manifestlint/source"
	"github.com/kubevet/kubevet/rules/apiserver/policy"
)

// readContextPaths reads the objects and schemas in the paths of --context, --crd and the
// configuration. They exist in the cluster, so they are not checked themselves. A path
// that cannot be read is an error, because checks would be wrong without its objects.
func (r *Run) readContextPaths(ctx context.Context) ([]objectcontext.Object, error) {
	r.schemas = &schemas.Catalog{MaxDocument: int(r.set.maxDocument)}
	var all []objectcontext.Object
	for _, path := range r.set.context {
		given, err := r.readContextPath(ctx, path)
		if err != nil {
			return nil, err
		}
		all = append(all, given...)
	}
	return all, nil
}

// readContextPath returns the objects in one path and adds its schemas to r.schemas.
func (r *Run) readContextPath(ctx context.Context, p contextPath) ([]objectcontext.Object, error) {
	path, flag := p.name, p.flag
	switch {
	case path == source.StdinName:
		return nil, app.Usagef("%s cannot read standard input: name a file or a directory", flag)
	case source.IsURL(path):
		return nil, app.Usagef("%s %s: kubevet downloads nothing: get a local copy, such as with git clone --depth 1 https://github.com/datreeio/CRDs-catalog, and name its directory", flag, path)
	}
	var template *schemas.Template
	expand := path
	if schemas.IsTemplate(path) {
		var err error
		if template, err = schemas.ParseTemplate(filepath.ToSlash(path)); err != nil {
			return nil, app.Usagef("%s %s: %w", flag, quote.Name(path), err)
		}
		expand = template.Glob
	}
	list, problems := r.expandGiven(expand, p)
	in := NewInputs(list)
	defer in.Close()
	var errs []error
	for _, problem := range problems {
		switch problem.Kind {
		case source.Usage, source.Missing, source.Unreadable:
			hint := ""
			if problem.Kind == source.Missing && flag == flagContext {
				hint = " (the context of a kubeconfig is --kube-context, with --cluster)"
			}
			errs = append(errs, fmt.Errorf("%s: %w%s", flag, problem, hint))
		}
	}
	if len(errs) > 0 {
		return nil, app.Usage(errors.Join(errs...))
	}
	found, err := r.addSchemas(in, p, template)
	if err != nil || template != nil {
		return nil, err
	}
	given, err := objectcontext.Collect(ctx, in.Seq(), objectcontext.Options{
		Kinds: checks.ContextKinds(), MaxDocument: int(r.set.maxDocument), NewReader: in.NewReader,
		Trouble: func(e manifestlint.Event) {
			switch {
			case e.Err != nil:
				errs = append(errs, fmt.Errorf("%s: %w", flag, e.Err))
			default:
				errs = append(errs, fmt.Errorf("%s: %s:%d: %s", flag, quote.Name(e.Input.Name), e.NotJudged.Line, skipReason(e.NotJudged)))
			}
		},
	})
	if err != nil {
		return nil, err
	}
	if !found && flag == flagCRD && !slices.ContainsFunc(given, func(o objectcontext.Object) bool { return o.Kind == "CustomResourceDefinition" }) {
		r.note(fmt.Sprintf("--crd %s: it has no CustomResourceDefinition, JSON Schema or OpenAPI document", quote.Name(path)))
	}
	for i := range given {
		given[i].Given = true
	}
	return given, errors.Join(errs...)
}

func (r *Run) expandGiven(path string, p contextPath) ([]source.Input, []source.Problem) {
	return source.Expand([]string{path}, source.Options{Dir: r.Dir, NoGitignore: true, Tree: p.tree})
}

// readContextKinds returns the objects of further kinds, such as the parameters of
// policies, in the paths of readContextPaths. These kinds are known only after
// readContextPaths.
func (r *Run) readContextKinds(ctx context.Context, kinds []string) ([]objectcontext.Object, error) {
	if len(kinds) == 0 {
		return nil, nil
	}
	var all []objectcontext.Object
	for _, p := range r.set.context {
		if schemas.IsTemplate(p.name) {
			continue // the path has only schemas
		}
		list, _ := r.expandGiven(p.name, p)
		in := NewInputs(list)
		given, err := objectcontext.Collect(ctx, in.Seq(), objectcontext.Options{Kinds: kinds, MaxDocument: int(r.set.maxDocument), NewReader: in.NewReader})
		in.Close()
		if err != nil {
			return nil, err
		}
		all = append(all, given...)
	}
	for i := range all {
		all[i].Given = true
	}
	return all, nil
}

// addSchemas adds the schemas in the files of a path to r.schemas, and reports whether
// there are any. Files that are schemas by their name are removed from in.List and read
// only when an object needs them.
func (r *Run) addSchemas(in *Inputs, p contextPath, template *schemas.Template) (bool, error) {
	var rest []source.Input
	var errs []error
	var nameless []string
	found := false
	for i := range in.List {
		from := in.List[i]
		input := manifestlint.Input{Name: from.Name, Open: func() (io.ReadCloser, error) { return from.Open() }}
		if open := in.Stream(from.Name); open != nil {
			input.Open = open
		}
		var id schemas.Identity
		var known bool
		if template != nil {
			if id, known = template.Identify(from.Name); !known {
				continue
			}
		} else {
			id, known = schemas.Identify(from.Name, directoryOf(p.name, from))
		}
		if known && !from.Named() && r.schemas.AddFile(input, id) {
			found = true
			continue
		}
		rest = append(rest, from)
		schema, err := r.schemas.Read(input, id, from.Named())
		var noKind *schemas.NoKindError
		switch {
		case errors.As(err, &noKind) && !from.Named():
			nameless = append(nameless, from.Name)
		case err != nil:
			errs = append(errs, fmt.Errorf("%s: %w", p.flag, err))
		}
		found = found || schema
	}
	if len(nameless) > 0 {
		r.note(fmt.Sprintf("%s %s: not used: %s without the name of a kind, such as %s", p.flag, quote.Name(p.name), report.Count(len(nameless), "JSON Schema"), quote.Name(nameless[0])))
	}
	if template != nil && !found {
		r.note(fmt.Sprintf("%s %s: no file has such a name", p.flag, quote.Name(p.name)))
	}
	in.List = rest
	return found || len(nameless) > 0, errors.Join(errs...)
}

// directoryOf returns the directory to which names of schemas are relative. This is the
// directory that the user named. For a file or a glob, it is the directory of the input.
func directoryOf(named string, in source.Input) string {
	if strings.ContainsAny(named, "*?[{") || in.Named() {
		return path.Dir(in.Name)
	}
	return filepath.ToSlash(named)
}

// These flags name files with objects that exist in the cluster.
const (
	flagContext = "--context"
	flagCRD     = "--crd" // the older name of --context
)

// contextPath is a file, directory or glob with objects that exist in the cluster.
type contextPath struct {
	// name is the path relative to the working directory.
	name string
	// tree is the directory that the path must be in. It is empty for a path from a flag,
	// which may be anywhere.
	tree string
	// flag is the name of the flag in messages, with its dashes.
	flag string
}

// contextPaths returns the paths in the configuration, followed by the paths in flags.
func contextPaths(a *app.App, f *Flags, c *config.Config) ([]contextPath, error) {
	var all []contextPath
	for _, list := range []struct {
		key, flag string
		paths     []string
	}{{"context", flagContext, c.Context}, {"crds", flagCRD, c.CRDs}} {
		for i, path := range list.paths {
			if source.IsURL(path) {
				all = append(all, contextPath{name: path, flag: list.flag})
				continue
			}
			full, err := c.ResolvePattern(list.key, i, path, list.flag)
			if err != nil {
				return nil, err
			}
			all = append(all, contextPath{a.Name(full), c.Tree, list.flag})
		}
	}
	if !f.namesKubeContext() {
		for _, path := range f.Context {
			all = append(all, contextPath{name: path, flag: flagContext})
		}
	}
	for _, path := range f.CRDs {
		all = append(all, contextPath{name: path, flag: flagCRD})
	}
	return all, nil
}

// namesKubeContext reports whether --context names a context of the kubeconfig, which is
// so if --cluster is set and --kube-context is not. Otherwise --context names files.
func (f *Flags) namesKubeContext() bool { return f.Cluster && f.KubeContext == "" }

// applyingUser returns the user of --as and --as-group, or nil without these flags. Like
// the server, it adds the group of all authenticated users.
func applyingUser(f *Flags) (*policy.User, error) {
	switch {
	case f.As != "":
		groups := slices.Clone(f.AsGroups)
		if all := "system:authenticated"; f.As != "system:anonymous" && !slices.Contains(groups, all) {
			groups = append(groups, all)
		}
		return &policy.User{Name: f.As, Groups: groups}, nil
	case f.Set("as"):
		return nil, app.Usagef("--as needs the name of a user")
	case f.Set("as-group"):
		return nil, app.Usagef("--as-group needs --as")
	}
	return nil, nil
}
