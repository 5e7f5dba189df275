// Package kustomize builds the directories with a kustomization among the
// inputs of a run, with sigs.k8s.io/kustomize/api and in this process, and
// traces what is found in the objects that come out to the file that set the
// field: a base, a patch, the kustomization itself.
//
// It fetches nothing and executes nothing. What a kustomization takes from the
// network is left out and named; plugins and functions that are programs make
// it one that is not rendered. It reads no file outside of the repository and,
// as kustomize does unless told otherwise, no file outside of the
// kustomization's directory.
//
// The library writes remarks about deprecated fields to os.Stderr and to the
// default logger; a program that does not want them there must say so itself.
package kustomize

import (
	"context"
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

// Options configure Build. The zero value builds as `kustomize build` does
// without flags.
type Options struct {
	// Name gives what the user would type to mean an absolute path; nil: the
	// path itself.
	Name func(path string) string
	// Sources are the files with their comments; nil: there are no comments
	// to heed.
	Sources *rendered.Sources
	// Anywhere lets a kustomization name files anywhere, as
	// --load-restrictor=LoadRestrictionsNone does.
	Anywhere bool
	// Boundary is the directory that no file may lie outside of, however a
	// kustomization names it; empty: the root of the git repository that a
	// kustomization is in, if it is in one. Anywhere lifts it.
	Boundary string
	// EnableHelm inflates Helm charts, as --enable-helm does, with Inflate or,
	// where HelmCommand is set, with that program.
	EnableHelm  bool
	HelmCommand string
	// Inflate renders a local chart; nil: charts are not rendered.
	Inflate func(context.Context, Chart) ([]byte, error)
	// Workers is how many kustomizations are built at a time; 0 stands for one
	// per processor.
	Workers int
	// Timeout bounds the time for one kustomization; 0 stands for
	// DefaultTimeout.
	Timeout time.Duration
}

// DefaultTimeout is what the largest kustomizations of public projects need,
// ten times over.
const DefaultTimeout = 60 * time.Second

// Build builds the kustomizations among the inputs that no other of them
// builds with. One whose users all fail to build is built by itself. What does
// not build is left as it is, and named.
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
		round := g.round()
		if len(round) == 0 || ctx.Err() != nil {
			break
		}
		b.all(round)
	}
	return b.set()
}

// builder builds the kustomizations of a graph.
type builder struct {
	ctx   context.Context
	o     *Options
	graph *graph
	late  atomic.Int32 // builds that took too long
	trees treeCache
}

// all builds kustomizations, several at a time.
func (b *builder) all(list []*kustomization) {
	next := make(chan *kustomization)
	var wg sync.WaitGroup
	for range min(b.o.Workers, len(list)) {
		wg.Go(func() {
			for k := range next {
				k.built = b.build(k)
			}
		})
	}
	for _, k := range list {
		next <- k
	}
	close(next)
	wg.Wait()
}

// set puts together what came out, in the order of the inputs.
func (b *builder) set() *rendered.Set {
	set := &rendered.Set{Judged: map[string]string{}}
	watched := map[string]bool{}
	for _, k := range b.graph.list {
		r := k.built
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
				if _, ok := set.Judged[in.Name]; !ok {
					set.Judged[in.Name] = k.name
				}
			}
		}
		for _, path := range r.others {
			if in := b.graph.inputs[path]; in != nil {
				watched[in.Name] = true
			}
		}
	}
	for name := range watched {
		if set.Judged[name] == "" {
			set.Watched = append(set.Watched, name)
		}
	}
	slices.Sort(set.Watched)
	slices.Sort(set.Files)
	set.Files = slices.Compact(set.Files)
	// A base that several overlays build with is named by each of them.
	set.Findings = unique(set.Findings, func(f rules.Finding) position { return position{f.File, f.Line, f.Column, f.Message} })
	set.NotJudged = unique(set.NotJudged, func(n rules.NotJudged) position { return position{n.File, n.Line, 0, n.Reason + n.Detail} })
	return set
}

type position struct {
	file         string
	line, column int
	text         string
}

// unique drops repeats.
func unique[T any](all []T, key func(T) position) []T {
	seen := map[position]bool{}
	return slices.DeleteFunc(all, func(v T) bool {
		k := key(v)
		was := seen[k]
		seen[k] = true
		return was
	})
}
