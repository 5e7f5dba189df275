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
	// API is the API that is used. If the fact is about a field, a custom resource or a
	// whole API version, API is zero, and Subject names what the fact is about.
	API     lifecycle.API
	Subject string
	// Category and Reference mean the same as in Item. If Category is empty, it follows
	// from the rule.
	Category, Reference string
	// Rule and Severity are from the finding. Minors has the releases for which the fact
	// is true. It is empty if the fact does not depend on the release. This is so if, for
	// example, only the annotation of a server says that an API is deprecated.
	Rule     string
	Severity rules.Severity
	Minors   lifecycle.Minors
	// Planned is the release that is planned to remove a deprecated API. It is empty if
	// there is no plan.
	Planned string
	// Text and Replacement mean the same as in Item.
	Text, Replacement string
	Evidence          Evidence
	// Ref is the object of the evidence. It is zero if there is none.
	Ref rules.ObjectRef
	// Attach marks a fact about requests whose client is unknown. Merge adds its evidence
	// to all clients that are known to send such requests.
	Attach bool
	// If Always is true, Merge uses the fact even if Minors is empty.
	Always bool
	// Later marks a fact that is true for the old release and not for the new release.
	// The user must not apply the object before the upgrade.
	Later bool
}

// Upgrade is an upgrade over one or more releases. From is older than To.
type Upgrade struct{ From, To lifecycle.Minor }

// steps returns the releases after From, up to To.
func (u Upgrade) steps() lifecycle.Minors {
	return lifecycle.Range{From: u.From + 1, To: u.To}.Minors()
}

// level says how much a fact asks of its owner.
type level uint8

const (
	nothing level = iota
	informs
	should
	must
)

// rate returns the level of a fact, and the release that breaks it. already is true if
// this is the old release.
func (u Upgrade) rate(f *Fact) (l level, breaksAt string, already bool) {
	on := f.Minors & u.steps()
	if f.Minors == 0 && f.Always {
		return asks(f.Severity, should), f.Planned, false
	}
	if f.Later && f.Minors.Has(u.From) && !f.Minors.Has(u.To) {
		return asks(f.Severity, should), "", false
	}
	// The upgrade fixes these facts, or they are not true for any release of the upgrade.
	if on == 0 || f.Minors.Has(u.From) && !f.Minors.Has(u.To) {
		return nothing, "", false
	}
	if f.Severity < rules.Error && !f.ofVersions() && f.Minors.Has(u.From) && on == u.steps() {
		return informs, "", false // it is the same in all releases, so the upgrade changes nothing
	}
	if f.Rule == warning && f.Planned == "" && f.Severity < rules.Error && !f.Minors.Has(u.From) {
		return asks(f.Severity, should), on.Oldest().String(), false
	}
	if f.Rule != "removedapi" && f.Severity < rules.Error {
		return asks(f.Severity, should), f.Planned, false
	}
	if f.Minors.Has(u.From) {
		return asks(f.Severity, should), u.From.String(), true
	}
	if f.Severity < rules.Error {
		return asks(f.Severity, should), on.Oldest().String(), false
	}
	return must, on.Oldest().String(), false
}

// ofVersions reports whether a fact concerns every upgrade, even if no release of this
// upgrade changes its subject. It returns true for facts about APIs and fields that some
// release removes, and for facts that matter in every upgrade, such as fights between
// writers.
func (f *Fact) ofVersions() bool {
	if f.Rule == "" && f.Category != "" {
		return true
	}
	switch f.Rule {
	case "removedapi", "deprecatedapi", "deprecatedfield", "disabledapi", "futureapi", "crdversions", "fieldfight", "selfflap":
		return true
	}
	return false
}

// category returns the category of the item that a fact belongs to.
func (f *Fact) category() string {
	switch {
	case f.Category != "":
		return f.Category
	case fights(f.Rule) > 0:
		return "fight"
	case f.Rule == "deprecatedfield":
		return "field"
	case !f.API.IsZero() || f.ofVersions():
		return "api"
	}
	return "verdict"
}

// asks returns most for a warning or an error. For lower severities it returns informs.
func asks(s rules.Severity, most level) level {
	if s < rules.Warning {
		return informs
	}
	return most
}

