package upgrade

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Fact is one observation from a source, such as an object with a removed API.
type Fact struct {
	// OwnerKind and OwnerName are the Kind and Name of the Owner.
	OwnerKind, OwnerName string
	// API is the API that is used. For facts about a field, a custom resource or a whole
	// API version, API is zero and Subject has the name.
	API     lifecycle.API
	Subject string
	// Category and Reference mean the same as in Item. An empty Category follows from the
	// rule.
	Category, Reference string
	// Rule and Severity are from the finding. Minors has the releases for which the fact
	// is true. Minors is empty if these releases are unknown, for example if only a
	// server's annotation says that an API is deprecated.
	Rule     string
	Severity rules.Severity
	Minors   lifecycle.Minors
	// Planned is the release that is planned to remove a deprecated API. It is empty
	// without a plan.
	Planned string
	// Text and Replacement mean the same as in Item.
	Text, Replacement string
	Evidence          Evidence
	// Ref is the object of the evidence. It is zero if there is none.
	Ref rules.ObjectRef
	// Attach marks a fact about requests of an unknown client. Merge adds its evidence to
	// all known clients that send such requests.
	Attach bool
	// If Always is true, Merge uses the fact even if Minors is empty.
	Always bool
	// Later marks a fact that is true for the old release and not for the new one: the
	// user must not apply the object before the upgrade.
	Later bool
}

// Upgrade is an upgrade over one or more releases. From is older than To.
type Upgrade struct{ From, To lifecycle.Minor }

// steps returns the releases after From, up to and including To.
func (u Upgrade) steps() lifecycle.Minors {
	return lifecycle.Range{From: u.From + 1, To: u.To}.Minors()
}

// level says whether the owner of a fact must act, should act or need not act.
type level uint8

const (
	levelNone level = iota
	levelInfo
	levelShouldAct
	levelMustAct
)

// classify returns the level of a fact. breaksAt is the release that breaks the fact's
// subject or, for a deprecated subject, the release that is planned to remove it; "" if
// unknown. already is true if the old release breaks the subject.
func (u Upgrade) classify(f *Fact) (l level, breaksAt string, already bool) {
	on := f.Minors & u.steps()
	if f.Minors == 0 && f.Always {
		return limitLevel(f.Severity, levelShouldAct), f.Planned, false
	}
	if f.Later && f.Minors.Has(u.From) && !f.Minors.Has(u.To) {
		return limitLevel(f.Severity, levelShouldAct), "", false
	}
	// No release of the upgrade has the problem, or the upgrade fixes it.
	if on == 0 || f.Minors.Has(u.From) && !f.Minors.Has(u.To) {
		return levelNone, "", false
	}
	if f.Severity < rules.Error && !f.concernsUpgrades() && f.Minors.Has(u.From) && on == u.steps() {
		return levelInfo, "", false // the fact is true for all releases, so the upgrade changes nothing
	}
	if f.Rule == warning && f.Planned == "" && f.Severity < rules.Error && !f.Minors.Has(u.From) {
		return limitLevel(f.Severity, levelShouldAct), on.Oldest().String(), false
	}
	if f.Rule != "removedapi" && f.Severity < rules.Error {
		return limitLevel(f.Severity, levelShouldAct), f.Planned, false
	}
	if f.Minors.Has(u.From) {
		return limitLevel(f.Severity, levelShouldAct), u.From.String(), true
	}
	if f.Severity < rules.Error {
		return limitLevel(f.Severity, levelShouldAct), on.Oldest().String(), false
	}
	return levelMustAct, on.Oldest().String(), false
}

// concernsUpgrades reports whether a fact matters in every upgrade. This is so for APIs
// and fields that some release removes, and for fights between writers.
func (f *Fact) concernsUpgrades() bool {
	if f.Rule == "" && f.Category != "" {
		return true
	}
	switch f.Rule {
	case "removedapi", "deprecatedapi", "deprecatedfield", "disabledapi", "futureapi", "crdversions", "fieldfight", "selfflap":
		return true
	}
	return false
}

func (f *Fact) category() string {
	switch {
	case f.Category != "":
		return f.Category
	case fightRank(f.Rule) > 0:
		return "fight"
	case f.Rule == "deprecatedfield":
		return "field"
	case !f.API.IsZero() || f.concernsUpgrades():
		return "api"
	}
	return "verdict"
}

// limitLevel returns most for a warning or an error, and levelInfo for lower severities.
func limitLevel(s rules.Severity, most level) level {
	if s < rules.Warning {
		return levelInfo
	}
	return most
}

// maxEvidence is the maximal number of places that an item lists.
const maxEvidence = 20

type draft struct {
	Item
	level level
	api   lifecycle.API
}

