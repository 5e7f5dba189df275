package kustomize

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/kubevet/kubevet/rules"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/openapi"
	"sigs.k8s.io/yaml"
)

// outcome is the result of the build of one kustomization.
type outcome struct {
	failed    bool
	findings  []rules.Finding
	notJudged []rules.NotJudged
	// text is the output of kustomize. trace changes the position of a finding
	// from the output to the file that set the field, and reports whether the
	// new position is exact.
	text  []byte
	trace func(*rules.Finding) bool
	// resources are the files whose objects are in the output. others are the
	// other files that the build used.
	resources, others []string
	// files are all files that the build read, and the directories of the
	// kustomizations.
	files []string
}

// schemas guards kustomize's Kubernetes schema, which is in global variables. A
// kustomization with its own schema changes these variables, so no other build
// may run at the same time.
var schemas sync.RWMutex

// build builds one kustomization.
func (b *builder) build(k *kustomization) *outcome {
	r := &outcome{failed: true}
	p, failed := b.newPlan(k, false)
	for _, left := range p.left {
		r.notJudged = append(r.notJudged, left.notJudged())
	}
	var out *product
	if failed == nil {
		if b.late.Load() >= maxLate {
			failed = k.lacks(rules.SkipNotRendered, span{}, "several kustomizations took too long; this one was not tried")
		} else {
			out, failed = b.run(p)
		}
	}
	if failed != nil {
		switch {
		case failed.known:
		case failed.reason != "":
			r.notJudged = append(r.notJudged, failed.notJudged())
		case len(p.left) > 0:
			// A missing part, such as a remote resource, may be the only cause
			// of the failure.
			failed.reason = rules.SkipNotRendered
			r.notJudged = append(r.notJudged, failed.notJudged())
		default:
			f := failed.finding(k.name)
			if !b.o.Sources.Suppressed(&f) {
				r.findings = append(r.findings, f)
			}
		}
		return r
	}
	r.failed = false
	r.text = out.text
	r.trace = newTracer(b, p, out).trace
	for path := range out.read {
		r.files = append(r.files, path)
		if p.plain[path] {
			r.resources = append(r.resources, path)
		} else if !p.data[path] {
			r.others = append(r.others, path)
		}
	}
	for _, used := range p.all {
		r.others = append(r.others, used.path)
		r.files = append(r.files, used.dir)
	}
	slices.Sort(r.resources)
	slices.Sort(r.others)
	return r
}

// maxLate is the number of builds that may exceed Options.Timeout. After that,
// no other kustomization is built, so that a hostile repository cannot use
// unlimited time.
const maxLate = 4

// product is the output of kustomize.
type product struct {
	text []byte
	// objects has the objects in text, with the positions of their nodes in the
	// files.
	objects []object
	read    map[string]bool
}

// run runs kustomize for a plan.
func (b *builder) run(p *plan) (*product, *failure) {
	ctx, cancel := context.WithTimeout(b.ctx, b.o.Timeout)
	defer cancel()
	d := &disk{
		ctx: ctx, boundary: p.root.boundary, served: p.served, lines: p.lines, read: map[string]bool{}, links: b.graph.links,
		number: func(path string) bool { return !p.data[path] },
	}
	type answer struct {
		product *product
		err     error
	}
	done := make(chan answer, 1)
	go func() {
		out, err := b.krusty(p, d)
		done <- answer{out, err}
	}()
	select {
	case a := <-done:
		switch {
		case b.ctx.Err() != nil:
			return nil, p.root.lacks(rules.SkipNotRendered, span{}, "interrupted")
		case d.refused != nil:
			return nil, p.root.lacks(rules.SkipNotRendered, span{}, d.refused.Error())
		case a.err != nil:
			return nil, p.explain(a.err)
		}
		a.product.read = d.read
		p.lines.files = nil
		return a.product, nil
	case <-ctx.Done():
		if b.ctx.Err() != nil {
			return nil, p.root.lacks(rules.SkipNotRendered, span{}, "interrupted")
		}
		b.late.Add(1)
		// kustomize cannot be stopped. It goes on until it reads the next file,
		// or until the process ends.
		return nil, p.root.lacks(rules.SkipNotRendered, span{}, fmt.Sprintf("building it takes more than %s", b.o.Timeout))
	}
}

// krusty calls the kustomize library. If the library panics, krusty returns an
// error.
func (b *builder) krusty(p *plan, d *disk) (out *product, err error) {
	defer func() {
		if r := recover(); r != nil {
			out, err = nil, fmt.Errorf("kustomize gave up: %v", r)
		}
	}()
	if p.ownSchema() {
		schemas.Lock()
		defer schemas.Unlock()
		defer openapi.ResetOpenAPI()
	} else {
		schemas.RLock()
		defer schemas.RUnlock()
	}
	o := &krusty.Options{
		Reorder:          krusty.ReorderOptionUnspecified,
		LoadRestrictions: types.LoadRestrictionsRootOnly,
		PluginConfig:     types.DisabledPluginConfig(),
	}
	if b.o.Anywhere {
		o.LoadRestrictions = types.LoadRestrictionsNone
	}
	if b.o.EnableHelm && b.o.HelmCommand != "" {
		o.PluginConfig.HelmConfig = types.HelmConfig{Enabled: true, Command: b.o.HelmCommand}
	}
	m, err := krusty.MakeKustomizer(o).Run(d, p.root.dir)
	if err != nil {
		return nil, err
	}
	return newProduct(m)
}

// ownSchema reports whether one of the plan's kustomizations has its own
// schema.
func (p *plan) ownSchema() bool {
	return slices.ContainsFunc(p.all, func(k *kustomization) bool { return len(k.OpenAPI) > 0 })
}

var errOutput = errors.New("what it builds to is larger than 64 MB")

func newProduct(m resmap.ResMap) (*product, error) {
	out := &product{}
	for i, r := range m.Resources() {
		if i > 0 {
			out.text = append(out.text, "---\n"...)
		}
		text, err := asYAML(r)
		if err != nil {
			return nil, err
		}
		out.objects = append(out.objects, newObject(r))
		out.text = append(out.text, text...)
		if len(out.text) > maxBytes {
			return nil, errOutput
		}
	}
	out.text = bytes.Clone(out.text) // without spare capacity, because the text stays in memory
	return out, nil
}

// asYAML returns the same text as resource.AsYAML in half the time. AsYAML
// writes the object as YAML and parses the YAML before it converts the values.
func asYAML(r *resource.Resource) ([]byte, error) {
	var value map[string]any
	if err := r.YNode().Decode(&value); err != nil {
		return nil, err
	}
	return yaml.Marshal(value)
}