// maxEvidence is the maximal number of places that an item lists.
const maxEvidence = 20

// draft is an item that Merge is building.
type draft struct {
	Item
	level level
	api   lifecycle.API
}

// Merge returns the report for facts. The order of facts matters only if two facts differ
// in nothing but their Text.
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
			if ofAPI(f.Rule) && !f.API.IsZero() {
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
		if l == d.level && earlier(breaksAt, d.BreaksAt) {
			d.BreaksAt = breaksAt
		}
	}
	refused := u.refused(facts)
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
		l, breaksAt, already := u.rate(f)
		if l == must && !f.ofVersions() && refused[f.object()] {
			l = informs // the object is refused today; this is a further reason
		}
		switch l {
		case nothing:
		case informs:
			r.Summary.Informational++
			informed[f.subject()] = informed[f.subject()] || f.OwnerKind == "audit"
		default:
			add(owner{f.OwnerKind, f.OwnerName}, f, l, breaksAt, already)
		}
	}
	for _, f := range attach {
		l, breaksAt, already := u.rate(f)
		if l == nothing || l == informs {
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
			d.settle()
			if d.level == must {
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
	for _, a := range u.removed() {
		r.Summary.Removed++
		if !seen[a.APIVersion+" "+a.Kind] && !seen[a.APIVersion] {
			r.NoEvidence = append(r.NoEvidence, a)
		}
	}
	return r
}

// written identifies an object in a file.
type written struct{ file, object string }

func (f *Fact) object() written { return written{f.Evidence.File, f.Evidence.Object} }

// refused returns the objects in files that the old release already refuses.
func (u Upgrade) refused(facts []Fact) map[written]bool {
	refused := map[written]bool{}
	for i := range facts {
		f := &facts[i]
		if f.Rule == "" || f.Evidence.Object == "" || f.Severity < rules.Error || !f.Minors.Has(u.From) {
			continue
		}
		refused[f.object()] = true
	}
	delete(refused, written{})
	return refused
}

// subject returns the name of the subject of a fact: its API, or its Subject.
func (f *Fact) subject() string {
	if !f.API.IsZero() {
		return f.API.String()
	}
	return f.Subject
}

// key returns a key that identifies the item of a fact among the items of its owner.
func (f *Fact) key() string {
	if f.Rule == "" && f.Category != "" {
		return f.Category + "\x00" + f.subject()
	}
	if fights(f.Rule) > 0 {
		return f.subject() + "\x00" + f.Text // fights with other writers, or for another reason, are separate items
	}
	return f.subject()
}

// settle sorts the evidence, removes duplicates and limits the number of places.
func (d *draft) settle() {
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

// compareItems compares items for sorting. Items that break first come first.
func compareItems(a, b Item) int {
	switch {
	case earlier(a.BreaksAt, b.BreaksAt):
		return -1
	case earlier(b.BreaksAt, a.BreaksAt):
		return 1
	}
	return cmp.Or(cmp.Compare(fights(a.Rule), fights(b.Rule)), strings.Compare(a.Subject, b.Subject), strings.Compare(a.Category, b.Category), strings.Compare(a.Rule, b.Rule), strings.Compare(a.Text, b.Text))
}

// fights returns 1 for the rules about fights, and 0 for other rules. Items sort by it,
// so that fights come last, because they do not depend on a release.
func fights(rule string) int {
	if rule == "fieldfight" || rule == "selfflap" {
		return 1
	}
	return 0
}

// earlier reports whether release a is older than release b. An empty release counts as
// newer than all others.
func earlier(a, b string) bool {
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

// removed returns the APIs that a release of the upgrade removes, in the order of their
// removal.
func (u Upgrade) removed() (all []API) {
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
		if earlier(a.RemovedIn, b.RemovedIn) {
			return -1
		}
		if earlier(b.RemovedIn, a.RemovedIn) {
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

// Name sets the probable owners of clients. The keys of likely are the names of the
// clients.
func (r *Report) Name(likely map[string]string) {
	for _, list := range [][]Owner{r.MustAct, r.ShouldAct} {
		for i := range list {
			if list[i].Kind == "audit" {
				list[i].Likely = likely[list[i].Name]
			}
		}
	}
}
