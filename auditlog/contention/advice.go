package contention

import (
	"slices"
	"strings"
)

// stance says what a side of a fight does to the fields.
type stance uint8

const (
	unknownStance stance = iota
	sets                 // sets them to its own values
	removes              // removes them explicitly
	omits                // sends the whole object without them
)

// stance returns what a side does to the fields of the fight.
func (f *Fight) stance(side int) stance {
	known := false
	for _, x := range f.Fields {
		if side >= len(x.Values) {
			continue
		}
		for _, v := range x.Values[side] {
			if v.Kind != ValueAbsent {
				return sets
			}
			known = true
		}
	}
	s := &f.Sides[side]
	switch {
	case !known:
		return unknownStance
	case len(s.How) > 0 && s.How[0] == HowUpdate && !s.rereads:
		return omits
	case s.Webhook || len(s.How) > 0 && s.How[0] != HowUpdate && s.How[0] != HowApply && s.How[0] != HowForcedApply:
		return removes
	case len(s.How) > 0 && s.How[0] == HowUpdate:
		return removes
	}
	return omits
}

// adviser writes the texts of a Cause: the mechanism of a fight, and what to
// change.
type adviser struct {
	f     *Fight
	names []string // names of the sides
	field string   // how the texts call the fields of the fight
}

// advise returns the text about a mechanism and the advice for the fight.
func advise(m Mechanism, f *Fight) Cause {
	a := &adviser{f: f, names: sideNames(f.Sides), field: "the field"}
	if len(f.Fields) > 0 {
		a.field = f.Fields[0].Path
		if len(f.Fields)+f.FieldsLeft > 1 {
			a.field += " and other fields"
		}
	}
	out := Cause{Mechanism: m, Page: "fieldfight"}
	switch m {
	case Self:
		out.Text = a.list(a.all()) + plural(a.all(), " writes", " each write") + " one value of " + a.field + " and then another, again and again"
		out.Fix = "look for two code paths, replicas or settings of this program that want different values, and for a value that each run computes differently"
		out.Page = "selfflap"
	case SideBySide:
		out.Text = a.names[0] + " runs in two versions side by side, each with its own value of " + a.field
		out.Fix = "finish the upgrade of the program, or take it back: the user agents and pods of the requests name both versions"
	case DeleteRecreate:
		a.deleteRecreate(&out)
	case ByWebhook:
		a.webhook(&out)
	case Scale:
		scalers, others := a.split(func(s *Side) bool { return slices.Contains(s.How, HowScale) })
		out.Text = a.list(scalers) + plural(scalers, " scales", " scale") + " the object, and " + a.list(others) + plural(others, " sets", " set") + " spec.replicas again"
		if len(others) == 0 {
			out.Text = a.list(scalers) + " scale the object, each to a number of its own"
		}
		a.field = "spec.replicas"
		if out.Fix = a.decide(); slices.ContainsFunc(scalers, func(i int) bool { return autoscaler(&f.Sides[i]) }) {
			out.Fix = "leave spec.replicas to " + a.list(scalers) + a.giveUp(others) + a.handOver(others)
		}
		out.Page = "applyforce"
	case ApplyOfFetched:
		applying, _ := a.split(func(s *Side) bool { return slices.Contains(s.How, HowApply) || slices.Contains(s.How, HowForcedApply) })
		out.Text = a.list(applying) + plural(applying, " applies", " apply") + " the object as it was read, and so " + plural(applying, "takes", "take") + " every field of it"
		out.Fix = "build what is applied from scratch, with only the fields that the program is to set"
		out.Page = "applylive"
	case AtomicList:
		out.Text = a.field + " is an atomic list: a write of one item replaces the whole list"
		out.Fix = "let one writer own the list, and the other give it up" + a.giveUp(a.all())
		if !builtIn(f.Object.Group) {
			out.Fix += ". Or declare x-kubernetes-list-type map or set in the definition, so that items have owners of their own"
		}
		out.Page = "crdlisttype"
	case SharedManager:
		out.Text = a.list(a.all()) + " write under one field manager, so that the server takes them for one writer and reports no conflict"
		out.Fix = "give each program a field manager of its own. Then " + a.decide()
		out.Page = "fieldmanager"
	case FullUpdate, ForcedApply, Patches:
		a.opposed(&out)
	}
	return out
}

