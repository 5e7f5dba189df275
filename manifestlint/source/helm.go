package source

import (
	"os"
	"path/filepath"
)

// chartOf returns the Helm chart whose templates directory contains the
// directory, or "": the innermost, if charts contain charts. The chart is named
// by its directory as the user would type it. Files in crds are not templates:
// Helm installs them unchanged.
func (e *expander) chartOf(d *knownDir, absolute bool) string {
	if d == nil {
		return ""
	}
	if !d.chartKnown {
		d.chartKnown = true
		up := e.parent(d)
		if up != nil && filepath.Base(d.real) == "templates" && isFile(filepath.Join(up.real, "Chart.yaml")) {
			d.chart = e.name(up.real, absolute)
		} else {
			d.chart = e.chartOf(up, absolute)
		}
	}
	return d.chart
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
