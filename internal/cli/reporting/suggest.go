package reporting

import (
	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/rules"
)

// Fixable counts findings by how they can be mended.
type Fixable struct{ Safe, Review, explained int }

func (m *Fixable) Count(f *rules.Finding) {
	switch {
	case f.Fix != nil && f.Fix.Safe:
		m.Safe++
	case f.Fix != nil:
		m.Review++
	case len(f.Notes) > 0:
		m.explained++
	}
}

// Suggest tells how what was found can be mended. Findings about Go code have
// a like of their own.
func (r *Run) Suggest() {
	m := r.Fixable
	if m.Safe > 0 {
		r.Remarks = append(r.Remarks, app.Count(m.Safe, "finding")+" can be mended with --fix; --diff shows how")
	}
	if m.Review > 0 {
		r.Remarks = append(r.Remarks, app.Count(m.Review, "finding")+" can be mended with --fix=all, and then need a look; --fix=all --diff shows how")
	}
	if m.explained > 0 {
		r.Remarks = append(r.Remarks, app.Count(m.explained, "finding")+" must be mended by hand: the notes say why")
	}
}
