package contention

import "slices"

// Mechanism is the technical reason for a fight.
type Mechanism string

// These are the mechanisms.
const (
	FullUpdate     Mechanism = "full-update"      // an update of the whole object removes or resets fields of others
	ApplyOfFetched Mechanism = "apply-of-fetched" // an apply of an object read from the server takes all its fields
	ForcedApply    Mechanism = "forced-apply"     // applies take fields from each other
	AtomicList     Mechanism = "atomic-list"      // a list that only one manager can own
	SharedManager  Mechanism = "shared-manager"   // two programs with one field manager
	ByWebhook      Mechanism = "webhook"          // a webhook changes the requests of a client
	Scale          Mechanism = "scale"            // one writer scales the object, and another sets its replicas
	DeleteRecreate Mechanism = "delete-recreate"  // one writer deletes the object that another creates
	Patches        Mechanism = "patches"          // patches do not check the owners of fields
	SideBySide     Mechanism = "side-by-side"     // two versions of one program
	Self           Mechanism = "self"             // one writer alternates between values
)

// Cause is the likely mechanism of a fight and the advice.
type Cause struct {
	Mechanism Mechanism
	// Text describes the mechanism. Fix says which change ends the fight. Page
	// is the rule whose page explains the mechanism.
	Text, Fix, Page string
}

// cause returns the mechanism of a fight about known fields.
func (c *Collector) cause(f *Fight, o *object, x *analysis, writes []observation, paths []uint64, turns []reversal) Cause {
	if f.Self {
		return advise(Self, f)
	}
	var by [HowWebhook + 1]int
	for _, r := range turns {
		by[r.how]++
	}
	// f.Sides also has the writers whose values were reverted, but who reverted
	// none.
	side := map[Writer]*Side{}
	for i := range f.Sides {
		side[f.Sides[i].Writer] = &f.Sides[i]
		f.Sides[i].rereads = true
	}
	fetched := false
	for i := range writes {
		w := &writes[i]
		if s := side[c.writers[w.writer]]; s != nil {
			fetched = fetched || w.flags&flagFetched != 0
			rereads := w.flags&flagGuarded != 0 && w.flags&flagTemplate == 0
			s.rereads = s.rereads && (w.how != HowUpdate || rereads)
		}
	}
	atomic := len(paths) > 0
	for _, p := range paths {
		atomic = atomic && c.paths[p].atomic
	}
	switch {
	case slices.Contains(paths, wholePath):
		return advise(DeleteRecreate, f)
	case by[HowWebhook] > 0 && slices.ContainsFunc(f.Sides, func(s Side) bool { return s.Webhook }):
		return advise(ByWebhook, f)
	case by[HowScale] > 0:
		return advise(Scale, f)
	case fetched:
		return advise(ApplyOfFetched, f)
	case atomic:
		return advise(AtomicList, f)
	}
	return common(f, by[:])
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
		return advise(ByWebhook, f)
	case by[HowScale] > 0:
		return advise(Scale, f)
	}
	return common(f, by[:])
}

// common returns the mechanism that follows from the methods of the writers.
func common(f *Fight, by []int) Cause {
	switch {
	case sharedManager(f.Sides):
		return advise(SharedManager, f)
	case by[HowUpdate] > 0:
		return advise(FullUpdate, f)
	case by[HowForcedApply] > 0:
		return advise(ForcedApply, f)
	}
	return advise(Patches, f)
}

// sharedManager reports whether different programs or users have the same field
// manager. The server then treats them as one owner of fields.
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

// Name returns the name of a writer for reports.
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
