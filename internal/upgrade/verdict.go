package upgrade

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/kubevet/kubevet/internal/report"
)

// verdict is the answer to whether the upgrade can begin.
type verdict struct {
	// Tone is stop, care or go.
	Tone string
	Text string
	// First says what to begin with; empty for nothing.
	First string
	// Caution says why the evidence is weak; empty if it is not.
	Caution string
}

// verdict sums the report up in a sentence.
func (r *Report) verdict(p *plan) verdict {
	s := &r.Summary
	v := verdict{Tone: "go", Text: fmt.Sprintf("Ready for %s: nothing that was examined breaks.", r.To), Caution: r.caution()}
	switch {
	case s.MustAct > 0:
		v.Tone = "stop"
		v.Text = fmt.Sprintf("Not ready for %s: %s required, by %s.", r.To, plural(s.MustAct, "change is", "changes are"), report.Count(len(r.MustAct), "owner"))
	case s.Incomplete:
		v.Tone, v.Text = "care", fmt.Sprintf("No blocker found on the way to %s, but not everything could be read.", r.To)
	case v.Caution != "":
		v.Tone, v.Text = "care", fmt.Sprintf("No blocker found on the way to %s.", r.To)
	}
	for i := range p.Hops {
		h := &p.Hops[i]
		if h.Must == 0 {
			continue
		}
		a := h.Actions[0]
		v.First = fmt.Sprintf("Start with %s: it blocks %s and concerns %s.", a.Subject, h.To, report.Count(len(a.Tasks), "owner"))
		break
	}
	return v
}

// caution says why there may be more than the report has; empty if the evidence is
// complete.
func (r *Report) caution() string {
	gaps, missing, first := 0, 0, ""
	for _, s := range r.Sources {
		// What a log lacks weighs more than what a check does not know.
		if gaps += len(s.Gaps); len(s.Gaps) > 0 && (first == "" || s.Kind == "audit") {
			first = s.Gaps[0]
		}
		if !s.Given {
			missing++
		}
	}
	switch {
	case r.Summary.Incomplete:
		return fmt.Sprintf("%s could not be read, so there may be more.", report.Count(len(r.Unreadable), "input"))
	case gaps > 1:
		return fmt.Sprintf("The evidence has %d gaps, so there may be more. The first: %s.", gaps, first)
	case gaps > 0:
		return fmt.Sprintf("The evidence has a gap, so there may be more: %s.", first)
	case missing > 0:
		return fmt.Sprintf("%s of evidence %s not given, so there may be more.", report.Count(missing, "kind"), verb(missing, "was", "were"))
	}
	return ""
}

func plural(n int, one, many string) string {
	return fmt.Sprintf("%d %s", n, verb(n, one, many))
}

// share is an owner with the number of its tasks.
type share struct {
	*Owner
	Key                   string
	Must, Should, Already int
	// First is the first release that breaks something of the owner.
	First string
}

// shares returns all owners, those with most to do first.
func (r *Report) shares() []*share {
	by := map[[2]string]*share{}
	var all []*share
	for _, list := range []struct {
		must   bool
		owners []Owner
	}{{true, r.MustAct}, {false, r.ShouldAct}} {
		for i := range list.owners {
			o := &list.owners[i]
			k := [2]string{o.Kind, o.Name}
			s := by[k]
			if s == nil {
				s = &share{Owner: o, Key: ownerKey(o)}
				by[k] = s
				all = append(all, s)
			}
			for j := range o.Items {
				switch {
				case list.must:
					s.Must++
					if s.First == "" {
						s.First = o.Items[j].BreaksAt
					}
				case o.Items[j].Already:
					s.Already++
				default:
					s.Should++
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b *share) int {
		return cmp.Or(cmp.Compare(b.Must, a.Must), cmp.Compare(b.Should, a.Should), cmp.Compare(b.Already, a.Already))
	})
	return all
}
