package upgrade

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Fact is one thing that a source shows.
type Fact struct {
	// OwnerKind and OwnerName are as in Owner.
	OwnerKind, OwnerName string
	// API is what is used, the zero API where it is a field, a custom resource or
	// a version as a whole; Subject names it then.
	API     lifecycle.API
	Subject string
	// Category and Reference are as in Item. The rule decides the category where it
	// is empty.
	Category, Reference string
	// Rule and Severity are the finding's, Minors where it holds; none where it
	// does not depend on the release, as where only a server's annotation calls
	// an API deprecated.
	Rule     string
	Severity rules.Severity
	Minors   lifecycle.Minors
	// Planned is the release that a deprecated API goes in, empty for none.
	Planned string
	// Text and Replacement are as in Item.
	Text, Replacement string
	Evidence          Evidence
	// Ref is the object of the evidence, the zero value if there is none.
	Ref rules.ObjectRef
	// Attach marks a fact about requests whose client is unknown: it is added to all clients
	// that are known to send such requests.
	Attach bool
	// Always keeps a fact whose Minors are empty.
	Always bool
	// Later keeps a fact that holds for the old release and not for the new one:
	// what must not be applied before the upgrade.
	Later bool
}

// Upgrade is a way from one release to another. From is older than To.
type Upgrade struct{ From, To lifecycle.Minor }

// steps are the releases on the way, without the first.
func (u Upgrade) steps() lifecycle.Minors {
	return lifecycle.Range{From: u.From + 1, To: u.To}.Minors()
}

// level is what a fact asks for.
type level uint8

const (
	nothing level = iota
	informs
	should
	must
)

// rate returns the level of a fact, and the release that breaks it.
func (u Upgrade) rate(f *Fact) (l level, breaksAt string, already bool) {
	on := f.Minors & u.steps()
	if f.Minors == 0 && f.Always {
		return asks(f.Severity, should), f.Planned, false
	}
	if f.Later && f.Minors.Has(u.From) && !f.Minors.Has(u.To) {
		return asks(f.Severity, should), "", false
	}
	// The upgrade itself fixes these, or they are over before it begins.
	if on == 0 || f.Minors.Has(u.From) && !f.Minors.Has(u.To) {
		return nothing, "", false
	}
	if f.Severity < rules.Error && !f.ofVersions() && f.Minors.Has(u.From) && on == u.steps() {
		return informs, "", false // what no release on the way makes better or worse
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

// ofVersions reports whether a fact is about what releases take away, sooner or
// later, or about upgrades as such: it concerns every upgrade, though nothing may
// change on the way.
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

// category returns what a fact is about.
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

// asks is what a severity asks for at most.
func asks(s rules.Severity, most level) level {
	if s < rules.Warning {
		return informs
	}
	return most
}

// maxEvidence is how many places an item names.
const maxEvidence = 20

// draft is an item in the making.
type draft struct {
	Item
	level level
	api   lifecycle.API
}

// Merge makes a report of facts. The order of the facts does not matter, but for
// those that are the same in all but their text.
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
	seen := map[string]bool{} // APIs and group versions that something shows
	told := map[string]bool{} // what clients use who need nothing of it
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
			l = informs // one more reason to refuse what is refused today
		}
		switch l {
		case nothing:
		case informs:
			r.Summary.Informational++
			told[f.subject()] = told[f.subject()] || f.OwnerKind == "audit"
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
		case told[f.subject()]: // which explains it
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

// written is an object in a file.
type written struct{ file, object string }

func (f *Fact) object() written { return written{f.Evidence.File, f.Evidence.Object} }

// refused are the objects in files that the release which runs refuses already.
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

// subject names what a fact is about.
func (f *Fact) subject() string {
	if !f.API.IsZero() {
		return f.API.String()
	}
	return f.Subject
}

// key returns the identity of the item that a fact belongs to, among those of its owner.
func (f *Fact) key() string {
	if f.Rule == "" && f.Category != "" {
		return f.Category + "\x00" + f.subject()
	}
	if fights(f.Rule) > 0 {
		return f.subject() + "\x00" + f.Text // whom it fights with, and why
	}
	return f.subject()
}

// settle sorts the evidence, drops duplicates, and limits its length.
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

// compareItems sorts what breaks first to the front.
func compareItems(a, b Item) int {
	switch {
	case earlier(a.BreaksAt, b.BreaksAt):
		return -1
	case earlier(b.BreaksAt, a.BreaksAt):
		return 1
	}
	return cmp.Or(cmp.Compare(fights(a.Rule), fights(b.Rule)), strings.Compare(a.Subject, b.Subject), strings.Compare(a.Category, b.Category), strings.Compare(a.Rule, b.Rule), strings.Compare(a.Text, b.Text))
}

// fights returns 1 for rules that do not depend on a version, so that their items come last.
func fights(rule string) int {
	if rule == "fieldfight" || rule == "selfflap" {
		return 1
	}
	return 0
}

// earlier compares releases; none comes last.
func earlier(a, b string) bool {
	am, aerr := lifecycle.ParseMinor(a)
	bm, berr := lifecycle.ParseMinor(b)
	switch {
	case a == "" || b == "":
		return a != ""
	case aerr != nil || berr != nil:
		return a < b // releases beyond the tables
	}
	return am < bm
}

// removed are the APIs that a release on the way removes, earliest first.
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

// ParseMinors reads a set of minors as findings give it, such as
// "1.25..1.37" or "1.16..1.18,1.22"; the empty set where it is empty or none.
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

// Name sets the probable owners of clients, by the names of these.
func (r *Report) Name(likely map[string]string) {
	for _, list := range [][]Owner{r.MustAct, r.ShouldAct} {
		for i := range list {
			if list[i].Kind == "audit" {
				list[i].Likely = likely[list[i].Name]
			}
		}
	}
}
