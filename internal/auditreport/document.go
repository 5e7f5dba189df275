// Package auditreport renders what was counted in audit logs, one file per
// format over one document.
//
// Users, agents and object names in an audit log are chosen by whoever sent the
// requests. Formats for people sanitise them, formats for spreadsheets defuse
// them, machine formats escape them.
package auditreport

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/kubevet/kubevet/manifestlint/auditlog"
	"github.com/kubevet/kubevet/manifestlint/auditlog/tally"
	"github.com/kubevet/kubevet/rules"
)

// Document is a report with stable names: format json prints it as it is.
type Document struct {
	// Findings are the problems as every other verb of kubevet reports them.
	Findings []rules.Finding `json:"findings"`
	// Deprecated is the use of APIs that are removed or deprecated.
	Deprecated Deprecated `json:"deprecated"`
	// Clients are those that write, with how they do it.
	Clients []Client `json:"clients"`
	// SharedManagers are field managers that the server derives alike for
	// different users.
	SharedManagers []SharedManager `json:"sharedManagers"`
	// Conflicts are fields that could not be applied because another manager
	// owns them.
	Conflicts []Conflict `json:"conflicts"`
	// Refused are texts with which the server refused parameters and dry runs.
	Refused []Refused `json:"refused"`
	// Bodies are findings in the objects that clients sent.
	Bodies []Body `json:"bodies"`
	// Metrics compares with a dump of the server's metrics; nil without one.
	Metrics *Metrics `json:"metrics,omitempty"`
	// Notes say what these logs cannot tell.
	Notes   []string `json:"notes"`
	Summary Summary  `json:"summary"`
}

// Deprecated is the use of old APIs.
type Deprecated struct {
	// Requests is how many there were, Unannotated how many of them the server
	// did not mark itself, Wildcard how many came from clients that read
	// everything there is.
	Requests    int64 `json:"requests"`
	Unannotated int64 `json:"unannotated"`
	Wildcard    int64 `json:"wildcard"`
	// GroupBy names the columns of Rows, in their order.
	GroupBy []string `json:"groupBy"`
	Rows    []Row    `json:"rows"`
	// Left is how many rows --top left out.
	Left int `json:"left"`
}

// Row is a group of requests to old APIs.
type Row struct {
	// Group has the value of every column in GroupBy.
	Group map[string]string `json:"group"`
	Count int64             `json:"count"`
	// Unannotated is how many of them the server did not mark itself, Open how
	// many are watches that had not ended.
	Unannotated int64 `json:"unannotated"`
	Open        int64 `json:"open"`
	// Removed is the release that no longer serves the API, "" for none.
	Removed string `json:"removed"`
	// Gone reports whether the target does not serve it.
	Gone bool `json:"gone"`
	// Wildcard reports whether only clients that read everything are in the
	// row.
	Wildcard     bool     `json:"wildcard"`
	APIs         []string `json:"apis"`
	Replacements []string `json:"replacements"`
	First        string   `json:"first"`
	Last         string   `json:"last"`
	AuditIDs     []string `json:"auditIDs"`

	values []string
}

