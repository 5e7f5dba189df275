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

type outcome struct {
	failed    bool
	findings  []rules.Finding
	notJudged []rules.NotJudged
	// text is the output of kustomize. trace moves the position of a finding from
	// the output to the file that set the field, and reports whether the new
	// position is exact.
	text  []byte
	trace func(*rules.Finding) bool
	// resources are the files whose objects are in the output. otherFiles are the
	// other files that the build used.
	resources, otherFiles []string
	// files are all files that the build read, and the directories of the
	// kustomizations.
	files []string
}

// schemas guards kustomize's Kubernetes schema, which is in global variables.
// The build of a kustomization with its own schema changes these variables, so
// no other build may run at the same time.
var schemas sync.RWMutex

func (b *builder) build(k *kustomization) *outcome {
	r := &outcome{failed: true}
	p, failed := b.newPlan(k, false)
	for _, left := range p.skipped {
		r.notJudged = append(r.notJudged, left.notJudged())
	}
	var out *output
	if failed == nil {
		if b.timedOut.Load() >= maxTimedOut {
			failed = k.unsupported(rules.SkipNotRendered, span{}, "several kustomizations took too long; this one was not tried")
		} else {
			out, failed = b.run(p)
		}
	}
	if failed != nil {
		switch {
		case failed.reported:
		case failed.reason != "":
			r.notJudged = append(r.notJudged, failed.notJudged())
		case len(p.skipped) > 0:
			// A missing part, such as a remote resource, may be the only cause of the
			// failure.
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
		if p.resourceFiles[path] {
			r.resources = append(r.resources, path)
		} else if !p.dataFiles[path] {
			r.otherFiles = append(r.otherFiles, path)
		}
	}
	for _, used := range p.kustomizations {
		r.otherFiles = append(r.otherFiles, used.path)
		r.files = append(r.files, used.dir)
	}
	slices.Sort(r.resources)
	slices.Sort(r.otherFiles)
	return r
}

// maxTimedOut is the number of builds that may exceed Options.Timeout. Then
// building stops, so that a hostile repository cannot use unlimited time.
const maxTimedOut = 4

type output struct {
	text []byte
	// objects has the objects in text, with the positions of their nodes in the
	// files.
	objects []object
	read    map[string]bool
}

// run runs kustomize for a plan.
func (b *builder) run(p *plan) (*output, *failure) {
	ctx, cancel := context.WithTimeout(b.ctx, b.o.Timeout)
	defer cancel()
	d := &disk{
		ctx: ctx, boundary: p.root.boundary, replaced: p.texts, lines: p.numbering, read: map[string]bool{}, links: b.graph.links,
		needsNumbers: func(path string) bool { return !p.dataFiles[path] },
	}
	type answer struct {
		product *output
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
			return nil, p.root.unsupported(rules.SkipNotRendered, span{}, "interrupted")
		case d.refused != nil:
			return nil, p.root.unsupported(rules.SkipNotRendered, span{}, d.refused.Error())
		case a.err != nil:
			return nil, p.explain(a.err)
		}
		a.product.read = d.read
		p.numbering.files = nil
		return a.product, nil
	case <-ctx.Done():
		if b.ctx.Err() != nil {
			return nil, p.root.unsupported(rules.SkipNotRendered, span{}, "interrupted")
		}
		b.timedOut.Add(1)
		// kustomize cannot be stopped. It continues until it reads the next file,
		// or until the process ends.
		return nil, p.root.unsupported(rules.SkipNotRendered, span{}, fmt.Sprintf("building it takes more than %s", b.o.Timeout))
	}
}

// krusty calls the kustomize library. It converts a panic of the library to an
// error.
func (b *builder) krusty(p *plan, d *disk) (out *output, err error) {
	defer func() {
		if r := recover(); r != nil {
			out, err = nil, fmt.Errorf("kustomize gave up: %v", r)
		}
	}()
	if p.hasOwnSchema() {
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

func (p *plan) hasOwnSchema() bool {
	return slices.ContainsFunc(p.kustomizations, func(k *kustomization) bool { return len(k.OpenAPI) > 0 })
}

var errOutput = errors.New("what it builds to is larger than 64 MB")

func newProduct(m resmap.ResMap) (*output, error) {
	out := &output{}
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
// writes the object as YAML and parses it again.
func asYAML(r *resource.Resource) ([]byte, error) {
	var value map[string]any
	if err := r.YNode().Decode(&value); err != nil {
		return nil, err
	}
	return yaml.Marshal(value)
}
