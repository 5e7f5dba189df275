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
	// Rendered is true if the objects of the file are checked after rendering.
	Rendered bool
	// Used is true if rendering reads the file.
	Used bool
	// Chart is the path of the outermost chart that contains the file. It is empty for
	// other files.
	Chart string
}

// UseOf returns how the last Scan used a file.
func (f *Folder) UseOf(file string) Use {
	u := Use{Chart: f.chartOf(file)}
	u.Used = u.Chart != ""
	if p := f.last(); p != nil {
		by, used := p.Rendered(f.Name(file))
		u.Rendered, u.Used = by != "", u.Used || used
	}
	return u
}

// chartOf returns the path of the outermost chart in the folder that contains the file,
// or "".
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

// Knows reports whether a file was an input of the last Scan.
func (f *Folder) Knows(file string) bool {
	p := f.last()
	if p == nil {
		return false
	}
	return p.Has(f.Name(file))
}

// Check checks one file for the target of the folder. text replaces the content of the
// file. Check uses the context objects of the last Scan, and skips objects that are
// checked after rendering. Before the first Scan, ok is false.
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
	s, err := p.extraSession(ctx, name, treefile.Overlay{resolveLinks(file): text})
	if err != nil {
		return nil, err
	}
	found, _, err := s.One(ctx, name, text, target)
	return found, err
}

// extraSession returns a session for a file that the Scan skipped, because the file is
// new or git ignores it. The session skips files that the configuration excludes.
func (p *pass) extraSession(ctx context.Context, name string, overlay treefile.Overlay) (*lintrun.Session, error) {
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

// resolveLinks returns a path without symbolic links, or the path unchanged if this
// fails.
func resolveLinks(path string) string {
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		return resolved
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(dir, filepath.Base(path))
	}
	return path
}

// Overlay returns the overlay for Scan and Render. The keys of texts are paths of files.
func Overlay(texts map[string]string) treefile.Overlay {
	o := make(treefile.Overlay, len(texts))
	for path, text := range texts {
		o[resolveLinks(path)] = []byte(text)
	}
	return o
}

// Render renders one chart of the folder again and checks its files. It does not build
// kustomizations that use these files; this needs a Scan. Before the first Scan, ok is
// false.
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

// ContextKinds reports whether a text may have context objects, such as definitions of
// custom resources. Other objects are checked against these.
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
