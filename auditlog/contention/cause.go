package contention

import (
	"slices"
	"strings"
)

// Mechanism is how a fight comes about.
type Mechanism string

// The mechanisms.
const (
	FullUpdate     Mechanism = "full-update"      // an update of the whole object drops or resets what others wrote
	ApplyOfFetched Mechanism = "apply-of-fetched" // an apply of what was read takes every field
	ForcedApply    Mechanism = "forced-apply"     // applies take fields from each other
	AtomicList     Mechanism = "atomic-list"      // a list that has one owner only
	SharedManager  Mechanism = "shared-manager"   // two programs under one field manager
	ByWebhook      Mechanism = "webhook"          // a webhook puts back what a client leaves out
	Scale          Mechanism = "scale"            // replicas both scaled and stated
	DeleteRecreate Mechanism = "delete-recreate"  // one deletes what the other makes
	Patches        Mechanism = "patches"          // patches ask nobody
	Self           Mechanism = "self"             // one writer with two minds
)

// Cause is the likely mechanism of a fight and what to do about it.
type Cause struct {
	Mechanism Mechanism
	// Text describes the mechanism, Fix what to change. Page is the rule whose page
	// explains it.
	Text, Fix, Page string
}

// cause returns the mechanism of a fight whose fields are known.
func (c *Collector) cause(f *Fight, o *object, x *war, writes []observation, paths []uint64, turns []reversal) Cause {
	if f.Self {
		return c.text(Self, f)
	}
	var by [HowWebhook + 1]int
	for _, r := range turns {
		by[r.how]++
	}
	// Writers that only lose their values take part as well.
	side := map[Writer]bool{}
	for _, s := range f.Sides {
		side[s.Writer] = true
	}
	fetched := false
	for i := range writes {
		w := &writes[i]
		if side[c.writers[w.writer]] {
			fetched = fetched || w.flags&flagFetched != 0
		}
	}
	atomic := len(paths) > 0
	for _, p := range paths {
		atomic = atomic && c.paths[p].atomic
	}
	switch {
	case slices.Contains(paths, wholePath):
		return c.text(DeleteRecreate, f)
	case by[HowWebhook] > 0 && slices.ContainsFunc(f.Sides, func(s Side) bool { return s.Webhook }):
		return c.text(ByWebhook, f)
	case by[HowScale] > 0:
		return c.text(Scale, f)
	case fetched:
		return c.text(ApplyOfFetched, f)
	case atomic:
		return c.text(AtomicList, f)
	}
	return c.common(f, by[:])
}

// causeOfTurns returns the mechanism of a fight in a log without bodies.
func (c *Collector) causeOfTurns(f *Fight, o *object) Cause {
	var by [HowWebhook + 1]int
	for _, s := range f.Sides {
		for _, h := range s.How {
			by[h]++
		}
	}
	switch {
	case slices.ContainsFunc(f.Sides, func(s Side) bool { return s.Webhook }):
		return c.text(ByWebhook, f)
	case by[HowScale] > 0:
		return c.text(Scale, f)
	}
	return c.common(f, by[:])
}

// common returns the mechanism by the methods of the writers.
func (c *Collector) common(f *Fight, by []int) Cause {
	switch {
	case sharedManager(f.Sides):
		return c.text(SharedManager, f)
	case by[HowUpdate] > 0:
		return c.text(FullUpdate, f)
	case by[HowForcedApply] > 0:
		return c.text(ForcedApply, f)
	}
	return c.text(Patches, f)
}

// sharedManager reports whether different programs or users have the same field
// manager, so that the server cannot distinguish them.
func sharedManager(sides []Side) bool {
	for i, a := range sides {
		for _, b := range sides[i+1:] {
			if a.Manager != "" && a.Manager == b.Manager && (a.User != b.User || a.Agent != b.Agent) {
				return true
			}
		}
	}
	return false
}

