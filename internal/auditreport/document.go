// Package auditreport renders what was counted in audit logs, one file per
// format over one document.
//
// Users, agents and object names in an audit log are chosen by whoever sent the
// requests. Formats for people sanitise them, formats for spreadsheets defuse
// them, machine formats escape them.
package auditreport

import (
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