// Client is one who writes. Its clients of other versions and addresses are
// the same one.
type Client struct {
	User  string `json:"user"`
	Agent string `json:"agent"`
	// UserAgents and SourceIPs are as sent; at most a few of each.
	UserAgents []string `json:"userAgents"`
	SourceIPs  []string `json:"sourceIPs"`
	Requests   int64    `json:"requests"`
	Reads      int64    `json:"reads"`
	Creates    int64    `json:"creates"`
	Updates    int64    `json:"updates"`
	Puts       int64    `json:"fullUpdates"`
	Patches    int64    `json:"patches"`
	Deletes    int64    `json:"deletes"`
	Writes     int64    `json:"writes"`
	// Unnamed are writes without a field manager; DerivedManager is what the
	// server calls them.
	Named             int64            `json:"namedWrites"`
	Unnamed           int64            `json:"unnamedWrites"`
	DerivedManager    string           `json:"derivedManager"`
	Managers          map[string]int64 `json:"managers"`
	Applies           int64            `json:"applies"`
	MaybeApplies      int64            `json:"maybeApplies"`
	Forced            int64            `json:"forcedApplies"`
	DryRuns           int64            `json:"dryRuns"`
	DryRunsFailed     int64            `json:"dryRunsFailed"`
	AlreadyExists     int64            `json:"alreadyExists"`
	LockConflicts     int64            `json:"lockConflicts"`
	ManagerConflicts  int64            `json:"managerConflicts"`
	OtherConflicts    int64            `json:"otherConflicts"`
	ComparableWrites  int64            `json:"comparableWrites"`
	NoopWrites        int64            `json:"noopWrites"`
	WritesAfterGet    int64            `json:"writesAfterGet"`
	ImpersonatedCalls int64            `json:"impersonated"`
	First             string           `json:"first"`
	Last              string           `json:"last"`

	unnamedAt tally.Place
}

// SharedManager is a field manager that several users have without naming it.
type SharedManager struct {
	Manager string   `json:"manager"`
	Users   []string `json:"users"`
	Writes  int64    `json:"writes"`
}

// Conflict is a field of an API that another manager owns.
type Conflict struct {
	User    string `json:"user"`
	Agent   string `json:"agent"`
	API     string `json:"api"`
	Manager string `json:"manager"`
	Field   string `json:"field"`
	Count   int64  `json:"count"`
}

// Refused is a text with which the server refused writes.
type Refused struct {
	// Kind is "dryRun" where a webhook cannot be called for a dry run, and
	// Text its name; "parameter" where a parameter is not valid, and Text the
	// server's message.
	Kind  string `json:"kind"`
	User  string `json:"user"`
	Agent string `json:"agent"`
	Text  string `json:"text"`
	Count int64  `json:"count"`
}

// Body is a finding in the objects that a client sent.
type Body struct {
	User    string `json:"user"`
	Agent   string `json:"agent"`
	API     string `json:"api"`
	Rule    string `json:"rule"`
	Message string `json:"message"`
	Path    string `json:"path"`
	// Count is how many requests had it, Objects names a few.
	Count   int64    `json:"count"`
	Objects []string `json:"objects"`
}

// Metrics is the comparison with apiserver_requested_deprecated_apis.
type Metrics struct {
	Unexplained []string `json:"unexplained"`
	Unmeasured  []string `json:"unmeasured"`
}

// Summary tells how the run went.
type Summary struct {
	Inputs      int              `json:"inputs"`
	Bytes       int64            `json:"bytes"`
	Records     int64            `json:"records"`
	Events      int64            `json:"events"`
	Requests    int64            `json:"requests"`
	Copies      int64            `json:"copies"`
	Filtered    int64            `json:"filtered"`
	OpenWatches int64            `json:"openWatches"`
	First       string           `json:"first"`
	Last        string           `json:"last"`
	Server      string           `json:"server"`
	Target      string           `json:"target"`
	Levels      map[string]int64 `json:"levels"`
	// Foreign counts records that are no audit events.
	Foreign int64 `json:"foreign"`
	// Damaged counts records that could not be read, Damage names the first.
	Damaged int64    `json:"damaged"`
	Damage  []Damage `json:"damage"`
	// Unreadable are inputs that could not be read to their end.
	Unreadable []rules.Unreadable `json:"unreadable"`
	Findings   map[string]int     `json:"findings"`
	Seconds    float64            `json:"seconds"`
}

// Damage is one record that could not be read.
type Damage struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Text   string `json:"text"`
}

// Incomplete reports whether something could not be read.
func (s *Summary) Incomplete() bool { return s.Damaged > 0 || len(s.Unreadable) > 0 }

