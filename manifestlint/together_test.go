package manifestlint

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// pieces are documents of which the test makes inputs.
var pieces = []string{
	"apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n",
	"apiVersion: x.io/v1\nkind: One\nmetadata:\n  name: b\n",
	"apiVersion: x.io/v2\nkind: Two\nmetadata:\n  name: c\n  managedFields: []\n",
	"apiVersion: x.io/v1\nkind: Two\nmetadata:\n  name: d\n",
	"apiVersion: x.io/v1\nkind: Never\nmetadata:\n  name: e\nmark: 1\n",
	"apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: ones.x.io\nspec:\n  names:\n    kind: One\n",
	"apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: twos.x.io}\nspec: {names: {kind: Two}}\n",
	"apiVersion: v1\nkind: List\nitems:\n- apiVersion: apiextensions.k8s.io/v1\n  kind: CustomResourceDefinition\n  metadata:\n    name: listed.x.io\n  spec:\n    names:\n      kind: Listed\n- apiVersion: x.io/v1\n  kind: Listed\n",
	"apiVersion: x.io/v1\nkind: Listed\nmetadata:\n  name: f # kubevet:ignore deprecatedapi\n",
	`{"apiVersion": "x.io/v1", "kind": "One", "metadata": {"name": "g"}}` + "\n",
	`{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "j.x.io"},` + "\n" + `"spec": {"names": {"kind": "J"}}}{"apiVersion": "x.io/v1", "kind": "J"}` + "\n",
	"# CustomResourceDefinition\n",
	"a: [\n",
	"a: &a CustomResourceDefinition\nkind: *a\napiVersion: apiextensions.k8s.io/v1\nspec: {names: {kind: Never}}\n",
	"{{ if .x }}\napiVersion: x.io/v1\nkind: One\n",
	"kind: CustomResourceDefinition # {{ .y }}\napiVersion: apiextensions.k8s.io/v1\n{{ end }}\n",
	"apiVersion: v1\nkind: ConfigMap\ndata:\n  a.yaml: |\n    apiVersion: x.io/v1\n    kind: One\n",
}

// definedKinds are what the checks of the test know of other objects.
type definedKinds map[string]bool

func (d definedKinds) checks() []Check {
	found := func(word string) func(p *Pass) {
		return func(p *Pass) {
			p.Report(Span{}, rules.Finding{Message: word + " " + p.Object.Kind + " " + p.Object.Name})
		}
	}
	applies := func(o *Object) bool { return !o.Known && d[o.Kind] }
	return []Check{kinds, marks,
		{Rule: "deprecatedapi", Others: Definitions, Body: found("defined"), Applies: applies, Triggers: func(lifecycle.Target) [][]Trigger { return nil }},
		{Rule: "disabledapi", Others: Definitions, Body: found("written"), Applies: applies, Triggers: func(lifecycle.Target) [][]Trigger {
			return [][]Trigger{{{Key: "managedFields"}}}
		}},
	}
}

// outcome is all that a run tells.
type outcome struct {
	Given    []string
	Findings []rules.Finding
	Summary  *rules.Summary
}

