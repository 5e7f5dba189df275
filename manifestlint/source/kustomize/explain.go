package kustomize

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
)

// These expressions match what kustomize puts before an error, for each
// kustomization and each attempt to read it.
var (
	errorPrefix = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:accumulating (?:resources|components)|recursed accumulation of path '[^']*'|recursed merging from path '[^']*'|accumulating resources from '[^']*'|merging resources from '[^']*'|couldn't make target for path '[^']*'|accumulateDirectory): `)
	})
	firstTry   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`accumulation err='(?:[^']|'[^']*')*?': `) })
	configured = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("(?s)with config: `\n.*?`: ") })
	objectID   = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`([A-Z][A-Za-z]*)\.[A-Za-z0-9]+(?:\.[A-Za-z0-9.]+|\.\[noGrp\])?/([^\s.\]"/]+)\.(\[noNs\]|[^\s"\]]+)`)
	})
)

// explain converts an error of kustomize to a failure with the innermost
// message, at the entry or patch that caused it.
func (p *plan) explain(err error) *failure {
	full := err.Error()
	text := firstTry().ReplaceAllString(full, "")
	for {
		shorter := errorPrefix().ReplaceAllString(text, "")
		if shorter == text {
			break
		}
		text = shorter
	}
	text, _, _ = strings.Cut(text, ": [{\"") // whole objects
	text = configured().ReplaceAllString(text, "with this configuration: ")
	at := p.locate(full, text)
	for _, k := range p.kustomizations {
		text = strings.ReplaceAll(text, k.dir+string(filepath.Separator), "")
		text = strings.ReplaceAll(text, "'"+k.dir+"'", "'"+k.dirName()+"'")
	}
	if root := p.root.boundary; root != "" {
		text = strings.ReplaceAll(text, root+string(filepath.Separator), "")
	}
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > 400 {
		text = string(r[:400]) + "…"
	}
	at.text = "kustomize does not build this: " + text
	return at
}

// locate returns a failure without text, at the location of an error of
// kustomize. The location is the first one of these that is known:
//
//   - the variable, the field namespace or the patch that text is about
//   - the entry of a kustomization that full names last
//   - the root kustomization
func (p *plan) locate(full, text string) *failure {
	best, cause := -1, p.root.mistake(span{}, "")
	consider := func(k *kustomization, at span, words string) {
		if words == "" || len(words) > maxPath {
			return
		}
		for _, quoted := range [...]string{"'" + words + "'", filepath.Join(k.dir, words)} {
			if i := strings.LastIndex(full, quoted); i > best {
				best, cause = i, k.mistake(at, "")
			}
		}
	}
	for _, k := range p.kustomizations {
		if i := strings.LastIndex(full, "'"+k.dir+"'"); i > best {
			best, cause = i, k.mistake(span{}, "")
		}
		for i, entry := range k.Resources {
			consider(k, k.places.span("resources", i), entry)
		}
		for i, entry := range k.Components {
			consider(k, k.places.span("components", i), entry)
		}
		for i, patch := range k.Patches {
			consider(k, k.places.span("patches", i, "path"), patch.Path)
		}
		for i, patch := range k.PatchesJson6902 {
			consider(k, k.places.span("patchesJson6902", i, "path"), patch.Path)
		}
		for i, patch := range k.PatchesStrategicMerge {
			consider(k, k.places.span("patchesStrategicMerge", i), string(patch))
		}
	}
	for _, k := range p.kustomizations {
		for i, v := range k.Vars {
			if v.Name != "" && strings.Contains(text, "var '{"+v.Name+" ") {
				return k.mistake(k.places.span("vars", i, "name"), "")
			}
		}
		if k.Namespace != "" && strings.HasPrefix(text, "namespace transformation") {
			return k.mistake(k.places.span("namespace"), "")
		}
	}
	if strings.Contains(text, "patch") || strings.Contains(text, "no matches for Id") || strings.Contains(text, "find unique target") {
		if at, ok := p.patchOf(text); ok {
			return at
		}
	}
	return cause
}

// patchOf finds the patch for an object that an error names. The patch contains
// the object's name, or has the object as its target.
func (p *plan) patchOf(text string) (*failure, bool) {
	for _, m := range objectID().FindAllStringSubmatch(text, -1) {
		kind, name := m[1], m[2]
		for i := range p.numbering.documents {
			s := &p.numbering.documents[i]
			k := p.patchIn(s)
			if k == nil {
				continue
			}
			if o := s.head(); o.kind == kind && o.name == name {
				return &failure{name: p.name(s.path), span: o.at}, true
			}
		}
		for _, k := range p.kustomizations {
			for _, list := range [...]struct {
				field string
				n     int
			}{{"patches", len(k.Patches)}, {"patchesJson6902", len(k.PatchesJson6902)}} {
				all := k.Patches
				if list.field == "patchesJson6902" {
					all = k.PatchesJson6902
				}
				for i, patch := range all {
					if t := patch.Target; t != nil && t.Name == name && (t.Kind == "" || t.Kind == kind) {
						return k.mistake(k.places.span(list.field, i, "target", "name"), ""), true
					}
				}
			}
		}
	}
	return nil, false
}

// patchIn returns the kustomization that uses a numbered document as a patch;
// nil if the document is not a patch.
func (p *plan) patchIn(s *numberedDocument) *kustomization {
	if k := p.patchFiles[s.path]; k != nil {
		return k
	}
	for _, k := range p.kustomizations {
		if k.path == s.path {
			return k
		}
	}
	return nil
}

// name returns the path of a file of the plan as the user would type it.
func (p *plan) name(path string) string {
	if p.graphName == nil {
		return path
	}
	return p.graphName(path)
}

// describe returns the name of an object for messages, such as Deployment web.
func (o objectHead) describe() string {
	if o.name == "" {
		return o.kind
	}
	return fmt.Sprintf("%s %s", o.kind, o.name)
}