// opposed writes the texts for writers that revert each other by updates,
// applies or patches.
func (a *adviser) opposed(out *Cause) {
	if out.Mechanism == FullUpdate {
		out.Page = "getupdate"
	} else if out.Mechanism == ForcedApply {
		out.Page = "applyforce"
	}
	omitting, others := a.split(func(s *Side) bool { return false })
	if len(a.f.Fields) > 0 {
		omitting, others = a.byStance(omits)
	}
	switch {
	case len(a.f.Fields) == 0:
		out.Text = a.list(a.all()) + " write the object in turn" + a.methods() + "; this log does not show which fields"
		out.Fix = "log the object at level Request or RequestResponse to see the fields and values. If they write the same field, decide which of them sets it; if not, " + a.ownFields()
	case len(omitting) > 0 && len(others) > 0 && out.Mechanism == FullUpdate:
		out.Text = a.list(omitting) + plural(omitting, " updates", " update") + " the whole object without " + a.field + ", and so " + plural(omitting, "removes", "remove") + " what " + a.list(others) + plural(others, " writes", " write")
		out.Fix = "have " + a.list(omitting) + plural(omitting, " apply or patch only the fields that it owns, or keep in its update what it reads", " apply or patch only the fields that they own, or keep in their updates what they read")
	case len(omitting) > 0 && len(others) > 0:
		out.Text = a.list(omitting) + plural(omitting, " removes ", " remove ") + a.field + " by applying without it, and " + a.list(others) + plural(others, " sets", " set") + " it again"
		out.Fix = "let " + a.list(others) + " set the field by server-side apply, under a field manager of its own: an apply without a field removes it only if no other manager owns it"
		for _, i := range omitting {
			if way := wayOut(&a.f.Sides[i]); !strings.HasPrefix(way, "leave ") {
				out.Fix += ". Or, for " + a.names[i] + ": " + way
			}
		}
	case a.exclusive():
		list := a.parent()
		out.Text = a.list(a.all()) + " set different parts of " + list + ", and each removes the other's" + a.methods()
		out.Fix = "keep what the other set: by server-side apply if the list has keys (x-kubernetes-list-type: map), or by an update of the object as it was read; or let one writer own all of " + list
	case a.anyUnknown():
		out.Text = a.list(a.all()) + " write different values of " + a.field + a.methods()
		out.Fix = a.decide()
	default:
		removing, setting := a.byStance(removes)
		out.Text = a.list(setting) + plural(setting, " sets ", " set ") + a.field
		if len(removing) > 0 && len(setting) > 0 {
			out.Text += ", and " + a.list(removing) + plural(removing, " removes it", " remove it")
		} else if len(removing) == 0 {
			out.Text += ", each to a value of its own"
		} else {
			out.Text = a.list(removing) + " remove and restore " + a.field
		}
		out.Text += a.methods()
		if out.Mechanism == ForcedApply {
			out.Text += "; force takes the field from its owner without a conflict"
		}
		out.Fix = a.decide()
	}
}

// ownFields returns the advice for writers that do not write the same field.
func (a *adviser) ownFields() string {
	updating, _ := a.split(func(s *Side) bool { return slices.Contains(s.How, HowUpdate) })
	if len(updating) == 0 {
		return "they do not fight"
	}
	return a.list(updating) + " should apply or patch only " + plural(updating, "its", "their") + " own fields"
}

// deleteRecreate writes the texts for an object that one writer deletes and
// another creates.
func (a *adviser) deleteRecreate(out *Cause) {
	deleting, creating := a.split(func(s *Side) bool { return slices.Contains(s.How, HowDelete) })
	if len(creating) == 0 {
		creating = deleting
	}
	out.Text = a.list(deleting) + plural(deleting, " deletes", " delete") + " the object, and " + a.list(creating) + plural(creating, " creates", " create") + " it again"
	out.Fix = "decide whether the object is to exist: remove it from what " + a.list(creating) + plural(creating, " creates", " create")
	if len(creating) == 1 && component(&a.f.Sides[creating[0]]) {
		out.Fix = "decide whether the object is to exist: change or delete the object that owns it, for which " + a.list(creating) + " creates it"
	}
	out.Fix += ", or exempt it from what " + a.list(deleting) + plural(deleting, " deletes", " delete")
}

// webhook writes the texts for a webhook that changes the requests of a client.
func (a *adviser) webhook(out *Cause) {
	hooks, clients := a.split(func(s *Side) bool { return s.Webhook })
	out.Page = "getupdate"
	exempt := "exempt the object in the selectors or matchConditions of the webhook"
	omitting, setting := false, false
	for _, i := range clients {
		switch a.f.stance(i) {
		case sets:
			setting = true
		case unknownStance:
		default:
			omitting = true
		}
	}
	switch {
	case setting:
		out.Page = "fieldfight"
		out.Text = "webhook " + a.list(hooks) + " overwrites the value of " + a.field + " that " + a.list(clients) + plural(clients, " sends", " send")
		out.Fix = "decide which of them sets " + a.field + ": remove it from what " + a.list(clients) + plural(clients, " sends", " send") + " or send the webhook's value; or " + exempt
	case omitting:
		out.Text = "webhook " + a.list(hooks) + " sets " + a.field + ", which " + a.list(clients) + " leaves out of every full update"
		out.Fix = "have " + a.list(clients) + " change only its own fields, by apply or by a patch, or send the webhook's value as well; or " + exempt
	default:
		out.Text = "webhook " + a.list(hooks) + " changes the object in every update of " + a.list(clients)
		out.Fix = "log the object at level Request or higher to see the fields. Have " + a.list(clients) + " change only its own fields, by apply or by a patch; or " + exempt
	}
}

