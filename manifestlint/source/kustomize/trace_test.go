package kustomize

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/manifestlint/source"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// TestTraceEveryValue builds all kustomizations of the corpus and traces each
// value of the output. The position must have this value, or must be the field
// of a kustomization that sets it.
func TestTraceEveryValue(t *testing.T) {
	all, exact, field, near, wrong := 0, 0, 0, 0, 0
	tree := corpus(t)
	inputs, _ := source.Expand([]string{tree}, source.Options{NoGitignore: true})
	o := Options{Name: func(p string) string { return p }, Timeout: DefaultTimeout, Sources: noSources()}
	g := newGraph(inputs, &o)
	b := &builder{ctx: context.Background(), o: &o, graph: g}
	files := map[string][]string{}
	for _, k := range g.list {
		p, failed := b.newPlan(k, false)
		if failed != nil {
			continue
		}
		out, failed := b.run(p)
		if failed != nil {
			continue
		}
		kustomizations := map[string]bool{}
		for _, k := range p.kustomizations {
			kustomizations[k.path] = true
		}
		tr := newTracer(b, p, out)
		for i := range out.objects {
			d := tr.document(i)
			if d == nil || len(d.nodes) != len(out.objects[i].positions) {
				t.Errorf("%s: document %d has %d marks", k.path, i, len(out.objects[i].positions))
				continue
			}
			l := &lookup{t: tr, d: d, o: &out.objects[i]}
			for _, n := range d.nodes {
				if n.Kind != yaml.ScalarNode || n.value != nil || strings.Contains(n.Value, "\n") || n.Value == "" {
					continue
				}
				all++
				at := l.locate(n)
				if files[at.path] == nil {
					text, _ := os.ReadFile(at.path)
					files[at.path] = strings.Split(string(text), "\n")
				}
				if at.line < 1 || at.line > len(files[at.path]) {
					t.Errorf("%s: %v is at %s:%d, which does not exist", k.path, n.path(), at.path, at.line)
					continue
				}
				line := files[at.path][at.line-1]
				if r := []rune(line); at.column >= 1 && at.column <= len(r) {
					line = string(r[at.column-1:])
				}
				line = strings.TrimLeft(line, `"'`)
				switch {
				case strings.HasPrefix(line, n.Value), len(n.Value) > 40 && strings.HasPrefix(line, n.Value[:20]), strings.HasPrefix(line, ">"), strings.HasPrefix(line, "|"):
					exact++
				case kustomizations[at.path]:
					field++
					if field%200 == 1 {
						t.Logf("made: %v = %.40q: %s:%d:%d %.50q", n.path(), n.Value, at.path, at.line, at.column, line)
					}
				case n.key != nil && strings.HasPrefix(line, n.key.Value), strings.Contains(n.Value, strings.Fields(strings.Trim(line, `"'`) + " \x00")[0]):
					near++
				default:
					wrong++
					if wrong%25 == 1 {
						t.Logf("other: %s: %s %s: %v = %.40q: %s:%d:%d %.50q", k.path, l.o.kind, l.o.name, n.path(), n.Value, at.path, at.line, at.column, line)
					}
				}
			}
		}
	}
	t.Logf("%d values: %d at their place, %d at a field of a kustomization, %d at their key or what they were, %d at another place", all, exact, field, near, wrong)
	if wrong*50 > all {
		t.Errorf("more than 2 of 100 values are traced to a place that does not have them")
	}
}
