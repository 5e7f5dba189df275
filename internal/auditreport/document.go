// Package auditreport renders what was counted in audit logs, one file per
// format over one document.
//
// Users, agents and object names in an audit log are chosen by whoever sent the
// requests. Formats for people sanitise them, formats for spreadsheets defuse
// them, machine formats escape them.
package auditreport

import (
	"github.com/kubevet/kubevet/auditlog/tally"
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
	// Fights are writers that keep reverting each other on one object, and
	// writers that flap a value of their own.
	Fights []Fight `json:"fights"`
	// Leftovers are entries in managedFields that keep fields from being
	// removed by a later apply.
	Leftovers []Leftover `json:"leftovers"`
	// Contention tells how fights were looked for.
	Contention Contention `json:"contention"`
	// Metrics compares with a dump of the server's metrics; nil without one.
	Metrics *Metrics `json:"metrics,omitempty"`
	// Code says where in Go code the calls are made; nil where none was given.
	Code *Code `json:"code,omitempty"`
	// Notes say what these logs cannot tell.
	Notes   []string `json:"notes"`
	Summary Summary  `json:"summary"`

	// uses are all requests to old APIs by useDimensions, whatever --group-by
	// and --top say.
	uses []Row
	// oldOnly says that nothing but requests to old APIs was counted.
	oldOnly bool
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
	// Timeline has the requests in steps of Step seconds, those without any left
	// out. Step is the shortest of which there are not too many, at least 1; it
	// is 0 where no request has a time.
	Step     int64     `json:"step"`
	Timeline []UseStep `json:"timeline"`
	AuditIDs []string  `json:"auditIDs"`

	values []string
}

