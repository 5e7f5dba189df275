package reporting

import (
	"github.com/kubevet/kubevet/internal/cli/settings"
	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/rules"
)

// Fixable counts findings by the way to fix them.
type Fixable struct {
	// Safe counts the findings that --fix fixes. Review counts the findings that only
	// --fix=all fixes.
	Safe, Review int
	// Explained counts the findings without a fix whose notes say how to fix them.
	Explained int
}

// Count adds a finding to the counter that fits. A finding without a fix is not counted.
func (m *Fixable) Count(f *rules.Finding) {
	switch {
	case f.Fix != nil && f.Fix.Safe:
		m.Safe++
	case f.Fix != nil:
		m.Review++
	case len(f.Notes) > 0:
		m.Explained++
	}
}

// Suggest adds remarks that say how to fix the counted findings. It does not suggest
// tried, the value of --fix in this run.
func (r *Run) Suggest(tried string) {
	m := r.Fixable
	if m.Safe > 0 && tried == settings.FixNone {
		r.Remarks = append(r.Remarks, report.Count(m.Safe, "finding")+" can be fixed with --fix; --diff shows how")
	}
	if m.Review > 0 && tried != settings.FixAll {
		r.Remarks = append(r.Remarks, report.Count(m.Review, "finding")+" can be fixed with --fix=all, and then need a review; --fix=all --diff shows how")
	}
	if m.Explained > 0 {
		r.Remarks = append(r.Remarks, report.Count(m.Explained, "finding")+" must be fixed by hand: the notes say why")
	}
}
