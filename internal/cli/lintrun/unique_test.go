package lintrun

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kubevet/kubevet/rules"
)

func TestRenderedFindings(t *testing.T) {
	var l renderedFindings
	for _, f := range []rules.Finding{
		{Rule: "a", File: "x", Line: 1, Message: "m", Minors: "1.25..1.27", RenderedBy: []string{"dev"}},
		{Rule: "a", File: "x", Line: 2, Message: "m", RenderedBy: []string{"dev"}},
		{Rule: "a", File: "x", Line: 1, Message: "m", Minors: "1.28,1.30", RenderedBy: []string{"prod"}},
		{Rule: "a", File: "x", Line: 1, Message: "m", Minors: "1.28", RenderedBy: []string{"prod"}},
	} {
		if !l.add(f) {
			t.Errorf("%+v is not taken", f)
		}
	}
	if l.add(rules.Finding{Rule: "a"}) {
		t.Error("a finding in a plain file is held")
	}
	want := []rules.Finding{
		{Rule: "a", File: "x", Line: 1, Message: "m", Minors: "1.25..1.28,1.30", RenderedBy: []string{"dev", "prod"}},
		{Rule: "a", File: "x", Line: 2, Message: "m", RenderedBy: []string{"dev"}},
	}
	if diff := cmp.Diff(want, l.list); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]int{"a": 2}, l.repeats); diff != "" {
		t.Errorf("repeats (-want +got):\n%s", diff)
	}
}

func TestAddRenderers(t *testing.T) {
	for _, tt := range []struct{ by, want []string }{
		{[]string{"a"}, []string{"a: renders it"}},
		{[]string{"a", "b", "c", "d"}, []string{"a: renders it", "b: renders it", "c: renders it", "d: renders it"}},
		{[]string{"a", "b", "c", "d", "e", "f"}, []string{"a: renders it", "b: renders it", "c: renders it", "d: renders it, and so do 2 more: 6 in all"}},
	} {
		f := rules.Finding{RenderedBy: tt.by}
		addRendererPlaces(&f)
		var got []string
		for _, r := range f.Related {
			got = append(got, r.File+": "+r.Message)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}
