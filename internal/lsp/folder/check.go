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

// Use says how kustomizations and charts use a file.
type Use struct {
	// Rendered is true if the objects of the file are checked in the output of rendering.
	Rendered bool
	// Used is true if rendering reads the file.
	Used bool
	// Chart is the path of the outermost chart that contains the file. It is empty if
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

// chartOf returns the path of the outermost chart that contains the file and is in the
// folder. It returns "" if there is none.
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

// Knows reports whether a file was an input of the last pass.
func (f *Folder) Knows(file string) bool {
	p := f.last()
	if p == nil {
		return false
	}
	return p.Has(f.Name(file))
}

// Check checks one file for the target of the folder. text replaces the content of the
// file. Check uses the context objects of the last pass. It does not check the objects of
// a file that is rendered. Before the first pass, it returns no findings, and ok is
// false.
func (f *Folder) Check(ctx context.Context, file string, text []byte) (found []rules.Finding, ok bool, err error) {
	p := f.last()
	if p == nil {
		return nil, false, nil
	}
	found, err = f.checkWith(ctx, p, file, text, p.Target())
	return found, err == nil, err
}

// CheckFor is like Check, but for another target.
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

// beside returns a session for a file that was not an input of the pass, because the file
// is new or git ignores it. If the configuration excludes the file, the session does not
// check it either.
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

// real returns a path with symbolic links resolved. If this fails, it returns the path
// unchanged.
func real(path string) string {
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		return resolved
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(dir, filepath.Base(path))
	}
	return path
}

// Overlay returns the texts of documents in the form for Scan and Render. The keys are
// paths of files.
func Overlay(texts map[string]string) treefile.Overlay {
	o := make(treefile.Overlay, len(texts))
	for path, text := range texts {
		o[real(path)] = []byte(text)
	}
	return o
}

// Render renders one chart of the folder again and checks its files. It does not build
// kustomizations, because kustomizations in other directories may use the files: that
// needs a Scan. Before the first Scan, ok is false.
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

// ContextKinds reports whether a text may have context objects. Other objects are checked
// against context objects, such as definitions of custom resources.
func ContextKinds(text string) bool {
	if !strings.Contains(text, "kind") {
		return false
	}
	return slices.ContainsFunc(checks.ContextKinds(), func(kind string) bool {
		return strings.Contains(text, "kind: "+kind) || strings.Contains(text, `"`+kind+`"`)
	})
}

// IsConfig reports whether a file has the name of a configuration file.
func IsConfig(file string) bool {
	base := path.Base(filepath.ToSlash(file))
	return base == ".kubevet.yaml" || base == ".kubevet.yml"
}