func together(t *testing.T, once, embedded bool, limits surveyLimits, inputs []Input) outcome {
	t.Helper()
	defined := definedKinds{}
	o := options()
	o.Checks, o.Workers, o.Embedded = defined.checks(), 2, embedded
	l := New(o)
	if !l.once {
		t.Fatal("such checks need not wait for all inputs")
	}
	l.once, l.limits = once, limits
	var out outcome
	var err error
	out.Summary, err = l.RunTogether(context.Background(), slices.Values(inputs), TogetherOptions{
		Kinds: []string{"CustomResourceDefinition"},
		Fill: func(given []Given) {
			for _, g := range given {
				name := g.Object.Tree().At("spec", "names", "kind")
				defined[name.StringOr("?")] = true
				out.Given = append(out.Given, fmt.Sprintf("%s[%d] %s at %d, kind at %d", g.Input, g.Document, g.Object.Name, g.Object.KindAt.Pos.Line, name.Pos.Line))
			}
		},
	}, func(f rules.Finding) error {
		out.Findings = append(out.Findings, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestRunTogether holds reading inputs once to reading them twice.
func TestRunTogether(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	answered := 0
	for round := range 36 {
		limits := surveyLimits{surveyedBlocks, surveyedFindings}
		switch round % 6 {
		case 3:
			limits.findings = r.IntN(200)
		case 4:
			limits.blocks = r.IntN(3)
		}
		var inputs []Input
		for i := range 1 + r.IntN(150) {
			var text strings.Builder
			for range 1 + r.IntN(4) {
				text.WriteString("---\n" + pieces[r.IntN(len(pieces))])
			}
			in := inMemory(fmt.Sprintf("%d.yaml", i), text.String())
			switch r.IntN(60) {
			case 0:
				in.Partial = "a patch"
			case 1:
				in.Template = "a chart"
			case 2:
				in.Open = func() (io.ReadCloser, error) { return nil, io.ErrClosedPipe }
			case 3:
				if round%6 > 1 {
					in = inMemory(in.Name, long(r))
				}
			}
			inputs = append(inputs, in)
		}
		want, got := together(t, false, round%2 == 0, limits, inputs), together(t, true, round%2 == 0, limits, inputs)
		if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(rules.Summary{}, "Seconds"), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("round %d: read twice -, once +\n%s", round, diff)
		}
		for _, f := range got.Findings {
			if f.Rule == "disabledapi" {
				answered++
			}
		}
	}
	if answered == 0 {
		t.Error("no object was ever judged by a definition")
	}
}

// long is a stream of some blocks.
func long(r *rand.Rand) string {
	var text strings.Builder
	for size := blockSize * (1 + r.IntN(3)); text.Len() < size; {
		text.WriteString("---\n" + pieces[r.IntN(len(pieces))] + "# " + strings.Repeat("x", r.IntN(8000)) + "\n")
	}
	return text.String()
}

// TestRunTogetherWaits: a check that other objects may count for runs only when
// they are known.
func TestRunTogetherWaits(t *testing.T) {
	known := false
	o := options()
	o.Checks = []Check{{Rule: "removedapi", Others: Any, Head: func(p *Pass) {
		if !known {
			t.Error("judged before the others are known")
		}
	}}}
	_, err := New(o).RunTogether(context.Background(), slices.Values([]Input{inMemory("a.yaml", pieces[0])}), TogetherOptions{Fill: func([]Given) { known = true }},
		func(rules.Finding) error { return nil })
	if err != nil || !known {
		t.Error(err, known)
	}
}

// TestRunTogetherStops: an error of whoever is told ends the run, as does the end
// of the context while inputs are still read.
func TestRunTogetherStops(t *testing.T) {
	o := options()
	l := New(o)
	inputs := slices.Repeat([]Input{inMemory("a.yaml", pieces[0])}, 500)
	fill := TogetherOptions{Fill: func([]Given) {}}
	if _, err := l.RunTogether(context.Background(), slices.Values(inputs), fill, func(rules.Finding) error { return io.ErrShortWrite }); err != io.ErrShortWrite {
		t.Error(err)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	read := make(chan bool, len(inputs))
	found := 0
	_, err := l.RunTogether(ctx, func(yield func(Input) bool) {
		for i, in := range inputs {
			if open := in.Open; i == 2*batchSize {
				in.Open = func() (io.ReadCloser, error) {
					read <- true
					return open()
				}
			}
			if i == 5*batchSize {
				<-read // two batches were judged before
				cancel(io.ErrUnexpectedEOF)
			}
			if !yield(in) {
				return
			}
		}
	}, fill, func(rules.Finding) error {
		found++
		return nil
	})
	if err != io.ErrUnexpectedEOF {
		t.Error(err)
	}
	if found == len(inputs) {
		t.Error("all of it was judged")
	}
}
