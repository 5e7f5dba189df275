package upgrade

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// These are the levels of actions, in the order in which they are shown.
const (
	levelMust    = "must"
	levelShould  = "should"
	levelAlready = "already"
)

// plan has the items of a report by release and change. Each fix appears once.
type plan struct {
	// Hops has one stage for each release of the upgrade, with the changes that must be
	// made before that release.
	Hops []stage
	// Later has the changes that belong to no release of the upgrade. Already has the
	// changes for objects that the old release already breaks.
	Later, Already stage
	// Omitted is the number of tasks that a page leaves out because of its limits.
	Omitted int
}

// stage is one part of the plan. A hop is a stage for the upgrade to the next release.
type stage struct {
	// From and To are the releases of a hop. They are empty for other stages.
	From, To string
	Actions  []*action
	// Must and Should are numbers of tasks. Owners is a text with the number of owners
	// who have tasks, such as "2 owners and 1 client".
	Must, Should int
	Owners       string
}

// change is a change that one or more owners make. The fields mean the same as in Item.
type change struct {
	Level, Category, Subject, Rule, BreaksAt, Fix, Reference string
}

// action is a change with the tasks of all its owners.
type action struct {
	change
	// Text says what is wrong. It is empty if the tasks have different texts.
	Text   string
	Tasks  []task
	Places int
}

// task is one owner's part of an action.
type task struct {
	ID    string
	Owner *Owner
	// Text says what is wrong. It is empty if action.Text says it.
	Text   string
	Places []Evidence
	// Left is the number of places that are not in Places.
	Left int
	// News is "new" if the earlier report does not have the task, otherwise empty.
	News string
}

func (t *task) Count() int { return len(t.Places) + t.Left }

