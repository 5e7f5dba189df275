package folder

import (
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/internal/cli/lintrun"
	"github.com/kubevet/kubevet/internal/treefile"
	"github.com/kubevet/kubevet/manifestlint/checks"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Use is how a kustomization or a chart uses a file.
type Use struct {
	// Rendered is set if its objects are checked where they are rendered.
	Rendered bool
	// Used is set if it is an input of a rendering.
	Used bool
	// Chart is the directory of the outermost chart around the file, a path; empty if
	// there is none.
	Chart string
}

// UseOf returns how the last pass used a file.
func (f *Folder) UseOf(file string) Use {
	u := Use{Chart: f.chartOf(file)}
	u.Used = u.Chart != ""
	if p := f.last(); p != nil {
		by, used := p.Rendered(f.Name(file))
		u.Rendered, u.Used = by != "", u.Used || used
	}
	return u
}

// chartOf returns the directory of the outermost chart of the folder around a file.
func (f *Folder) chartOf(file string) (outermost string) {
	if !f.Contains(file) {
		return ""
	}
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		if exists(filepath.Join(dir, "Chart.yaml")) {
			outermost = dir
		}
		if dir == f.Dir || filepath.Dir(dir) == dir {
			return outermost
		}
	}
}

// Knows reports whether the last pass had a file.
func (f *Folder) Knows(file string) bool {
	p := f.last()
	if p == nil {
		return false
	}
	return p.Has(f.Name(file))
}

// Check checks one file with a text for the target of the folder, with the context of
// the last pass. The objects of a file that is rendered are not checked. Before the first
// pass there are no findings, and ok is false.
func (f *Folder) Check(ctx context.Context, file string, text []byte) (found []rules.Finding, ok bool, err error) {
	p := f.last()
	if p == nil {
		return nil, false, nil
	}
	found, err = f.checkWith(ctx, p, file, text, p.Target())
	return found, err == nil, err
}

// CheckFor is Check for another target.
func (f *Folder) CheckFor(ctx context.Context, file string, text []byte, target lifecycle.Target) (found []rules.Finding, ok bool, err error) {
	p := f.last()
	if p == nil {
		return nil, false, nil
	}
	found, err = f.checkWith(ctx, p, file, text, target)
	return found, err == nil, err
}

func (f *Folder) checkWith(ctx context.Context, p *pass, file string, text []byte, target lifecycle.Target) ([]rules.Finding, error) {
	name := f.Name(file)
	if found, ok, err := p.One(ctx, name, text, target); ok || err != nil {
		return found, err
	}
	if !exists(file) {
		return p.Text(ctx, name, text, target)
	}
	s, err := p.beside(ctx, name, treefile.Overlay{real(file): text})
	if err != nil {
		return nil, err
	}
	found, _, err := s.One(ctx, name, text, target)
	return found, err
}

// beside returns a session for a file that is not an input of the pass: git ignores it, or it
// is new. Files that the configuration excludes stay excluded.
func (p *pass) beside(ctx context.Context, name string, overlay treefile.Overlay) (*lintrun.Session, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s := p.extra[name]; s != nil {
		return s, nil
	}
	s, in, err := p.Part(ctx, []string{name}, overlay)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	p.extra[name] = s
	return s, nil
}

// real returns a path without symbolic links, as far as that is possible.
func real(path string) string {
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		return resolved
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(dir, filepath.Base(path))
	}
	return path
}

// Overlay returns the texts of documents for a pass, by the paths of their files.
func Overlay(texts map[string]string) treefile.Overlay {
	o := make(treefile.Overlay, len(texts))
	for path, text := range texts {
		o[real(path)] = []byte(text)
	}
	return o
}

// Render renders a chart of the folder again and checks its files. Kustomizations are not
// built: other directories may have some that use the files, so they need a Scan. ok is
// false before the first Scan.
func (f *Folder) Render(ctx context.Context, chart string, overlay treefile.Overlay) (r *Report, ok bool, err error) {
	p := f.last()
	if p == nil {
		return nil, false, nil
	}
	s, in, err := p.Part(ctx, []string{f.Name(chart)}, overlay)
	if err != nil {
		return nil, false, err
	}
	defer in.Close()
	r = &Report{Notes: in.Texts()}
	if _, err := s.All(ctx, r.add); err != nil {
		return nil, false, err
	}
	return r, true, ctx.Err()
}

// ContextKinds reports whether a text may hold objects that others are checked against,
// such as definitions of custom resources.
func ContextKinds(text string) bool {
	if !strings.Contains(text, "kind") {
		return false
	}
	return slices.ContainsFunc(checks.ContextKinds(), func(kind string) bool {
		return strings.Contains(text, "kind: "+kind) || strings.Contains(text, `"`+kind+`"`)
	})
}

// IsConfig reports whether a file is a configuration by its name.
func IsConfig(file string) bool {
	base := path.Base(filepath.ToSlash(file))
	return base == ".kubevet.yaml" || base == ".kubevet.yml"
}
