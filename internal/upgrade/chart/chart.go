// Package chart finds Helm charts that say that they do not support a release on the
// way: Helm refuses to install or upgrade them then.
package chart

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"

	"github.com/Masterminds/semver/v3"
	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/internal/upgrade"
	"github.com/kubevet/kubevet/internal/upgrade/seen"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Check is a seen.Check.
type Check struct {
	way   upgrade.Upgrade
	facts []upgrade.Fact
	// dirs are the directories of all charts.
	dirs map[string]bool
	// read counts charts with a range, broken charts whose range is invalid.
	read, broken int
}

// New returns a check.
func New(way upgrade.Upgrade) *Check { return &Check{way: way, dirs: map[string]bool{}} }

// maxRange bounds the text of a range, maxCharts the charts.
const maxRange, maxCharts = 1000, 100_000

// Is reports whether a document is a Chart.yaml.
func Is(root *wire.Value) bool {
	version := root.Get("apiVersion").StringOr("")
	return (version == "v1" || version == "v2") && root.Get("kind") == nil && root.Get("name").StringOr("") != "" && root.Get("version") != nil
}

// See implements seen.Check.
func (c *Check) See(o *seen.Object) {
	if o.Ref.Kind != "" || !Is(o.Root) {
		return
	}
	limit := o.Root.Get("kubeVersion")
	f := o.Fact("component", "chart "+o.Root.Get("name").Text+" "+o.Root.Get("version").StringOr(""), o.Position(limit))
	file := filepath.ToSlash(f.Evidence.File)
	if path.Base(file) != "Chart.yaml" || len(c.dirs) >= maxCharts {
		return
	}
	if c.dirs[path.Dir(file)] = true; limit.StringOr("") == "" {
		return
	}
	constraint, err := semver.NewConstraint(limit.Text)
	if err != nil || len(limit.Text) > maxRange {
		c.broken++
		return
	}
	c.read++
	var refused lifecycle.Minors
	for m := range (lifecycle.Range{From: c.way.From, To: lifecycle.Newest}).Minors().All() {
		if !supports(constraint, m) {
			refused = refused.With(m)
		}
	}
	if refused == 0 {
		return
	}
	f.Severity, f.Minors, f.Reference = rules.Error, refused, "https://helm.sh/docs/topics/charts/#the-kubeversion-field"
	f.Text = fmt.Sprintf("Helm refuses to install or upgrade it: its kubeVersion is %q", limit.Text)
	f.Replacement = "Upgrade to a version of the chart that supports the release, before or with the cluster."
	f.Evidence.Text = "kubeVersion: " + limit.Text
	c.facts = append(c.facts, f)
}

// supports reports whether a range has a patch of a minor. Helm compares with the
// server's version, to which distributions add suffixes that a range without -0 excludes;
// which ones is not known here.
func supports(c *semver.Constraints, m lifecycle.Minor) bool {
	for _, patch := range []uint64{0, 99} {
		if c.Check(semver.New(1, uint64(m), patch, "", "")) {
			return true
		}
	}
	return false
}

// Facts implements seen.Check. Of a chart within another, Helm does not ask.
func (c *Check) Facts() []upgrade.Fact {
	return slices.DeleteFunc(c.facts, func(f upgrade.Fact) bool {
		charts := path.Dir(path.Dir(filepath.ToSlash(f.Evidence.File)))
		return path.Base(charts) == "charts" && c.dirs[path.Dir(charts)]
	})
}

// Looked says what was looked at; empty if there was nothing.
func (c *Check) Looked() string {
	if c.read == 0 {
		return ""
	}
	return report.Count(c.read, "chart") + " with a kubeVersion"
}

// Gaps returns a note about charts whose range could not be read.
func (c *Check) Gaps() []string {
	if c.broken == 0 {
		return nil
	}
	return []string{report.Count(c.broken, "chart") + " not judged: their kubeVersion is not a range of versions"}
}
