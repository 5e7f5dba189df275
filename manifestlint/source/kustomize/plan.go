package kustomize

import (
	"encoding/json"
	"fmt"

	"sigs.k8s.io/kustomize/api/types"

	"github.com/kubevet/kubevet/rules"
)

// plan says what one build may read. It has each kustomization as kubevet
// parsed it, without remote entries. kustomize reads only files that were
// checked.
type plan struct {
	root   *kustomization
	all    []*kustomization
	served map[string][]byte
	lines  *numbering
	// data are the files that generators read as data. plain are the files with
	// resources. patches are the files with patches, with the kustomization
	// that names each file.
	data, plain map[string]bool
	patches     map[string]*kustomization
	// inflated has the location of each chart's entry in a kustomization. The
	// key is the name of the file with the rendered chart, which exists only in
	// the build.
	inflated map[string]location
	// plugins are the files with configurations of generators, transformers and
	// validators.
	plugins []string
	// graphName returns the path of a file as the user would type it.
	graphName func(path string) string
	// left are the entries that were left out of the build.
	left []*failure
	// jsonPatches is set if a kustomization of the plan has JSON patches.
	jsonPatches bool
	jsonOps     map[operationsKey]*operations
}

// newPlan plans a build. With withoutJSON, it leaves out JSON patches: see
// comparison.
func (b *builder) newPlan(root *kustomization, withoutJSON bool) (*plan, *failure) {
	p := &plan{
		root: root, all: b.graph.reach(root), served: map[string][]byte{}, lines: newNumbering(&b.trees),
		graphName: b.graph.name,
		inflated:  map[string]location{},
		data:      map[string]bool{}, plain: map[string]bool{}, patches: map[string]*kustomization{},
	}
	if len(p.all) >= maxKustomizations || b.graph.visits(root, map[*kustomization]int{}) > maxKustomizations {
		return p, root.lacks(rules.SkipNotRendered, span{}, fmt.Sprintf("it builds with more than %d kustomizations", maxKustomizations))
	}
	for _, k := range p.all {
		if k.err != nil {
			return p, k.err
		}
		served := k.Kustomization
		served.Bases, served.ImageTags = nil, nil // parse copied them to Resources and Images
		s := &step{plan: p, b: b, k: k, out: &served}
		if failed := s.check(withoutJSON); failed != nil {
			return p, failed
		}
		if (withoutJSON || len(p.left) > 0) && served.GeneratorOptions == nil {
			// kustomize refuses a kustomization without any entries, and all
			// entries may have been left out.
			served.GeneratorOptions = &types.GeneratorOptions{}
		}
		text, err := json.Marshal(&served)
		if err != nil {
			return p, k.fails(span{}, "the kustomization cannot be read: "+err.Error())
		}
		p.served[k.path] = text
	}
	return p, nil
}
