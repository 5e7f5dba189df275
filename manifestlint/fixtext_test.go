package manifestlint

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/kubevet/kubevet/manifestlint/fix"
	"github.com/kubevet/kubevet/rules/apiserver/conversion"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// oldIngress is a manifest that is converted in three steps for each path.
func oldIngress(paths int) string {
	var b strings.Builder
	b.WriteString(`# Copyright the authors
apiVersion: networking.k8s.io/v1beta1
kind: Ingress
metadata:
  name: web
  labels: {app: web, tier: "front"}
  annotations:
    example.com/note: |
      of several
      lines
spec:
  tls:
  - hosts: [example.com]
    secretName: web
  rules:
  - host: example.com
    http:
      paths:
`)
	for i := range paths {
		fmt.Fprintf(&b, "      - path: /%d\n        backend: # number %d\n          serviceName: web-%d\n          servicePort: 80\n", i, i, i)
	}
	return b.String()
}

// stepsOf plans the conversion of a text's object.
func stepsOf(t testing.TB, text []byte) (*wire.Value, []conversion.Step) {
	t.Helper()
	trees, failed := parseYAML(text, 1)
	if failed != nil || len(trees) != 1 {
		t.Fatalf("%q: %v", text, failed)
	}
	newest := lifecycle.Range{From: lifecycle.Newest, To: lifecycle.Newest}
	plan, _ := conversion.Of(trees[0].root, lifecycle.Target{Range: newest})
	return trees[0].root, plan.Steps
}