// UseStep is a stretch of time with requests to old APIs in it.
type UseStep struct {
	At       string `json:"at"`
	Requests int64  `json:"requests"`
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

// FightObject names an object, whatever version of its API it is written
// through.
type FightObject struct {
	Group     string `json:"group"`
	Resource  string `json:"resource"`
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// Fight is a finding of rule fieldfight or selfflap on one object.
type Fight struct {
	Rule   string      `json:"rule"`
	Object FightObject `json:"object"`
	// APIVersions are all that it was written through.
	APIVersions []string `json:"apiVersions"`
	// Writers are who fights, those with most reversals first. Of selfflap
	// there is one.
	Writers []FightWriter `json:"writers"`
	// Fields are what is fought for, FieldsLeft is how many more there are.
	// None are known where the log has no bodies. The path of an object that is
	// deleted and made anew is "(object)".
	Fields     []FightField `json:"fields"`
	FieldsLeft int          `json:"fieldsLeft"`
	// Reversals counts writes that took back another writer's value. AtLeast
	// says that older writes to the object were forgotten.
	Reversals int64 `json:"reversals"`
	AtLeast   bool  `json:"atLeast"`
	// First and Last are when the first and the last reversal was.
	First string `json:"first"`
	Last  string `json:"last"`
	// Ongoing says that the fight had not ended when the log did.
	Ongoing     bool    `json:"ongoing"`
	RatePerHour float64 `json:"ratePerHour"`
	// Winner is the index of the writer whose values stand at the end, -1 where
	// that is not known.
	Winner int32 `json:"winner"`
	// Evidence is exact where the log has the server's answers, partial where it
	// has what was sent, probable where it has neither.
	Evidence string `json:"evidence"`
	// Mechanism is how the fight comes about: full-update, apply-of-fetched,
	// forced-apply, atomic-list, shared-manager, webhook, scale,
	// delete-recreate, patches or self. Cause says it in words, Cure what to
	// change; Page is the rule whose page tells more.
	Mechanism string `json:"mechanism"`
	Cause     string `json:"cause"`
	Cure      string `json:"cure"`
	Page      string `json:"page"`
	// Timeline has the reversals of each writer in steps of Step seconds, from
	// the first reversal to the last.
	Timeline []FightStep `json:"timeline"`
	Step     float64     `json:"step"`
}

// FightWriter is one of those who fight.
type FightWriter struct {
	// User and Agent are the client; of a webhook, its configuration and its
	// name.
	User    string `json:"user"`
	Agent   string `json:"agent"`
	Manager string `json:"manager"`
	// Kind is client or webhook.
	Kind string `json:"kind"`
	// How are the ways in which it reverts, the most frequent first: create,
	// full update, scale, patch, JSON patch, merge patch, apply, forced apply,
	// delete, webhook.
	How []string `json:"how"`
	// Writes are all its known writes to the object, Wins the fought fields
	// that have its value at the end.
	Writes    int64 `json:"writes"`
	Reversals int64 `json:"reversals"`
	Wins      int64 `json:"wins"`
}

// FightField is a field that is fought for.
type FightField struct {
	Path      string `json:"path"`
	Reversals int64  `json:"reversals"`
}

// FightStep is a stretch of a fight's time, with the reversals of each of the
// fight's writers.
type FightStep struct {
	At        string  `json:"at"`
	Reversals []int64 `json:"reversals"`
}

// Leftover is an entry in managedFields that an update left beside an apply.
type Leftover struct {
	Object FightObject `json:"object"`
	// Manager applies; Update is the manager of the entry that is left over.
	Manager string `json:"manager"`
	Update  string `json:"update"`
	User    string `json:"user"`
	Agent   string `json:"agent"`
	// Fields are owned by that entry, FieldsLeft is how many more there are.
	Fields     []string `json:"fields"`
	FieldsLeft int      `json:"fieldsLeft"`
	Last       string   `json:"last"`
}

// Contention tells how fights were looked for.
type Contention struct {
	// Off says that they were not.
	Off bool `json:"off"`
	// Objects had several writers, Writes were looked at.
	Objects int64 `json:"objects"`
	Writes  int64 `json:"writes"`
	// Undecided are objects that several writers take turns on, in a log that
	// cannot tell whether they fight.
	Undecided int64 `json:"undecided"`
	// Forgotten are writes, Unread writes whose fields were not kept, for want
	// of room.
	Forgotten int64 `json:"forgotten"`
	Unread    int64 `json:"unread"`
	// MinReversals, Window and Answer are the thresholds.
	MinReversals int    `json:"minReversals"`
	Window       string `json:"window"`
	Answer       string `json:"answer"`
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

// Code is what is known of the Go code behind clients.
type Code struct {
	// Modules were looked at.
	Modules []CodeModule `json:"modules"`
	// Origins are the places behind deprecated calls and fights.
	Origins []CodeOrigin `json:"origins"`
	// Unknown are clients that make such calls or fight, and of whom none of
	// the code has the name.
	Unknown []CodeClient `json:"unknown"`
}

// CodeModule is a Go module that was looked at.
type CodeModule struct {
	Module    string `json:"module"`
	Directory string `json:"directory"`
	// Packages have to do with Kubernetes, Failed could not be read in full.
	Packages int `json:"packages"`
	Failed   int `json:"failed"`
}

// CodeClient is a client as findings name it.
type CodeClient struct {
	User    string `json:"user"`
	Agent   string `json:"agent"`
	Manager string `json:"manager"`
}

// CodeOrigin is code that is probably behind what a client does.
type CodeOrigin struct {
	// Rule and Subject are the finding's: deprecatedapi or removedapi and an
	// API, fieldfight or selfflap and an object.
	Rule    string `json:"rule"`
	Subject string `json:"subject"`
	User    string `json:"user"`
	Agent   string `json:"agent"`
	Manager string `json:"manager"`
	// Confidence is constant where the code signs with the client's name, binary
	// where one of its programs has it, module where only the module has.
	Confidence string `json:"confidence"`
	// Name is what client and code have in common, Named where the code has it;
	// nil where it is the module's own name.
	Name    string     `json:"name"`
	Named   *CodePlace `json:"named,omitempty"`
	Module  string     `json:"module"`
	Package string     `json:"package"`
	// Places are what can make the calls, the likeliest first; Left is how many
	// more there are. There are none where the code does not name the API.
	Places []CodePlace `json:"places"`
	Left   int         `json:"left"`
}

// CodePlace is a place in Go code.
type CodePlace struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	// Does says what is there.
	Does string `json:"does"`
}
