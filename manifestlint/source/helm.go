package source

import (
	"os"
	"path/filepath"
)

// chartOf returns the directory of the Helm chart whose templates directory
// contains d, as the user would type it; "" for none. If charts contain charts,
// it is the innermost chart. Files in crds are not templates, because Helm
// installs them unchanged. absolute is true if the user would type an absolute
// path.
func (e *expander) chartOf(d *knownDir, absolute bool) string {
	if d == nil {
		return ""
	}
	if !d.chartKnown {
		d.chartKnown = true
		parent := e.parent(d)
		if parent != nil && filepath.Base(d.path) == "templates" && isFile(filepath.Join(parent.path, "Chart.yaml")) {
			d.chart = e.name(parent.path, absolute)
		} else {
			d.chart = e.chartOf(parent, absolute)
		}
	}
	return d.chart
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