// BenchmarkFix makes the edits that convert an object, by way of the skimmer
// and by way of the parser, which reads the whole text behind each step.
func BenchmarkFix(b *testing.B) {
	for _, paths := range []int{1, 8, 64} {
		text := []byte(oldIngress(paths))
		root, steps := stepsOf(b, text)
		m := newFixer()
		for name, make := range map[string]func() ([]fix.Edit, error){
			"skimmer": func() ([]fix.Edit, error) { return m.edits(fix.Document{Text: text, Root: root, Line: 1}, steps) },
			"parser":  func() ([]fix.Edit, error) { return fix.Document{Text: text}.Edits(steps) },
		} {
			b.Run(fmt.Sprintf("%s/steps=%d", name, len(steps)), func(b *testing.B) {
				b.ReportAllocs()
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					if edits, err := make(); err != nil || len(edits) == 0 {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// compareEdits makes steps by way of the skimmer and by way of the parser: the
// edits must be the same, and the refusals.
func compareEdits(t *testing.T, m *fixer, text []byte, steps []conversion.Step) {
	t.Helper()
	d := fix.Document{Text: text}
	want, refused := d.Edits(steps)
	got, err := m.edits(d, steps)
	if !slices.Equal(got, want) || (err == nil) != (refused == nil) || err != nil && err.Error() != refused.Error() {
		t.Fatalf("%q, %v:\n%+v, %v\nwant %+v, %v", text, steps, got, err, want, refused)
	}
	var s skimmer
	s.triggers = &triggerSet{}
	const before = 7
	if d.Root, d.Line = s.build(text, before), before; d.Root == nil || s.end != len(text) || s.head.empty {
		return
	}
	if got, err = m.edits(d, steps); !slices.Equal(got, want) || (err == nil) != (refused == nil) {
		t.Fatalf("%q, %v: with its tree\n%+v, %v\nwant %+v, %v", text, steps, got, err, want, refused)
	}
}

// pathsOf gives the paths of all values of a tree.
func pathsOf(v *wire.Value, p conversion.Path, all []conversion.Path) []conversion.Path {
	if len(p) > 0 {
		all = append(all, p)
	}
	for _, f := range v.Fields {
		all = pathsOf(f.Value, p.Field(f.Name), all)
	}
	for i, item := range v.Items {
		all = pathsOf(item, p.Item(i), all)
	}
	return all
}

// drawnSteps gives steps that fit a tree.
func drawnSteps(r *rand.Rand, root *wire.Value) (steps []conversion.Step) {
	names := []string{"a", "new", "x y", "80", "é", "null", "#c", "on", "apiVersion"}
	text := func(s string) *wire.Value { return &wire.Value{Kind: wire.String, Text: s} }
	values := []*wire.Value{
		text("v"), text("a: b"), text(""), text("two\nlines"), text("- x"), text("*a"), {Kind: wire.Number, Text: "7"}, {Kind: wire.Map}, {Kind: wire.List},
		{Kind: wire.Map, Fields: []wire.Field{{Name: "k", Value: text("v")}, {Name: "l", Value: &wire.Value{Kind: wire.List, Items: []*wire.Value{text("&x")}}}}},
		{Kind: wire.List, Items: []*wire.Value{text("x"), {Kind: wire.Map, Fields: []wire.Field{{Name: "k", Value: text("# v")}}}}},
	}
	for range 1 + r.IntN(6) {
		all := pathsOf(root, nil, nil)
		if len(all) == 0 {
			return steps
		}
		from, to := all[r.IntN(len(all))], all[r.IntN(len(all))]
		name := names[r.IntN(len(names))]
		s := conversion.Step{Op: conversion.Op(1 + r.IntN(5)), Path: from, Name: name}
		switch s.Op {
		case conversion.Set:
			s.Value = values[r.IntN(len(values))]
			if r.IntN(3) > 0 {
				s.Path = to.Field(name)
			}
			if v := to.Value(root); v.Kind == wire.List {
				s.Path = to.Item(len(v.Items))
			}
			s.Before = names[r.IntN(len(names))]
		case conversion.Move, conversion.Copy:
			if s.To = to.Field(name); r.IntN(3) == 0 {
				s.To = to.Parent().Field(name, "deep", "er")
			}
		}
		if next, err := conversion.Apply(root, []conversion.Step{s}); err == nil {
			root = next
			steps = append(steps, s)
		}
	}
	return steps
}

// FuzzFix holds edits by way of the skimmer to those by way of the parser, and
// lets the next document find nothing of the last one.
func FuzzFix(f *testing.F) {
	for _, text := range regular {
		for i := range uint64(8) {
			f.Add([]byte(text), i)
		}
	}
	for i := range uint64(8) {
		f.Add([]byte(oldIngress(2)), i)
		f.Add([]byte(strings.ReplaceAll(oldIngress(1), "\n", "\r\n")), i)
		f.Add([]byte("a: &x {b: c}\nd: *x\ne:\n  <<: *x\n  f: !!str 1\n  g:\n  - h: 1\n    i: |+\n      x\n\n  # end\n"), i)
		f.Add([]byte("a: &x {}\nb: *x\nc: &y\n  d: 1\ne: *y\nf: &z []\n"), i)
		f.Add([]byte("a:\n- - 1\n  - b: ü\n# c\nd:\n  ? e\n  : f\n  g: \"h\n    i\"\n  j: [k,\n    l]\n"), i)
	}
	m := newFixer()
	f.Fuzz(func(t *testing.T, text []byte, seed uint64) {
		if len(text) > 4096 || !utf8.Valid(text) {
			return
		}
		root, err := fix.Document{Text: text}.Parse()
		if err != nil || root.Kind != wire.Map {
			return
		}
		compareEdits(t, m, text, drawnSteps(rand.New(rand.NewPCG(seed, 1)), root))
	})
}

// TestFixConversions compares the two ways on real conversions.
func TestFixConversions(t *testing.T) {
	m := newFixer()
	for paths := range 9 {
		for _, nl := range []string{"\n", "\r\n"} {
			for _, indent := range []bool{false, true} {
				text := strings.ReplaceAll(oldIngress(paths), "\n", nl)
				if indent {
					text = strings.TrimSuffix(text, nl)
				}
				root, steps := stepsOf(t, []byte(text))
				if root == nil || len(steps) == 0 {
					t.Fatal("no steps")
				}
				compareEdits(t, m, []byte(text), steps)
			}
		}
	}
	// One that is refused leaves nothing behind.
	var refusal *fix.Refusal
	if _, err := m.edits(fix.Document{Text: []byte("a: [b\n")}, []conversion.Step{{Op: conversion.Delete, Path: conversion.Fields("a")}}); !errors.As(err, &refusal) {
		t.Errorf("broken: %v", err)
	}
	text := []byte(oldIngress(3))
	_, steps := stepsOf(t, text)
	compareEdits(t, m, bytes.Clone(text), steps)
}