// Options say what to put into a document.
type Options struct {
	// GroupBy are the columns of the rows of old APIs.
	GroupBy []tally.Dimension
	// Top is how many rows there are at most; 0 means all.
	Top int
	// Sort orders the rows.
	Sort Sort
	// Releases keeps only the rows of APIs that these releases remove; "none"
	// is for those that no release does. Empty keeps all.
	Releases []string
	// Metrics are the rows of the server's gauge; nil for none.
	Metrics []tally.MetricRow
	// DeprecatedOnly says that nothing else was counted.
	DeprecatedOnly bool
}

// Sort is an order of rows.
type Sort string

// The orders: by the release that removes the API and real users first, by
// number, by the last use, by the groups' names.
const (
	SortRelease Sort = "release"
	SortCount   Sort = "count"
	SortLast    Sort = "last"
	SortName    Sort = "name"
)

// Sorts are all orders.
func Sorts() []string {
	return []string{string(SortRelease), string(SortCount), string(SortLast), string(SortName)}
}

const timeFormat = "2006-01-02T15:04:05Z"

func when(micros int64) string {
	if micros == 0 {
		return ""
	}
	return time.UnixMicro(micros).UTC().Format(timeFormat)
}

// New makes a document.
func New(r *tally.Report, sum *auditlog.Summary, o Options) *Document {
	if len(o.GroupBy) == 0 {
		o.GroupBy = tally.DefaultDimensions()
	}
	d := &Document{
		Findings: []rules.Finding{}, Clients: []Client{}, SharedManagers: []SharedManager{},
		Conflicts: []Conflict{}, Refused: []Refused{}, Bodies: []Body{}, Notes: []string{},
	}
	if len(o.Releases) > 0 {
		r.Groups = slices.DeleteFunc(r.Groups, func(g *tally.Group) bool {
			release := g.Removed
			if release == "" {
				release = "none"
			}
			return !slices.Contains(o.Releases, release)
		})
	}
	d.rows(r, o)
	d.Clients = clients(r)
	for _, s := range r.Shared {
		m := SharedManager{Manager: s.Manager}
		for _, c := range s.Clients {
			if !slices.Contains(m.Users, c.Who()) {
				m.Users = append(m.Users, c.Who())
			}
			m.Writes += c.Unnamed
		}
		d.SharedManagers = append(d.SharedManagers, m)
	}
	for _, c := range r.Conflicts {
		d.Conflicts = append(d.Conflicts, Conflict{c.Client.Who(), c.Client.Program, c.API.String(), c.Manager, c.Field, c.Count})
	}
	for _, x := range r.Refused {
		kind := "parameter"
		if x.Kind == tally.RefusedDryRun {
			kind = "dryRun"
		}
		d.Refused = append(d.Refused, Refused{kind, x.Client.Who(), x.Client.Program, x.Text, x.Count})
	}
	for _, b := range r.Bodies {
		d.Bodies = append(d.Bodies, Body{b.Client.Who(), b.Client.Program, b.API.String(), b.Finding.Rule, b.Finding.Message, b.Finding.Path, b.Count, orEmpty(b.Objects)})
	}
	if o.Metrics != nil {
		d.Metrics = &Metrics{Unexplained: []string{}, Unmeasured: []string{}}
		unexplained, unmeasured := r.Join(o.Metrics)
		for _, m := range unexplained {
			d.Metrics.Unexplained = append(d.Metrics.Unexplained, m.String())
		}
		for _, m := range unmeasured {
			d.Metrics.Unmeasured = append(d.Metrics.Unmeasured, m.String())
		}
	}
	d.summary(r, sum)
	d.Notes = notes(r, sum, o)
	d.findings(r)
	return d
}

