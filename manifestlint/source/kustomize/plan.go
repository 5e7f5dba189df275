package kustomize

import (
	"encoding/json"
	"fmt"

	"sigs.k8s.io/kustomize/api/types"

	"github.com/kubevet/kubevet/rules"
)

// plan has the files that one build may read, and its kustomizations as kubevet
// parsed them, without remote entries. kustomize reads only files that were
// checked.
type plan struct {
	root           *kustomization
	kustomizations []*kustomization
	// texts are the kustomizations' texts for kustomize, by path.
	texts     map[string][]byte
	numbering *numbering
	// dataFiles are the files that generators read as data. patchFiles has the
	// kustomization that names each file with patches.
	dataFiles, resourceFiles map[string]bool
	patchFiles               map[string]*kustomization
	// chartEntries has the location of each chart's entry in a kustomization, by
	// the file with the rendered chart. The file exists only in the build.
	chartEntries map[string]location
	// plugins are the files with configurations of generators, transformers and
	// validators.
	plugins []string
	// graphName returns the path of a file as the user would type it.
	graphName func(path string) string
	// skipped are the entries that were left out of the build.
	skipped []*failure
	// jsonPatches is set if a kustomization of the plan has JSON patches.
	jsonPatches bool
	jsonOps     map[operationsKey]*operations
}

// newPlan plans a build. If withoutJSON is true, it leaves out JSON patches:
// see comparison.
func (b *builder) newPlan(root *kustomization, withoutJSON bool) (*plan, *failure) {
	p := &plan{
		root: root, kustomizations: b.graph.allIncluded(root), texts: map[string][]byte{}, numbering: newNumbering(&b.trees),
		graphName:    b.graph.name,
		chartEntries: map[string]location{},
		dataFiles:    map[string]bool{}, resourceFiles: map[string]bool{}, patchFiles: map[string]*kustomization{},
	}
	if len(p.kustomizations) >= maxKustomizations || b.graph.countVisits(root, map[*kustomization]int{}) > maxKustomizations {
		return p, root.unsupported(rules.SkipNotRendered, span{}, fmt.Sprintf("it builds with more than %d kustomizations", maxKustomizations))
	}
	for _, k := range p.kustomizations {
		if k.err != nil {
			return p, k.err
		}
		copied := k.Kustomization
		copied.Bases, copied.ImageTags = nil, nil // parse copied them to Resources and Images
		s := &entryChecker{plan: p, b: b, k: k, out: &copied}
		if failed := s.check(withoutJSON); failed != nil {
			return p, failed
		}
		if (withoutJSON || len(p.skipped) > 0) && copied.GeneratorOptions == nil {
			// kustomize refuses a kustomization without any entries, and all entries
			// may have been left out.
			copied.GeneratorOptions = &types.GeneratorOptions{}
		}
		text, err := json.Marshal(&copied)
		if err != nil {
			return p, k.mistake(span{}, "the kustomization cannot be read: "+err.Error())
		}
		p.texts[k.path] = text
	}
	return p, nil
}