// decide returns the advice for writers that all set a field on purpose.
func (a *adviser) decide() string {
	return a.which() + a.giveUp(a.all()) + a.handOver(a.all())
}

// which returns the first sentence of the advice for writers that all set a
// field on purpose.
func (a *adviser) which() string {
	if len(a.names) > 2 {
		return "decide which of them sets " + a.field + ", and let the others give it up"
	}
	return "decide which of the two sets " + a.field + ", and let the other give it up"
}

// exclusive reports whether each side sets fields that all other sides remove.
// For example, each writer writes its own item of one list.
func (a *adviser) exclusive() bool {
	setters := map[int]bool{}
	for _, x := range a.f.Fields {
		set := -1
		for i, list := range x.Values {
			switch {
			case len(list) == 0:
				return false
			case !slices.ContainsFunc(list, func(v Value) bool { return v.Kind != ValueAbsent }):
			case set >= 0:
				return false
			default:
				set = i
			}
		}
		setters[set] = true
	}
	return len(setters) > 1 && len(setters) == len(a.names)
}

// parent returns the longest path that contains all fields of the fight.
func (a *adviser) parent() string {
	common := a.f.Fields[0].Path
	for _, x := range a.f.Fields {
		for !strings.HasPrefix(x.Path, common) {
			common = common[:max(strings.LastIndexAny(common, ".["), 0)]
		}
	}
	if common == "" {
		return "the object"
	}
	return common
}

// methods lists how the sides write, such as " (a by full update, b by patch)".
func (a *adviser) methods() string {
	var out []string
	same := true
	for i, s := range a.f.Sides {
		if len(s.How) > 0 {
			out = append(out, a.names[i]+" by "+s.How[0].String())
			same = same && len(a.f.Sides[0].How) > 0 && s.How[0] == a.f.Sides[0].How[0]
		}
	}
	switch {
	case len(out) == 0:
		return ""
	case same && len(out) == 2:
		return " (both by " + a.f.Sides[0].How[0].String() + ")"
	case same && len(out) > 2:
		return " (all by " + a.f.Sides[0].How[0].String() + ")"
	}
	return " (" + strings.Join(out, ", ") + ")"
}

// all returns the indices of all sides.
func (a *adviser) all() []int {
	all, _ := a.split(func(*Side) bool { return true })
	return all
}

// split returns the sides that match, and the others.
func (a *adviser) split(match func(s *Side) bool) (yes, no []int) {
	for i := range a.f.Sides {
		if match(&a.f.Sides[i]) {
			yes = append(yes, i)
		} else {
			no = append(no, i)
		}
	}
	return yes, no
}

// byStance returns the sides with the stance want, and all other sides.
func (a *adviser) byStance(want stance) (yes, no []int) {
	for i := range a.f.Sides {
		if a.f.stance(i) == want {
			yes = append(yes, i)
		} else {
			no = append(no, i)
		}
	}
	return yes, no
}

// anyUnknown reports whether the stance of any side is unknown.
func (a *adviser) anyUnknown() bool {
	unknown, _ := a.byStance(unknownStance)
	return len(unknown) > 0
}

// list returns the names of sides as text: "a", "a and b", or "a, b and c".
func (a *adviser) list(sides []int) string {
	var out strings.Builder
	for n, i := range sides {
		switch {
		case n > 0 && n == len(sides)-1:
			out.WriteString(" and ")
		case n > 0:
			out.WriteString(", ")
		}
		out.WriteString(a.names[i])
	}
	if len(sides) == 0 {
		return "another writer"
	}
	return out.String()
}

// plural returns the word one if there is a single subject, and otherwise the
// word many.
func plural(subjects []int, one, many string) string {
	if len(subjects) > 1 {
		return many
	}
	return one
}

// sideNames returns a different name for each side. The names are the agents,
// if these differ.
func sideNames(sides []Side) []string {
	for _, name := range []func(s *Side) string{
		func(s *Side) string { return s.Agent },
		func(s *Side) string { return s.User },
		func(s *Side) string { return s.Manager },
	} {
		var out []string
		for i := range sides {
			if n := name(&sides[i]); n != "" && !slices.Contains(out, n) {
				out = append(out, n)
			}
		}
		if len(out) == len(sides) {
			return out
		}
	}
	out := make([]string, len(sides))
	for i := range sides {
		out[i] = sides[i].Name()
	}
	return out
}
