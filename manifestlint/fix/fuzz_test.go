package fix

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/kubevet/kubevet/rules/apiserver/conversion"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// parse returns the tree of a document that Edits uses.
func parse(d *Document) (*wire.Value, error) {
	l, err := d.layout(d.Text)
	if err != nil {
		return nil, err
	}
	return l.tree, nil
}

// paths returns the paths of all values of a tree.
func paths(v *wire.Value, p conversion.Path, all []conversion.Path) []conversion.Path {
	if len(p) > 0 {
		all = append(all, p)
	}
	for _, f := range v.Fields {
		all = paths(f.Value, p.Field(f.Name), all)
	}
	for i, item := range v.Items {
		all = paths(item, p.Item(i), all)
	}
	return all
}

// randomSteps returns random steps for a tree. Each step is possible after the
// steps before it.
func randomSteps(r *rand.Rand, root *wire.Value) []conversion.Step {
	var steps []conversion.Step
	names := []string{"a", "new", "x y", "80", "é", "null", "#c", "yes"}
	values := []*wire.Value{
		str("v"), str("1"), str("a: b"), str(""), str("two\nlines"), str("tab\t'quote\""), num("7"), {Kind: wire.Bool, Text: "true"}, {},
		object(), list(), object(field("k", str("v")), field("l", list(num("1"), object(field("m", str("true"))), list()))), list(str("x"), list(str("z"))),
	}
	for range 1 + r.IntN(4) {
		all := paths(root, nil, nil)
		if len(all) == 0 {
			return steps
		}
		from, to := all[r.IntN(len(all))], all[r.IntN(len(all))]
		if r.IntN(4) == 0 {
			to = nil
		}
		name := names[r.IntN(len(names))]
		s := conversion.Step{Op: conversion.Op(1 + r.IntN(5)), Path: from}
		switch s.Op {
		case conversion.Set:
			s.Value = values[r.IntN(len(values))]
			switch {
			case r.IntN(3) > 0:
				s.Path = to.Field(name)
			case to.Value(root) != nil && to.Value(root).Kind == wire.List:
				s.Path = to.Item(len(to.Value(root).Items))
			}
			s.Before = names[r.IntN(len(names))]
		case conversion.Move, conversion.Copy:
			s.To = to.Field(name)
			if r.IntN(3) == 0 {
				s.To = s.To.Field("deep", "er")
			}
			if r.IntN(5) == 0 {
				s.To = s.To.Item(0)
			}
		case conversion.Rename:
			s.Name = name
		}
		next, err := conversion.Apply(root, []conversion.Step{s})
		if err != nil {
			continue
		}
		root = next
		steps = append(steps, s)
	}
	return steps
}

// seeds are the first texts of the fuzz test.
var seeds = []string{
	"a: 1\nb:\n  c: x # note\n  d:\n  - 1\n  - e: f\n    g: |\n      text\n\n  # end\nh: {i: [j, k], l: }\n",
	"---\r\na:\r\n- - 1\r\n  - 2\r\n- b: 'q''q'\r\n  c: \"d\\\"\"\r\n",
	"{\"a\": {\"b\": [1, 2.5, true, null, {\"c\": \"d\"}]}, \"e\": \"f\"}",
	"{\n  \"a\": [\n    1,\n    {\"b\": 2}\n  ]\n}\n",
	"a: &x {b: c}\nd: *x\ne:\n  <<: *x\n  f: !!str 1\n",
	"a:\n    b: >-\n        folded\n        text\n    c: plain\n      goes on\n    d:\n# odd\n    e: 1\nf:",
	"? a\n: b\nc: [a: b, ? d]\n",
	"a: # one\n\n  # two\n  b: # three\n    - x # four\n    # five\n    -\n      y: z\n",
	"- a\n- b:\n    c\n",
	"é: ü # ö\n\"q\": {\n  a: 1, # c\n  b: [],\n}\n",
	"spec:\n  a: {}\n  b: []\n  c:\n  d: ~\n",
	"a: |+\n  x\n\n\nb: |2\n   y\n",
	"a:\n  - b: 1\n    # x\n    c: 2\n  # y\n  - d\n...\n",
}

// FuzzEdits applies random steps to a document. If they are not refused, the
// edits must be inside the text, in order and must not touch. The edited text
// must parse, and must be equal to the result of the steps.
func FuzzEdits(f *testing.F) {
	for _, seed := range seeds {
		for i := range uint64(8) {
			f.Add([]byte(seed), i, false)
			f.Add([]byte(seed), i, true)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, seed uint64, json bool) {
		if len(text) > 4096 || !utf8.Valid(text) {
			return
		}
		d := &Document{Text: text, JSON: json}
		root, err := parse(d)
		if err != nil || root.Kind != wire.Map {
			return
		}
		steps := randomSteps(rand.New(rand.NewPCG(seed, 1)), root)
		want, err := conversion.Apply(root, steps)
		if err != nil {
			t.Fatal(err)
		}
		edits, err := d.Edits(steps)
		if err != nil {
			var refusal *Refusal
			if !errors.As(err, &refusal) || refusal.Reason == "" || strings.Contains(refusal.Reason, "could not be followed (") {
				t.Fatalf("%q, %v: %v", text, steps, err)
			}
			return
		}
		at := -1
		for _, e := range edits {
			if e.Start <= at || e.End < e.Start || e.End > len(text) || e.Start == e.End && e.New == "" {
				t.Fatalf("%q, %v: edits %v", text, steps, edits)
			}
			at = e.End
		}
		now := applyEdits(string(text), edits)
		got, err := parse(&Document{Text: []byte(now), JSON: json})
		if err != nil || !conversion.Equal(got, want) {
			t.Fatalf("%q, %v: %q: %v", text, steps, now, err)
		}
		if len(edits) > 0 && bytes.HasSuffix(text, []byte("\n")) != strings.HasSuffix(now, "\n") {
			t.Fatalf("%q, %v: %q: the line break at the end", text, steps, now)
		}
	})
}

// TestRefusals counts how many possible steps are refused. An editor that
// refuses all steps would pass the fuzz test.
func TestRefusals(t *testing.T) {
	text := "apiVersion: v1\nmetadata:\n  name: x # note\n  labels: {a: b, c: d}\nspec:\n  list:\n  - a: 1\n    b: two\n  - c: |\n      text\n  # end\n  map:\n    deep:\n      er: x\n"
	refused, total := map[string]int{}, 0
	for seed := range uint64(2000) {
		d := &Document{Text: []byte(text)}
		root, err := parse(d)
		if err != nil {
			t.Fatal(err)
		}
		steps := randomSteps(rand.New(rand.NewPCG(seed, 2)), root)
		total++
		if _, err := d.Edits(steps); err != nil {
			refused[err.Error()]++
		}
	}
	n := 0
	for _, count := range refused {
		n += count
	}
	if n*20 > total {
		t.Errorf("%d of %d refused: %v", n, total, refused)
	}
}
