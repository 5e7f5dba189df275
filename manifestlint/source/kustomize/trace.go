package kustomize

import (
	"bytes"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/kubevet/kubevet/rules"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// tracer traces the findings of one build. It parses the output and reads files
// only if a finding needs them.
type tracer struct {
	b    *builder
	plan *plan
	out  *output

	mu sync.Mutex
	// starts and lines have the offset and the line of each document in the text.
	starts      []int
	lines       []int
	documents   map[int]*atomic.Pointer[document]
	withoutJSON *comparison
}

func newTracer(b *builder, p *plan, out *output) *tracer {
	return &tracer{b: b, plan: p, out: out, documents: map[int]*atomic.Pointer[document]{}}
}

// trace moves a finding to the file that set the field: see
// manifestlint.Input.Trace.
func (t *tracer) trace(f *rules.Finding) bool {
	t.mu.Lock()
	place := t.locate(f)
	t.mu.Unlock()
	f.File = t.plan.name(place.path)
	f.Line, f.Column, f.EndLine, f.EndColumn = place.line, place.column, place.endLine, place.endColumn
	f.Document = t.b.o.Sources.Document(f.File, f.Line)
	f.RenderedBy = []string{t.plan.root.name}
	f.Related = append(f.Related, place.related...)
	return !t.b.o.Sources.Suppressed(f)
}

// location is the position where a field was set. The related positions are in
// other files that also influenced the field.
type location struct {
	path string
	span
	related []rules.Related
}

func (t *tracer) locate(f *rules.Finding) location {
	d := t.document(f.Document)
	if d == nil || f.Document >= len(t.out.objects) {
		return t.kustomizationStart()
	}
	o := &t.out.objects[f.Document]
	n := d.nodeAt(f.Line-d.line+1, f.Column)
	if n == nil || len(o.positions) != len(d.nodes) {
		return t.kustomizationStart()
	}
	l := &lookup{t: t, d: d, o: o}
	at := l.locate(n)
	at.related = append(at.related, l.innerPatches(n)...)
	return at
}

// maxInnerPatches is the largest number of patches that are related to one
// finding.
const maxInnerPatches = 2

// innerPatches returns the locations of patches that set something within a map
// or list.
func (l *lookup) innerPatches(n *node) []rules.Related {
	if n.value != nil {
		n = n.value
	}
	if n.Kind == yaml.ScalarNode || n.parent == nil {
		return nil
	}
	var all []rules.Related
	seen := map[*numberedDocument]bool{}
	for _, m := range l.d.nodes[n.order+1:] {
		if !m.isWithin(n) || len(all) == maxInnerPatches {
			break
		}
		if m.Kind != yaml.ScalarNode || m.value != nil {
			continue
		}
		s, src, ok := l.source(m)
		if !ok || seen[s] || l.t.plan.patchIn(s) == nil {
			continue
		}
		if _, ok := l.fromRepeated(m, s, src.node); ok {
			continue
		}
		seen[s] = true
		all = append(all, l.related(location{path: s.path, span: s.span(src.node)}, "a patch sets this"))
	}
	return all
}

// isWithin reports whether a node is within the node top.
func (n *node) isWithin(top *node) bool {
	for at := n.parent; at != nil; at = at.parent {
		if at == top {
			return true
		}
	}
	return false
}

// kustomizationStart returns the beginning of the kustomization.
func (t *tracer) kustomizationStart() location {
	return location{path: t.plan.root.path, span: span{1, 1, 1, 2}}
}

// document parses document i of the output, or returns it from the cache.
func (t *tracer) document(i int) *document {
	slot := t.documents[i]
	if slot == nil {
		slot = &atomic.Pointer[document]{}
		t.documents[i] = slot
	}
	if d := slot.Load(); d != nil {
		return d
	}
	if t.starts == nil {
		t.splitOutput()
	}
	if i < 0 || i >= len(t.starts) {
		return nil
	}
	end := len(t.out.text)
	if i+1 < len(t.starts) {
		end = t.starts[i+1]
	}
	d := readDocument(t.out.text[t.starts[i]:end], t.lines[i])
	if d != nil {
		slot.Store(d)
		t.b.trees.add(end-t.starts[i], func() { slot.Store(nil) })
	}
	return d
}

// splitOutput finds the offsets of the documents in the output.
func (t *tracer) splitOutput() {
	marker := []byte("---\n")
	line := 1
	t.starts, t.lines = []int{0}, []int{1}
	for at := 0; at < len(t.out.text); {
		end := bytes.IndexByte(t.out.text[at:], '\n') + 1
		if end == 0 {
			break
		}
		if bytes.HasPrefix(t.out.text[at:], marker) {
			t.starts, t.lines = append(t.starts, at), append(t.lines, line)
		}
		at, line = at+end, line+1
	}
}

// lookup finds the origin of fields of one object.
type lookup struct {
	t *tracer
	d *document
	o *object
}

// locate returns the location where a node was set: in the document from which
// the node was parsed, or in a kustomization. If both are unknown, it is the
// location of the nearest node with a known origin.
func (l *lookup) locate(n *node) location {
	if at, ok := l.fromSource(n); ok {
		return at
	}
	value := n
	if n.value != nil {
		value = n.value
	}
	if at, ok := l.fromKustomization(value); ok {
		return at
	}
	if at, ok := l.fromKey(n, l.source); ok {
		return at
	}
	if at, ok := l.fromCopy(n); ok {
		return at
	}
	if at, ok := l.fromComparison(n); ok {
		return at
	}
	if at, ok := l.fromKey(n, l.sourceInComparison); ok {
		return at
	}
	for parent := n.parent; parent != nil; parent = parent.parent {
		if parent.key != nil {
			if at, ok := l.fromSource(parent.key); ok {
				return at
			}
		}
		if at, ok := l.fromSource(parent); ok {
			return at
		}
		if at, ok := l.fromComparison(parent); ok {
			return at
		}
	}
	return l.generated()
}

// source returns the document from which a node was parsed, and the node in it.
func (l *lookup) source(n *node) (*numberedDocument, *sourceNode, bool) {
	m := l.o.positions[n.order]
	s, line := l.t.plan.numbering.find(int(m.line))
	if s == nil {
		return nil, nil, false
	}
	src := s.at(line, int(m.column), n.Node)
	return s, src, src != nil
}

func (l *lookup) fromSource(n *node) (location, bool) {
	s, src, ok := l.source(n)
	if !ok {
		return location{}, false
	}
	if at, ok := l.fromRepeated(n, s, src.node); ok {
		return at, true
	}
	return l.locationIn(s, src.node), true
}

// fromRepeated finds fields that a patch must repeat, such as the apiVersion
// and the name of the object. It returns their location in the patched object.
func (l *lookup) fromRepeated(n *node, s *numberedDocument, src *yaml.Node) (location, bool) {
	if l.t.plan.patchIn(s) == nil || n.Kind != yaml.ScalarNode {
		return location{}, false
	}
	base := l.objectDocument()
	if base == nil || base == s || base.parse().root == nil {
		return location{}, false
	}
	path := n.path()
	if len(path) == 0 {
		return location{}, false
	}
	value := n
	if n.value != nil {
		value = n.value
	}
	at, ok := base.value(base.parse().root, path, value.Node, n.value != nil)
	if !ok || at.Kind != yaml.ScalarNode {
		return location{}, false
	}
	f := l.locationIn(base, at)
	f.related = append(f.related, l.related(location{path: s.path, span: s.span(src)}, "a patch says the same"))
	return f, true
}

// fromKey finds a value that a transformer changed. It returns the location of
// the original value, which has the same key in the file.
func (l *lookup) fromKey(n *node, findSource func(*node) (*numberedDocument, *sourceNode, bool)) (location, bool) {
	if n.key == nil {
		return location{}, false
	}
	s, src, ok := findSource(n.key)
	if !ok {
		return location{}, false
	}
	if src.value != nil && src.value.Kind == yaml.ScalarNode {
		return l.locationIn(s, src.value), true
	}
	return l.locationIn(s, src.node), true
}

// locationIn returns the location of a node in a numbered document. If the
// document is a patch, the patched object is a related location.
func (l *lookup) locationIn(s *numberedDocument, n *yaml.Node) location {
	if chart, ok := l.t.plan.chartEntries[s.path]; ok {
		return chart
	}
	at := location{path: s.path, span: s.span(n)}
	k := l.t.plan.patchIn(s)
	if k == nil {
		return at
	}
	if base, ok := l.objectLocation(); ok && base.path != at.path {
		at.related = append(at.related, l.related(base, fmt.Sprintf("%s, which the patch changes", l.describe())))
	}
	if k.path != s.path {
		if use, ok := k.patchEntry(l.t.plan, s.path); ok {
			at.related = append(at.related, l.related(use, "the patch is applied here"))
		}
	}
	return at
}

func (l *lookup) related(at location, message string) rules.Related {
	return rules.Related{
		File: l.t.plan.name(at.path), Line: at.line, Column: at.column,
		EndLine: at.endLine, EndColumn: at.endColumn, Message: message,
	}
}

func (l *lookup) describe() string { return objectHead{kind: l.o.kind, name: l.o.name}.describe() }

// objectLocation returns the location of the object, which is its kind.
func (l *lookup) objectLocation() (location, bool) {
	s := l.objectDocument()
	if s == nil {
		return location{}, false
	}
	if chart, ok := l.t.plan.chartEntries[s.path]; ok {
		return chart, true
	}
	if at := s.head().at; at.line > 0 {
		return location{path: s.path, span: at}, true
	}
	return location{path: s.path, span: span{s.line, 1, s.line, 2}}, true
}

// objectDocument returns the document from which the object was parsed; nil if
// unknown.
func (l *lookup) objectDocument() *numberedDocument {
	if l.d.nodes == nil {
		return nil
	}
	for _, n := range l.d.nodes {
		if n.key == nil || n.parent.parent != nil || n.key.Value != "kind" {
			continue
		}
		for _, by := range [...]func(*node) (*numberedDocument, *sourceNode, bool){l.source, l.sourceInComparison} {
			if s, _, ok := by(n.key); ok {
				return s
			}
		}
	}
	return nil
}

// patchEntry returns the location of the kustomization's entry for a patch
// file.
func (k *kustomization) patchEntry(p *plan, path string) (location, bool) {
	named := func(entry string) bool { return entry != "" && k.links.physical(join(k.dir, entry)) == path }
	for i, patch := range k.Patches {
		if named(patch.Path) {
			return location{path: k.path, span: k.places.span("patches", i, "path")}, true
		}
	}
	for i, patch := range k.PatchesJson6902 {
		if named(patch.Path) {
			return location{path: k.path, span: k.places.span("patchesJson6902", i, "path")}, true
		}
	}
	for i, patch := range k.PatchesStrategicMerge {
		if named(string(patch)) {
			return location{path: k.path, span: k.places.span("patchesStrategicMerge", i)}, true
		}
	}
	return location{}, false
}
