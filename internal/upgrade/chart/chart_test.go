package chart

import (
	"strings"
	"testing"

	"github.com/kubevet/kubevet/internal/upgrade"
	"github.com/kubevet/kubevet/internal/upgrade/seen"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

func TestSee(t *testing.T) {
	for _, c := range []struct {
		limit, gaps string
		first       lifecycle.Minor // first release that the chart excludes; 0 for none
	}{
		{limit: ">=1.22.0-0 <1.31.0-0", first: 31},
		{limit: ">= 1.22.0", first: 0},
		{limit: "1.29.x || 1.30.x", first: 31},
		{limit: "^1.25", first: 0},
		{limit: "<=1.32", first: 33},
		{limit: ">1.29.5", first: 0},
		{limit: "{{ x }}", gaps: "1 chart not checked: their kubeVersion is not a range of versions"},
		{limit: strings.Repeat("1.29.x || ", 200) + "1.29.x", gaps: "1 chart not checked: their kubeVersion is not a range of versions"},
	} {
		check := New(upgrade.Upgrade{From: 29, To: 33})
		for _, root := range manifestlint.Trees("apiVersion: v2\nname: web\nversion: 1.0.0\nkubeVersion: \"" + c.limit + "\"\n") {
			for _, file := range []string{"web/Chart.yaml", "web/other.yaml"} {
				check.See(&seen.Object{Root: root, Place: func(at wire.Pos) upgrade.Evidence { return upgrade.Evidence{File: file, Line: at.Line} }})
			}
		}
		var first lifecycle.Minor
		if facts := check.Facts(); len(facts) > 0 {
			first = facts[0].Minors.Oldest()
			if facts[0].Subject != "chart web 1.0.0" || facts[0].Evidence.Line != 4 {
				t.Errorf("%+v", facts[0])
			}
		}
		if first != c.first || strings.Join(check.Gaps(), "") != c.gaps {
			t.Errorf("%.40s: from %s on, gaps %q; want %s, %q", c.limit, first, check.Gaps(), c.first, c.gaps)
		}
	}
}

// TestWithin checks that only the range of the outer chart is checked, as in Helm.
func TestWithin(t *testing.T) {
	check := New(upgrade.Upgrade{From: 29, To: 33})
	show := func(file, text string) {
		for _, root := range manifestlint.Trees(text) {
			check.See(&seen.Object{Root: root, Place: func(at wire.Pos) upgrade.Evidence { return upgrade.Evidence{File: file, Line: at.Line} }})
		}
	}
	const limited = "apiVersion: v2\nname: x\nversion: 1.0.0\nkubeVersion: <1.30\n"
	show("web/charts/db/Chart.yaml", limited)
	show("web/Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.0.0\n")
	show("charts/api/Chart.yaml", limited)
	if facts := check.Facts(); len(facts) != 1 || facts[0].Evidence.File != "charts/api/Chart.yaml" {
		t.Errorf("%+v", facts)
	}
}