// Merge returns the report for facts. The order of the facts matters only for facts that
// are equal except for Text.
func (u Upgrade) Merge(facts []Fact) *Report {
	r := &Report{From: u.From.String(), To: u.To.String(), MustAct: []Owner{}, ShouldAct: []Owner{}, NoEvidence: []API{}, Sources: []Source{}, Unreadable: []Unreadable{}, Notes: []string{}, Done: []Done{}}
	type owner struct{ kind, name string }
	drafts := map[owner]map[string]*draft{}
	add := func(o owner, f *Fact, l level, breaksAt string, already bool) {
		subject, key := f.subject(), f.key()
		of := drafts[o]
		if of == nil {
			of = map[string]*draft{}
			drafts[o] = of
		}
		d := of[key]
		if d == nil || l > d.level {
			evidence := []Evidence(nil)
			if d != nil {
				evidence = d.Evidence
			}
			next := f.Replacement
			if isAPIRule(f.Rule) && !f.API.IsZero() {
				if text := u.replacement(f.API); text != "" {
					next = text
				}
			}
			d = &draft{level: l, api: f.API, Item: Item{
				Category: f.category(), Subject: subject, Rule: f.Rule, BreaksAt: breaksAt, Already: already, Text: f.Text,
				Replacement: next, Reference: f.Reference, Evidence: evidence,
			}}
			of[key] = d
		}
		d.Evidence = append(d.Evidence, f.Evidence)
		if l == d.level && isOlder(breaksAt, d.BreaksAt) {
			d.BreaksAt = breaksAt
		}
	}
	refused := u.refusedObjects(facts)
	var attach []*Fact
	seen := map[string]bool{}     // APIs and group versions that a fact has
	informed := map[string]bool{} // subjects that clients use without a need to act
	for i := range facts {
		f := &facts[i]
		if !f.API.IsZero() {
			seen[f.API.String()] = true
		} else {
			seen[f.Subject] = true
		}
		if f.Attach {
			attach = append(attach, f)
			continue
		}
		l, breaksAt, already := u.classify(f)
		if l == levelMustAct && !f.concernsUpgrades() && refused[f.object()] {
			l = levelInfo // the old release already refuses the object; this is a further reason
		}
		switch l {
		case levelNone:
		case levelInfo:
			r.Summary.Informational++
			informed[f.subject()] = informed[f.subject()] || f.OwnerKind == "audit"
		default:
			add(owner{f.OwnerKind, f.OwnerName}, f, l, breaksAt, already)
		}
	}
	for _, f := range attach {
		l, breaksAt, already := u.classify(f)
		if l == levelNone || l == levelInfo {
			continue
		}
		known := false
		for o, of := range drafts {
			if d := of[f.subject()]; d != nil && o.kind == "audit" {
				d.Evidence = append(d.Evidence, f.Evidence)
				known = true
			}
		}
		switch {
		case known:
		case informed[f.subject()]: // the clients that send these requests need not act
			r.Summary.Informational++
		default:
			add(owner{f.OwnerKind, f.OwnerName}, f, l, breaksAt, already)
		}
	}
	keys := slices.SortedFunc(maps.Keys(drafts), func(a, b owner) int {
		return cmp.Or(strings.Compare(a.kind, b.kind), strings.Compare(a.name, b.name))
	})
	for _, k := range keys {
		of := drafts[k]
		mustDo, shouldDo := Owner{Kind: k.kind, Name: k.name}, Owner{Kind: k.kind, Name: k.name}
		for _, d := range of {
			d.finishEvidence()
			if d.level == levelMustAct {
				mustDo.Items = append(mustDo.Items, d.Item)
			} else {
				shouldDo.Items = append(shouldDo.Items, d.Item)
			}
		}
		for _, list := range []struct {
			owner Owner
			to    *[]Owner
			count *int
		}{{mustDo, &r.MustAct, &r.Summary.MustAct}, {shouldDo, &r.ShouldAct, &r.Summary.ShouldAct}} {
			if len(list.owner.Items) == 0 {
				continue
			}
			slices.SortFunc(list.owner.Items, compareItems)
			*list.to = append(*list.to, list.owner)
			*list.count += len(list.owner.Items)
		}
		r.Summary.Owners++
	}
	for _, list := range [][]Owner{r.MustAct, r.ShouldAct} {
		slices.SortStableFunc(list, func(a, b Owner) int { return compareItems(a.Items[0], b.Items[0]) })
	}
	r.identify()
	for _, a := range u.removedAPIs() {
		r.Summary.Removed++
		if !seen[a.APIVersion+" "+a.Kind] && !seen[a.APIVersion] {
			r.NoEvidence = append(r.NoEvidence, a)
		}
	}
	return r
}

type fileObject struct{ file, object string }

func (f *Fact) object() fileObject { return fileObject{f.Evidence.File, f.Evidence.Object} }

// refusedObjects returns the objects in files that the old release already refuses.
func (u Upgrade) refusedObjects(facts []Fact) map[fileObject]bool {
	refused := map[fileObject]bool{}
	for i := range facts {
		f := &facts[i]
		if f.Rule == "" || f.Evidence.Object == "" || f.Severity < rules.Error || !f.Minors.Has(u.From) {
			continue
		}
		refused[f.object()] = true
	}
	delete(refused, fileObject{})
	return refused
}

