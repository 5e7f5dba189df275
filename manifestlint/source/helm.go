package source

import (
	"os"
	"path/filepath"
)

// chartOf returns the Helm chart, as the user would type its directory, in
// whose templates directory the place is, or "". Of charts within charts it is
// the innermost. Files in crds are no templates: Helm installs them as they
// are.
func (e *expander) chartOf(p *place, absolute bool) string {
	if p == nil {
		return ""
	}
	if !p.chartKnown {
		p.chartKnown = true
		up := e.parent(p)
		if up != nil && filepath.Base(p.real) == "templates" && isFile(filepath.Join(up.real, "Chart.yaml")) {
			p.chart = e.name(up.real, absolute)
		} else {
			p.chart = e.chartOf(up, absolute)
		}
	}
	return p.chart
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