// text puts a mechanism into words.
func (c *Collector) text(m Mechanism, f *Fight) Cause {
	who := func(is func(s *Side) bool) string {
		var names []string
		for i := range f.Sides {
			if s := &f.Sides[i]; is(s) {
				names = append(names, s.Name())
			}
		}
		if len(names) == 0 {
			return "one writer"
		}
		return strings.Join(names, " and ")
	}
	by := func(h How) func(*Side) bool {
		return func(s *Side) bool { return slices.Contains(s.How, h) }
	}
	field := "the field"
	if len(f.Fields) > 0 {
		field = f.Fields[0].Path
	}
	out := Cause{Mechanism: m, Page: "fieldfight"}
	switch m {
	case Self:
		out.Text = who(func(*Side) bool { return true }) + " gives " + field + " one value and then another, again and again"
		out.Fix = "look for two code paths or two settings of this program that want different values, and for a value that is computed anew each time"
		out.Page = "selfflap"
	case DeleteRecreate:
		out.Text = who(by(HowDelete)) + " deletes what " + who(func(s *Side) bool { return !slices.Contains(s.How, HowDelete) }) + " makes anew"
		out.Fix = "decide who owns the object: take it out of what is created, or exempt it from what is cleaned up"
	case ByWebhook:
		out.Text = "webhook " + who(func(s *Side) bool { return s.Webhook }) + " puts back what " + who(func(s *Side) bool { return !s.Webhook }) + " leaves out of every full update"
		out.Fix = "have the client change only its own fields, by apply or by a patch, or state what the webhook adds; or exempt the object in the webhook's selectors"
		out.Page = "getupdate"
	case Scale:
		out.Text = who(by(HowScale)) + " scales the object, and " + who(func(s *Side) bool { return !slices.Contains(s.How, HowScale) }) + " states replicas again"
		out.Fix = "leave spec.replicas out of what is applied: an apply that does not state it leaves it to the autoscaler (in Argo CD: ignoreDifferences with RespectIgnoreDifferences)"
		out.Page = "applyforce"
	case ApplyOfFetched:
		out.Text = "an apply sends the object as it was read, and so takes every field of it"
		out.Fix = "build what is applied from nothing, with the fields alone that the program has an opinion on"
		out.Page = "applylive"
	case ForcedApply:
		out.Text = who(by(HowForcedApply)) + " forces its applies, which takes " + field + " from its owner without a conflict"
		out.Fix = "let one of them own the field and leave it out of what the others apply; apply without force first, so that conflicts are seen"
		out.Page = "applyforce"
	case AtomicList:
		out.Text = field + " is an atomic list: whoever writes an item of it replaces all"
		out.Fix = "let one writer own the list; if it is a custom resource's, declare x-kubernetes-list-type map or set, so that items have owners of their own"
		out.Page = "crdlisttype"
	case SharedManager:
		out.Text = who(func(*Side) bool { return true }) + " write under one field manager, so that the server takes them for one and sees no conflict"
		out.Fix = "give each program a field manager of its own"
		out.Page = "fieldmanager"
	case FullUpdate:
		out.Text = who(by(HowUpdate)) + " updates the whole object, and so resets what others wrote to it"
		out.Fix = "apply, or patch, only the fields that the program owns instead of updating the object as a whole"
		out.Page = "getupdate"
	case Patches:
		out.Text = who(func(*Side) bool { return true }) + " patch the same field, and a patch does not ask who owns it"
		out.Fix = "decide who owns the field; with server-side apply, without force, the other gets a conflict instead"
	}
	return out
}

// Name names a writer for people.
func (w *Writer) Name() string {
	switch {
	case w.Webhook:
		return w.Agent
	case w.Agent == "" && w.Manager == "":
		return w.User
	case w.Agent == "":
		return w.User + " (as " + w.Manager + ")"
	case w.Manager == "" || w.Manager == w.Agent:
		return w.User + " (" + w.Agent + ")"
	}
	return w.User + " (" + w.Agent + " as " + w.Manager + ")"
}
