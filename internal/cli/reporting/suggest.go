package reporting

import (
	"github.com/kubevet/kubevet/internal/cli/settings"
	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/rules"
)

// Fixable counts findings by how they can be fixed.
type Fixable struct {
	// Safe have a fix that --fix applies, Review one that only --fix=all applies.
	Safe, Review int
	// Explained have only notes on how to fix them.
	Explained int
}

// Count counts a finding.
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

// Suggest adds remarks on how the findings in Fixable can be fixed. tried is the value of
// --fix that was applied already; it is not suggested.
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