// Names returns the objects at the places as text, or "" if there are too many.
func (t *task) Names() string {
	const most, longest = 4, 80
	var names []string
	for i := range t.Places {
		if name := t.Places[i].Object; name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	text := strings.Join(names, ", ")
	if t.Left > 0 || len(names) > most || len(text) > longest {
		return ""
	}
	return text
}

// Single reports whether the task has only one place, without Go code. The page shows this
// place on the line of the task.
func (t *task) Single() bool {
	return t.Count() == 1 && len(t.Places) == 1 && len(t.Places[0].Code) == 0
}

// maxTasks and maxPlaces are the maximal numbers of tasks and of their places on a page.
const maxTasks, maxPlaces = 2000, 10_000

func (r *Report) plan() *plan {
	p := &plan{Hops: r.hops()}
	by := map[change]*action{}
	tasks, places := 0, 0
	for _, list := range []struct {
		level  string
		owners []Owner
	}{{levelMust, r.MustAct}, {levelShould, r.ShouldAct}} {
		for i := range list.owners {
			o := &list.owners[i]
			for j := range o.Items {
				it := &o.Items[j]
				if tasks == maxTasks {
					p.Omitted++
					continue
				}
				tasks++
				key := change{Level: list.level, Category: it.Category, Subject: it.Subject, Rule: it.Rule, BreaksAt: it.BreaksAt, Fix: it.Replacement, Reference: it.Reference}
				if it.Already {
					key.Level = levelAlready
				}
				a := by[key]
				if a == nil {
					a = &action{change: key, Text: it.Text}
					by[key] = a
					s := p.stage(key.Level, it.BreaksAt)
					s.Actions = append(s.Actions, a)
				}
				shown := min(len(it.Evidence), max(0, maxPlaces-places))
				places += shown
				a.Places += len(it.Evidence) + it.EvidenceLeft
				a.Tasks = append(a.Tasks, task{ID: it.ID, Owner: o, Text: it.Text, Places: it.Evidence[:shown], Left: len(it.Evidence) - shown + it.EvidenceLeft, News: it.News})
			}
		}
	}
	for i := range p.Hops {
		p.Hops[i].sortActions()
	}
	p.Later.sortActions()
	p.Already.sortActions()
	return p
}

// hops returns the stages of the upgrade, one for each release, without actions.
func (r *Report) hops() (all []stage) {
	from, err1 := lifecycle.ParseMinor(r.From)
	to, err2 := lifecycle.ParseMinor(r.To)
	if err1 != nil || err2 != nil || from >= to {
		return []stage{{From: r.From, To: r.To}}
	}
	for m := from; m < to; m++ {
		all = append(all, stage{From: m.String(), To: (m + 1).String()})
	}
	return all
}

// stage returns the stage of the plan for a level and a release.
func (p *plan) stage(level, breaksAt string) *stage {
	if level == levelAlready {
		return &p.Already
	}
	for i := range p.Hops {
		if p.Hops[i].To == breaksAt {
			return &p.Hops[i]
		}
	}
	return &p.Later
}

// ownerCounts returns a text such as "3 owners and 2 clients". kinds has the kind of each
// owner.
func ownerCounts(kinds []string) string {
	clients := 0
	for _, k := range kinds {
		if k == "audit" {
			clients++
		}
	}
	var parts []string
	if n := len(kinds) - clients; n > 0 || clients == 0 {
		parts = append(parts, report.Count(n, "owner"))
	}
	if clients > 0 {
		parts = append(parts, report.Count(clients, "client"))
	}
	return enumerate(parts)
}

// Who returns the number of owners and clients of an action, such as "3 owners and 2
// clients".
func (a *action) Who() string {
	var kinds []string
	for i := range a.Tasks {
		kinds = append(kinds, a.Tasks[i].Owner.Kind)
	}
	return ownerCounts(kinds)
}

// stopsProgram reports whether a program cannot start before the action is done.
func (a *action) stopsProgram() bool {
	return a.Category == "flag" || a.Category == "gate" || a.Category == "config"
}

// rank is the order of actions that have the same number of tasks: actions without which
// programs cannot start come first, then objects that block drains of nodes.
func (a *action) rank() int {
	switch {
	case a.stopsProgram():
		return 0
	case a.Category == "drain":
		return 1
	}
	return 2
}

// sortActions counts the tasks and sorts the actions. Required actions come first, then
// the actions with most tasks.
func (s *stage) sortActions() {
	owners := map[*Owner]bool{}
	for _, a := range s.Actions {
		same := true
		for i := range a.Tasks {
			same = same && a.Tasks[i].Text == a.Text
			owners[a.Tasks[i].Owner] = true
		}
		for i := range a.Tasks {
			if same {
				a.Tasks[i].Text = ""
			}
		}
		if !same {
			a.Text = ""
		}
		if a.Level == levelMust {
			s.Must += len(a.Tasks)
		} else {
			s.Should += len(a.Tasks)
		}
	}
	names := map[[2]string]bool{}
	var kinds []string
	for o := range owners {
		if k := [2]string{o.Kind, o.Name}; !names[k] {
			names[k] = true
			kinds = append(kinds, o.Kind)
		}
	}
	s.Owners = ownerCounts(kinds)
	slices.SortStableFunc(s.Actions, func(a, b *action) int {
		return cmp.Or(strings.Compare(a.Level, b.Level), // "must" sorts before "should"
			cmp.Compare(fightRank(a.Rule), fightRank(b.Rule)), cmp.Compare(len(b.Tasks), len(a.Tasks)), cmp.Compare(a.rank(), b.rank()), strings.Compare(a.Subject, b.Subject))
	})
}

// isAPIRule reports whether a rule is about a whole API version.
func isAPIRule(rule string) bool {
	switch rule {
	case "removedapi", "deprecatedapi", "disabledapi", "futureapi":
		return true
	}
	return false
}

// Effect returns a sentence that says what happens to the subject, and when.
func (a *action) Effect() string {
	switch {
	case fightRank(a.Rule) > 0:
		return "Writers overwrite each other. The upgrade restarts them, and which one wins is chance."
	case a.Category == "default":
		return "The default changes in " + a.BreaksAt + "."
	case a.Category == "skew" && a.Level != levelAlready:
		return "Not supported with an API server of " + a.BreaksAt + "."
	case a.Category == "skew":
		return "Not supported with an API server of " + a.BreaksAt + ", which runs already."
	case a.Category == "drain" && a.Level == levelMust:
		return "Keeps nodes from being drained."
	case a.Category == "drain" || a.Category == "webhook" || a.Category == "certificate" && a.Level == levelShould:
		return "" // Text says this already
	case a.Rule == warning && a.BreaksAt != "":
		return "The server warns from " + a.BreaksAt + " on."
	case a.Rule == "deprecatedfield" && a.BreaksAt != "":
		return "Has no effect from " + a.BreaksAt + " on."
	case a.Level == levelAlready && isAPIRule(a.Rule):
		return "Not served by " + a.BreaksAt + "."
	case a.Level == levelAlready:
		return "Broken in " + a.BreaksAt + "."
	case a.Rule == "deprecatedapi" && a.BreaksAt != "":
		return "Deprecated, removed in " + a.BreaksAt + "."
	case a.Rule == "deprecatedapi":
		return "Deprecated, without an announced removal."
	case isAPIRule(a.Rule) && a.BreaksAt != "":
		return "Not served from " + a.BreaksAt + " on."
	case a.BreaksAt != "":
		return "Breaks in " + a.BreaksAt + "."
	}
	return ""
}

// FixText returns a sentence that says how to fix the problem, or "" if this is unknown.
func (a *action) FixText() string {
	switch {
	case a.Rule == "" || fightRank(a.Rule) > 0:
		return sentence(a.Fix)
	case a.Fix != "":
		return "Use " + a.Fix + "."
	case isAPIRule(a.Rule):
		return "No other API replaces it: delete it, or move to what its rule's page names."
	case a.Category == "verdict":
		return correctFix
	}
	return ""
}

// warning is the ID of the rule about warnings of the server.
const warning = "apiwarning"

// correctFix is the fix for an object that a server refuses or warns about.
const correctFix = "Correct the field, or delete the object if nothing needs it."

// sentence adds a capital letter and a full stop to a clause.
func sentence(s string) string {
	if s == "" {
		return ""
	}
	// A first word such as minAvailable or kube-proxy stays unchanged.
	first, _, _ := strings.Cut(s, " ")
	if first = strings.TrimRight(first, ",;.!?"); strings.Trim(first, "abcdefghijklmnopqrstuvwxyz") == "" {
		s = strings.ToUpper(s[:1]) + s[1:]
	}
	if !strings.ContainsAny(s[len(s)-1:], ".!?:") {
		s += "."
	}
	return s
}
