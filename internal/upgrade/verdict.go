package upgrade

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/kubevet/kubevet/internal/report"
)

// verdict says whether the upgrade can begin.
type verdict struct {
	// Tone is "stop", "care" or "go".
	Tone string
	Text string
	// First says what to do first. It may be empty.
	First string
	// Caution says why the evidence is incomplete. It is empty if the evidence is
	// complete.
	Caution string
}

func (r *Report) verdict(p *plan) verdict {
	s := &r.Summary
	v := verdict{Tone: "go", Text: fmt.Sprintf("Ready for %s: nothing that was examined breaks.", r.To), Caution: r.caution()}
	switch {
	case s.MustAct > 0:
		v.Tone = "stop"
		v.Text = fmt.Sprintf("Not ready for %s: %s required, by %s.", r.To, plural(s.MustAct, "change is", "changes are"), ownerCounts(ownersOf(r.MustAct)))
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
		v.First = h.firstStep()
		break
	}
	return v
}

func ownersOf(list []Owner) (kinds []string) {
	for i := range list {
		kinds = append(kinds, list[i].Kind)
	}
	return kinds
}

// firstStep returns a sentence that says which change of a hop to make first, and why.
// The change is one without which a program does not start, or the change with most
// tasks.
func (s *stage) firstStep() string {
	a := s.Actions[0]
	text := fmt.Sprintf("Start with %s: it blocks %s, the first release with a required change", a.Subject, s.To)
	most := len(a.Tasks) > 1 && (len(s.Actions) == 1 || s.Actions[1].Level != levelMust || len(s.Actions[1].Tasks) < len(a.Tasks))
	switch {
	case most:
		return text + fmt.Sprintf(", and concerns the most owners and clients (%s).", a.Who())
	case a.stopsProgram():
		return text + ", and a program does not start until it is done."
	}
	return text + "."
}

// caution returns a sentence that says why there may be more problems than the report
// has. It returns "" if the evidence is complete.
func (r *Report) caution() string {
	gaps, missing, first := 0, 0, ""
	for _, s := range r.Sources {
		// The gaps of a log matter more than the gaps of a check. So the first gap of the
		// log is shown.
		if gaps += len(s.Gaps); len(s.Gaps) > 0 && (first == "" || s.Kind == "audit") {
			first = s.Gaps[0]
		}
		if !s.Given {
			missing++
		}
	}
	switch {
	case r.Summary.Incomplete:
		return fmt.Sprintf("There may be more, because %s could not be read.", report.Count(len(r.Unreadable), "input"))
	case gaps > 1:
		return fmt.Sprintf("There may be more, because the evidence has %d gaps. The first: %s.", gaps, first)
	case gaps > 0:
		return fmt.Sprintf("There may be more, because the evidence has a gap: %s.", first)
	case missing > 0:
		return fmt.Sprintf("There may be more, because %s of evidence %s not given.", report.Count(missing, "kind"), verb(missing, "was", "were"))
	}
	return ""
}

func plural(n int, one, many string) string {
	return fmt.Sprintf("%d %s", n, verb(n, one, many))
}

// ownerShare is an owner with the numbers of its tasks.
type ownerShare struct {
	*Owner
	Key                   string
	Must, Should, Already int
	// First is the first release before which the owner must change something.
	First string
}

// shares returns all owners, those with most tasks first.
func (r *Report) shares() []*ownerShare {
	by := map[[2]string]*ownerShare{}
	var all []*ownerShare
	for _, list := range []struct {
		must   bool
		owners []Owner
	}{{true, r.MustAct}, {false, r.ShouldAct}} {
		for i := range list.owners {
			o := &list.owners[i]
			k := [2]string{o.Kind, o.Name}
			s := by[k]
			if s == nil {
				s = &ownerShare{Owner: o, Key: ownerKey(o)}
				by[k] = s
				all = append(all, s)
			}
			for j := range o.Items {
				if it := &o.Items[j]; !it.Already && isOlder(it.BreaksAt, s.First) {
					s.First = it.BreaksAt
				}
				switch {
				case list.must:
					s.Must++
				case o.Items[j].Already:
					s.Already++
				default:
					s.Should++
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b *ownerShare) int {
		return cmp.Or(cmp.Compare(b.Must, a.Must), cmp.Compare(b.Should, a.Should), cmp.Compare(b.Already, a.Already))
	})
	return all
}
