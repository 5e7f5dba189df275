// Package chart finds Helm charts whose kubeVersion excludes a release of the upgrade.
// Helm refuses to install or upgrade such a chart.
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

// Check implements seen.Check.
type Check struct {
	versions upgrade.Upgrade
	facts    []upgrade.Fact
	// dirs has the directories of all charts.
	dirs map[string]bool
	// read is the number of charts with a kubeVersion. broken is the number of charts
	// with an invalid kubeVersion.
	read, broken int
}

// New returns a check.
func New(way upgrade.Upgrade) *Check { return &Check{versions: way, dirs: map[string]bool{}} }

// maxRange is the maximal length of a kubeVersion in bytes. maxCharts is the maximal
// number of charts.
const maxRange, maxCharts = 1000, 100_000

// Is reports whether a document is a Chart.yaml.
func Is(root *wire.Value) bool {
	version := root.Get("apiVersion").StringOr("")
	return (version == "v1" || version == "v2") && root.Get("kind") == nil && root.Get("name").StringOr("") != "" && root.Get("version") != nil
}

// See checks a Chart.yaml.
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
	for m := range (lifecycle.Range{From: c.versions.From, To: lifecycle.Newest}).Minors().All() {
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

// supports reports whether a range includes a patch release of a minor. Helm compares the
// range with the version of the server. Distributions add suffixes to this version, and a
// range without -0 excludes versions with a suffix. The suffixes are unknown here and
// ignored.
func supports(c *semver.Constraints, m lifecycle.Minor) bool {
	for _, patch := range []uint64{0, 99} {
		if c.Check(semver.New(1, uint64(m), patch, "", "")) {
			return true
		}
	}
	return false
}

// Facts returns the facts about all charts so far, except charts inside other charts,
// whose kubeVersion Helm does not check.
func (c *Check) Facts() []upgrade.Fact {
	return slices.DeleteFunc(c.facts, func(f upgrade.Fact) bool {
		charts := path.Dir(path.Dir(filepath.ToSlash(f.Evidence.File)))
		return path.Base(charts) == "charts" && c.dirs[path.Dir(charts)]
	})
}

// Looked returns a text about what was checked, or "".
func (c *Check) Looked() string {
	if c.read == 0 {
		return ""
	}
	return report.Count(c.read, "chart") + " with a kubeVersion"
}

// Gaps returns a note about charts whose kubeVersion could not be parsed.
func (c *Check) Gaps() []string {
	if c.broken == 0 {
		return nil
	}
	return []string{report.Count(c.broken, "chart") + " not checked: their kubeVersion is not a range of versions"}
}