func (d *Document) rows(r *tally.Report, o Options) {
	dep := &d.Deprecated
	for _, by := range o.GroupBy {
		dep.GroupBy = append(dep.GroupBy, string(by))
	}
	for _, g := range r.Groups {
		dep.Requests += g.Count
		dep.Unannotated += g.Derived
		if r.Wildcard[g.Client] {
			dep.Wildcard += g.Count
		}
	}
	rows := r.Rows(o.GroupBy)
	switch o.Sort {
	case SortCount:
		slices.SortStableFunc(rows, func(a, b tally.Row) int { return compare(b.Count, a.Count) })
	case SortLast:
		slices.SortStableFunc(rows, func(a, b tally.Row) int { return compare(b.Last, a.Last) })
	case SortName:
		slices.SortStableFunc(rows, func(a, b tally.Row) int { return slices.Compare(a.Values, b.Values) })
	}
	if o.Top > 0 && len(rows) > o.Top {
		dep.Left = len(rows) - o.Top
		rows = rows[:o.Top]
	}
	dep.Rows = []Row{}
	for _, row := range rows {
		x := Row{
			Group: map[string]string{}, Count: row.Count, Unannotated: row.Derived, Open: row.Open, Removed: row.Removed,
			Gone: row.Gone, Wildcard: row.Wildcard, APIs: orEmpty(row.APIs), Replacements: orEmpty(row.Replacements),
			First: when(row.First), Last: when(row.Last), AuditIDs: orEmpty(row.AuditIDs), values: row.Values,
		}
		for i, by := range o.GroupBy {
			x.Group[string(by)] = row.Values[i]
		}
		dep.Rows = append(dep.Rows, x)
	}
}

