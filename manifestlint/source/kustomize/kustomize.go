// Package kustomize builds the kustomizations among the inputs of a run. It
// calls sigs.k8s.io/kustomize/api in this process. It traces findings in the
// output to the file that set the field: a base, a patch or the kustomization
// itself.
//
// It fetches nothing and executes nothing. Remote resources are left out and
// reported. A kustomization with plugins or functions that are programs is not
// rendered. The package reads no file outside of the git repository. Like
// kustomize with default options, it also reads no file outside of the
// kustomization's directory.
//
// The library prints warnings about deprecated fields to os.Stderr and to the
// default logger.
package kustomize

import (
	"context"
	"github.com/kubevet/kubevet/internal/treefile"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kubevet/kubevet/manifestlint/source"
	"github.com/kubevet/kubevet/manifestlint/source/rendered"
	"github.com/kubevet/kubevet/rules"
)

// Options configure Build. The zero value builds like `kustomize build` without
// flags.
type Options struct {
	// Name returns an absolute path as the user would type it. If it is nil,
	// paths are used unchanged.
	Name func(path string) string
	// Sources reads the comments in files, such as kubevet:ignore; nil ignores
	// them.
	Sources *rendered.Sources
	// Anywhere lets a kustomization name files anywhere, like
	// --load-restrictor=LoadRestrictionsNone.
	Anywhere bool
	// Boundary is the directory that contains all files that may be read. If it
	// is empty, a build may read only files in the git repository of its
	// kustomization, if there is one. Anywhere removes this restriction.
	Boundary string
	// EnableHelm inflates Helm charts, like --enable-helm. The program
	// HelmCommand inflates them; if it is empty, Inflate does.
	EnableHelm  bool
	HelmCommand string
	// Inflate renders a local chart. If it is nil, charts are not rendered.
	Inflate func(context.Context, Chart) ([]byte, error)
	// Overlay replaces the texts of files; nil for none.
	Overlay treefile.Overlay
	// Workers is the number of concurrent builds; 0 means one per processor.
	Workers int
	// Timeout is the largest time for one kustomization; 0 means DefaultTimeout.
	Timeout time.Duration
}

// DefaultTimeout is ten times the time that the largest public kustomizations
// need.
const DefaultTimeout = 60 * time.Second

// Build builds each kustomization among the inputs that no other input
// includes. It builds an included kustomization only if all builds that include
// it fail. The returned set has the failures.
func Build(ctx context.Context, inputs []source.Input, o Options) *rendered.Set {
	if !slices.ContainsFunc(inputs, func(in source.Input) bool { return in.Kustomization }) {
		return &rendered.Set{}
	}
	if o.Name == nil {
		o.Name = filepath.ToSlash
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if o.Sources == nil {
		o.Sources = rendered.NewSources(func(string) ([]byte, error) { return nil, errNoSources })
	}
	g := newGraph(inputs, &o)
	b := &builder{ctx: ctx, o: &o, graph: g}
	for {
		round := g.nextRound()
		if len(round) == 0 || ctx.Err() != nil {
			break
		}
		b.all(round)
	}
	return b.set()
}

type builder struct {
	ctx      context.Context
	o        *Options
	graph    *graph
	timedOut atomic.Int32 // number of builds that exceeded the timeout
	trees    treeCache
}

func (b *builder) all(list []*kustomization) {
	next := make(chan *kustomization)
	var wg sync.WaitGroup
	for range min(b.o.Workers, len(list)) {
		wg.Go(func() {
			for k := range next {
				k.result = b.build(k)
			}
		})
	}
	for _, k := range list {
		next <- k
	}
	close(next)
	wg.Wait()
}

// set returns the results in the order of the inputs.
func (b *builder) set() *rendered.Set {
	set := &rendered.Set{Renderers: map[string]string{}}
	watched := map[string]bool{}
	for _, k := range b.graph.list {
		r := k.result
		if r == nil {
			continue
		}
		set.Findings = append(set.Findings, r.findings...)
		set.NotJudged = append(set.NotJudged, r.notJudged...)
		if r.failed {
			continue
		}
		set.Files = append(set.Files, r.files...)
		if len(r.text) > 0 {
			set.Units = append(set.Units, rendered.Unit{Name: k.dirName(), By: k.name, Text: r.text, Trace: r.trace})
		}
		for _, path := range r.resources {
			if in := b.graph.inputs[path]; in != nil && in.Partial.As == "" && !in.Kustomization {
				if _, ok := set.Renderers[in.Name]; !ok {
					set.Renderers[in.Name] = k.name
				}
			}
		}
		for _, path := range r.otherFiles {
			if in := b.graph.inputs[path]; in != nil {
				watched[in.Name] = true
			}
		}
	}
	for name := range watched {
		if set.Renderers[name] == "" {
			set.Watched = append(set.Watched, name)
		}
	}
	slices.Sort(set.Watched)
	slices.Sort(set.Files)
	set.Files = slices.Compact(set.Files)
	// Several overlays report the problem of a base that they share.
	set.Findings = unique(set.Findings, func(f rules.Finding) position { return position{f.File, f.Line, f.Column, f.Message} })
	set.NotJudged = unique(set.NotJudged, func(n rules.NotJudged) position { return position{n.File, n.Line, 0, n.Reason + n.Detail} })
	return set
}

type position struct {
	file         string
	line, column int
	text         string
}

// unique returns the first element with each key.
func unique[T any](all []T, key func(T) position) []T {
	seen := map[position]bool{}
	return slices.DeleteFunc(all, func(v T) bool {
		k := key(v)
		seenBefore := seen[k]
		seen[k] = true
		return seenBefore
	})
}