// subject returns the name of a fact's API, or else its Subject.
func (f *Fact) subject() string {
	if !f.API.IsZero() {
		return f.API.String()
	}
	return f.Subject
}

// key identifies the item of a fact among the items of its owner.
func (f *Fact) key() string {
	if f.Rule == "" && f.Category != "" {
		return f.Category + "\x00" + f.subject()
	}
	if fightRank(f.Rule) > 0 {
		return f.subject() + "\x00" + f.Text // fights with other writers, or for another reason, are separate items
	}
	return f.subject()
}

// finishEvidence sorts the evidence, removes duplicates and limits the number of places.
func (d *draft) finishEvidence() {
	slices.SortStableFunc(d.Evidence, func(a, b Evidence) int {
		return cmp.Or(strings.Compare(a.Source, b.Source), strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			strings.Compare(a.Object, b.Object), strings.Compare(a.Text, b.Text))
	})
	d.Evidence = slices.CompactFunc(d.Evidence, func(a, b Evidence) bool {
		return a.Source == b.Source && a.File == b.File && a.Line == b.Line && a.Column == b.Column && a.Object == b.Object && (a.Line > 0 || a.Text == b.Text)
	})
	if len(d.Evidence) > maxEvidence {
		d.EvidenceLeft = len(d.Evidence) - maxEvidence
		d.Evidence = d.Evidence[:maxEvidence]
	}
	for i := range d.Evidence {
		if d.Evidence[i].Code == nil {
			d.Evidence[i].Code = []Place{}
		}
	}
}

// compareItems sorts items. Items that break first come first.
func compareItems(a, b Item) int {
	switch {
	case isOlder(a.BreaksAt, b.BreaksAt):
		return -1
	case isOlder(b.BreaksAt, a.BreaksAt):
		return 1
	}
	return cmp.Or(cmp.Compare(fightRank(a.Rule), fightRank(b.Rule)), strings.Compare(a.Subject, b.Subject), strings.Compare(a.Category, b.Category), strings.Compare(a.Rule, b.Rule), strings.Compare(a.Text, b.Text))
}

// fightRank returns 1 for the rules about fights, and 0 for other rules. Fights come
// last, because they do not depend on a release.
func fightRank(rule string) int {
	if rule == "fieldfight" || rule == "selfflap" {
		return 1
	}
	return 0
}

// isOlder reports whether release a is older than release b. An empty release is newer
// than all others.
func isOlder(a, b string) bool {
	am, aerr := lifecycle.ParseMinor(a)
	bm, berr := lifecycle.ParseMinor(b)
	switch {
	case a == "" || b == "":
		return a != ""
	case aerr != nil || berr != nil:
		return a < b // at least one of them is not a known release
	}
	return am < bm
}

// removedAPIs returns the APIs that the upgrade removes, in the order of their removal.
func (u Upgrade) removedAPIs() (all []API) {
	target := lifecycle.Target{Range: lifecycle.Range{From: u.From, To: u.To}}
	for api := range lifecycle.All() {
		if api.Class() != lifecycle.Resource || !api.Servable().Has(u.From) {
			continue
		}
		gone := api.RemovedMinors(target) & u.steps()
		if gone == 0 {
			continue
		}
		a := API{
			APIVersion: api.GroupVersion(), Kind: api.Kind(), RemovedIn: gone.Oldest().String(),
			OffByDefault: api.State(u.From, lifecycle.Target{}) != lifecycle.Served,
		}
		a.Replacement = u.replacement(api)
		all = append(all, a)
	}
	slices.SortStableFunc(all, func(a, b API) int {
		if isOlder(a.RemovedIn, b.RemovedIn) {
			return -1
		}
		if isOlder(b.RemovedIn, a.RemovedIn) {
			return 1
		}
		return cmp.Or(strings.Compare(a.APIVersion, b.APIVersion), strings.Compare(a.Kind, b.Kind))
	})
	return all
}

// ParseMinors parses a set of minors such as "1.25..1.37" or "1.16..1.18,1.22". It
// returns the empty set if s is empty or invalid.
func ParseMinors(s string) (set lifecycle.Minors) {
	for part := range strings.SplitSeq(s, ",") {
		if part == "" {
			continue
		}
		if r, err := lifecycle.ParseRange(part); err == nil {
			set |= r.Minors()
		}
	}
	return set
}

// Name sets the probable owners of clients. The keys of likely are names of clients.
func (r *Report) Name(likely map[string]string) {
	for _, list := range [][]Owner{r.MustAct, r.ShouldAct} {
		for i := range list {
			if list[i].Kind == "audit" {
				list[i].Likely = likely[list[i].Name]
			}
		}
	}
}