func compare(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func orEmpty(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

// maxNames is how many versions and addresses of a client are named.
const maxNames = 5

// clients folds the versions and addresses of each user's programs.
func clients(r *tally.Report) []Client {
	type key struct{ user, agent string }
	by := map[key]*Client{}
	times := map[key][2]int64{}
	var order []key
	for _, c := range r.Clients {
		if c.Creates+c.Updates+c.Patches+c.Deletes == 0 {
			continue
		}
		k := key{c.Who(), c.Program}
		x := by[k]
		if x == nil {
			x = &Client{User: k.user, Agent: k.agent, UserAgents: []string{}, SourceIPs: []string{}, Managers: map[string]int64{}, DerivedManager: c.Derived}
			by[k] = x
			order = append(order, k)
		}
		x.UserAgents = name(x.UserAgents, c.Agent)
		x.SourceIPs = name(x.SourceIPs, c.SourceIP)
		for _, p := range [...]struct {
			to   *int64
			from int64
		}{
			{&x.Requests, c.Requests}, {&x.Reads, c.Reads}, {&x.Creates, c.Creates}, {&x.Updates, c.Updates},
			{&x.Puts, c.Puts}, {&x.Patches, c.Patches}, {&x.Deletes, c.Deletes}, {&x.Writes, c.Writes},
			{&x.Named, c.Named}, {&x.Unnamed, c.Unnamed}, {&x.Applies, c.Applies}, {&x.MaybeApplies, c.MaybeApplies},
			{&x.Forced, c.Forced}, {&x.DryRuns, c.DryRuns}, {&x.DryRunsFailed, c.DryRunsFailed},
			{&x.AlreadyExists, c.AlreadyExists}, {&x.LockConflicts, c.LockConflicts},
			{&x.ManagerConflicts, c.ManagerConflicts}, {&x.OtherConflicts, c.OtherConflicts},
			{&x.ComparableWrites, c.Compared}, {&x.NoopWrites, c.Noops}, {&x.WritesAfterGet, c.AfterGet},
			{&x.ImpersonatedCalls, c.Impersonating},
		} {
			*p.to += p.from
		}
		if x.unnamedAt.Line == 0 {
			x.unnamedAt = c.UnnamedAt
		}
		for m, n := range c.Managers {
			x.Managers[m] += n
		}
		span := times[k]
		if c.First != 0 && (span[0] == 0 || c.First < span[0]) {
			span[0] = c.First
		}
		span[1] = max(span[1], c.Last)
		times[k] = span
	}
	out := make([]Client, 0, len(order))
	for _, k := range order {
		by[k].First, by[k].Last = when(times[k][0]), when(times[k][1])
		out = append(out, *by[k])
	}
	slices.SortStableFunc(out, func(a, b Client) int { return compare(b.Unnamed, a.Unnamed) })
	return out
}

func name(names []string, n string) []string {
	if n == "" || len(names) >= maxNames || slices.Contains(names, n) {
		return names
	}
	return append(names, n)
}

func (d *Document) summary(r *tally.Report, sum *auditlog.Summary) {
	s := &d.Summary
	*s = Summary{
		Inputs: sum.Inputs, Bytes: sum.Bytes, Records: sum.Records, Events: sum.Events,
		Requests: r.Requests, Copies: r.Copies, Filtered: r.Filtered, OpenWatches: r.OpenWatches,
		First: when(r.First), Last: when(r.Last), Target: r.Target.Range.String(),
		Levels: map[string]int64{}, Damaged: sum.Damaged, Damage: []Damage{}, Unreadable: []rules.Unreadable{}, Findings: map[string]int{},
	}
	if r.Server != 0 {
		s.Server = r.Server.String()
	}
	for i, name := range []string{"unknown", "Metadata", "Request", "RequestResponse"} {
		if sum.Levels[i] > 0 {
			s.Levels[name] = sum.Levels[i]
		}
	}
	for _, n := range sum.Foreign[:auditlog.ForeignEmpty] {
		s.Foreign += n
	}
	for _, x := range sum.Damage {
		s.Damage = append(s.Damage, Damage{x.Input, x.Line, x.Column, x.Text})
	}
	for _, f := range sum.Failed {
		s.Unreadable = append(s.Unreadable, rules.Unreadable{File: f.Input, Error: f.Err.Error()})
	}
}

// notes puts into words what the logs cannot tell.
func notes(r *tally.Report, sum *auditlog.Summary, o Options) []string {
	out := []string{}
	events := max(sum.Events, 1)
	of := func(n int64) string {
		if n == events {
			return "all events"
		}
		return fmt.Sprintf("%d of %d events", n, sum.Events)
	}
	lost := func(bit auditlog.Lost, text string) {
		for i := range sum.Lost {
			if bit == 1<<i && sum.Lost[i] > 0 {
				out = append(out, of(sum.Lost[i])+" "+text)
			}
		}
	}
	lost(auditlog.LostQuery, "come from a log without query strings: whether their writes name a field manager, force or dry-run is not known")
	lost(auditlog.LostCode, "come from a log without HTTP statuses: these are derived")
	lost(auditlog.LostGroups, "come from a log without groups and impersonation")
	lost(auditlog.LostReads, "come from a log that has writes only: reads of old APIs are not in it")
	lost(auditlog.LostBodies, "have lost their bodies on the way")
	lost(auditlog.LostAnnotations, "have no annotations: what is deprecated is derived from the path")
	lost(auditlog.LostTail, "were cut off: what stood behind the cut is not known")
	lost(auditlog.LostMetadata, "have bodies without metadata")
	if bodies := sum.Levels[auditlog.LevelRequestResponse]; bodies == 0 && sum.Events > 0 && !o.DeprecatedOnly {
		out = append(out, "no event has the server's answer (level RequestResponse): writes that change nothing cannot be told")
	}
	if r.OpenWatches > 0 {
		out = append(out, watches(r.OpenWatches)+" had not ended: the server marks requests to deprecated APIs only at their end, so these are derived")
	}
	if sum.Events > 0 && sum.Levels[auditlog.LevelRequest]+sum.Levels[auditlog.LevelRequestResponse] > 0 && r.Server >= 31 && r.Server <= 36 {
		out = append(out, "servers of this version lose events of applies whose body is YAML and not JSON: absence is no proof")
	}
	if n := r.Overflow.Clients; n > 0 {
		out = append(out, fmt.Sprintf("too many different clients: %d requests of the last ones are counted together as %s", n, tally.OtherClients))
	}
	if n := r.Overflow.Groups; n > 0 {
		out = append(out, fmt.Sprintf("too many different groups: %d requests to old APIs are counted without their objects", n))
	}
	if n := r.Overflow.Refusals; n > 0 {
		out = append(out, fmt.Sprintf("%d refusals and conflicts beyond the first thousands are not listed", n))
	}
	if n := r.Overflow.Forgotten; n > 0 {
		out = append(out, fmt.Sprintf("%d events were forgotten to bound memory: copies of those would be counted again", n))
	}
	return out
}

// findings turns the report into what the other formats know.
func (d *Document) findings(r *tally.Report) {
	type key struct{ api, user, agent string }
	type agg struct {
		g           *tally.Group
		count, open int64
	}
	by := map[key]*agg{}
	var order []key
	for _, g := range r.Groups {
		k := key{g.API.String(), g.Client.Who(), g.Client.Program}
		a := by[k]
		if a == nil {
			a = &agg{g: g}
			by[k] = a
			order = append(order, k)
		}
		a.count += g.Count
		a.open += g.Open
	}
	for _, k := range order {
		a := by[k]
		g := a.g
		f := rules.Finding{
			Rule: "deprecatedapi", Severity: rules.Warning, File: g.At.Input, Line: g.At.Line, Replacement: r.Replacement(g.API),
			Message: fmt.Sprintf("%s (%s) sent %s to %s", k.user, orNone(k.agent), times(a.count), k.api),
			Object:  &rules.ObjectRef{APIVersion: g.API.GroupVersion(), Kind: g.API.Known.Kind()},
		}
		if f.Object.Kind == "" {
			f.Object.Kind = g.API.Resource
		}
		switch {
		case g.RemovedAt != 0:
			f.Rule, f.Severity, f.Minors = "removedapi", rules.Error, g.RemovedAt.String()
			f.Message += ", which the target does not serve"
		case g.DeprecatedAt != 0:
			f.Minors = g.DeprecatedAt.String()
			f.Message += ", which is deprecated"
		default:
			f.Message += ", which is deprecated"
		}
		if g.Removed != "" && g.RemovedAt == 0 {
			f.Message += " and gone in v" + g.Removed
		}
		if f.Replacement != "" {
			f.Message += "; use " + f.Replacement
		}
		if r.Wildcard[g.Client] {
			f.Severity = rules.Info
			f.Message += " (a client that reads everything there is)"
		}
		d.Findings = append(d.Findings, f)
	}
	for _, b := range r.Bodies {
		f := b.Finding
		f.File, f.Line, f.Column, f.EndLine, f.EndColumn, f.Document = b.At.Input, b.At.Line, 0, 0, 0, 0
		f.Message = fmt.Sprintf("%s (%s) sent %s with: %s", b.Client.Who(), orNone(b.Client.Program), times(b.Count), f.Message)
		d.Findings = append(d.Findings, f)
	}
	for i := range d.Clients {
		c := &d.Clients[i]
		if c.Unnamed == 0 {
			continue
		}
		d.Findings = append(d.Findings, rules.Finding{
			Rule: "fieldmanager", Severity: rules.Info, File: c.unnamedAt.Input, Line: c.unnamedAt.Line,
			Message: fmt.Sprintf("%s (%s) named no field manager in %s; the server calls it %q", c.User, orNone(c.Agent), count(c.Unnamed, "write"), c.DerivedManager),
		})
	}
	for i := range d.Findings {
		if f := &d.Findings[i]; f.Line > 0 {
			f.Column, f.EndLine, f.EndColumn = 1, f.Line, 2
		}
		d.Summary.Findings[d.Findings[i].Rule]++
	}
}

func orNone(agent string) string {
	if agent == "" {
		return "no user agent"
	}
	return agent
}

func times(n int64) string { return count(n, "request") }

func watches(n int64) string {
	if n == 1 {
		return "1 watch"
	}
	return fmt.Sprintf("%d watches", n)
}

func count(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// managers lists field managers by their number.
func managers(m map[string]int64) string {
	names := slices.Collect(maps.Keys(m))
	slices.SortFunc(names, func(a, b string) int {
		if c := compare(m[b], m[a]); c != 0 {
			return c
		}
		return strings.Compare(a, b)
	})
	if len(names) > 3 {
		names = append(names[:3], fmt.Sprintf("and %d more", len(m)-3))
	}
	return strings.Join(names, ", ")
}
