// Package auditreport writes reports about audit logs. It has one document type and
// eleven formats, with one file for each format.
//
// Clients choose the user agents and object names in an audit log. So every format prints
// these texts through package quote. Formats for spreadsheets also
// remove formulas.
package auditreport

import (
	"github.com/kubevet/kubevet/auditlog/tally"
	"github.com/kubevet/kubevet/rules"
)

// Document is a report. The names of its JSON fields are stable, and the format json
// prints it unchanged.
type Document struct {
	// Findings has the problems in the form that all commands report.
	Findings []rules.Finding `json:"findings"`
	// Deprecated has the requests to removed or deprecated APIs.
	Deprecated Deprecated `json:"deprecated"`
	// Clients has the clients that write.
	Clients []Client `json:"clients"`
	// SharedManagers has the field managers that the server derived from the user agents
	// of several users.
	SharedManagers []SharedManager `json:"sharedManagers"`
	// Conflicts has the fields that a client could not apply, because another manager
	// owns them.
	Conflicts []Conflict `json:"conflicts"`
	// Refused has the messages of the server for refused parameters and dry runs.
	Refused []Refused `json:"refused"`
	// Bodies has the findings in objects that clients sent.
	Bodies []Body `json:"bodies"`
	// Fights has the writers that repeatedly revert each other on an object, and the
	// writers that repeatedly revert their own value.
	Fights []Fight `json:"fights"`
	// Undecided has writers that take turns on an object, if the log does not show whether
	// they fight. It has at most 100 entries, those with most turns first.
	Undecided []Turns `json:"undecided"`
	// Leftovers has old entries in managedFields. They prevent a later apply from removing
	// fields.
	Leftovers []Leftover `json:"leftovers"`
	// Contention has the numbers of the search for fights.
	Contention Contention `json:"contention"`
	// Admission has the requests that admission control denied or would deny.
	Admission Admission `json:"admission"`
	// Metrics is the comparison with a dump of the server's metrics. It is nil without a
	// dump.
	Metrics *Metrics `json:"metrics,omitempty"`
	// Code has the Go code that probably sends requests. It is nil without code.
	Code *Code `json:"code,omitempty"`
	// Notes has the facts that the logs cannot show.
	Notes   []string `json:"notes"`
	Summary Summary  `json:"summary"`

	// uses has all requests to deprecated and removed APIs, grouped by useDimensions. It
	// does not depend on --group-by and --top.
	uses []Row
	// deprecatedOnly is true if only requests to deprecated or removed APIs were counted.
	// admissionOnly is true if only Admission is set.
	deprecatedOnly, admissionOnly bool
}

// Deprecated has the requests to deprecated and removed APIs.
type Deprecated struct {
	// Requests is the number of all requests. Unannotated is the number of requests that
	// the server did not mark as deprecated. Wildcard is the number of requests by
	// clients that read all resources.
	Requests    int64 `json:"requests"`
	Unannotated int64 `json:"unannotated"`
	Wildcard    int64 `json:"wildcard"`
	// GroupBy has the names of the columns of Rows, in their order.
	GroupBy []string `json:"groupBy"`
	Rows    []Row    `json:"rows"`
	// Left is the number of rows that --top leaves out.
	Left int `json:"left"`
}

// Row is a group of requests to a deprecated or removed API.
type Row struct {
	// Group has the value of each column in GroupBy.
	Group map[string]string `json:"group"`
	Count int64             `json:"count"`
	// Unannotated is the number of requests that the server did not mark as deprecated.
	// Open is the number of watches that had not ended. Rejected is the number of
	// requests that the server answered with 404 because it does not serve the API.
	Unannotated int64 `json:"unannotated"`
	Open        int64 `json:"open"`
	Rejected    int64 `json:"rejected"`
	// Removed is the first release without the API. It is "" if no removal is planned.
	Removed string `json:"removed"`
	// Gone is true if the target does not serve the API.
	Gone bool `json:"gone"`
	// Wildcard is true if all clients of the row read all resources.
	Wildcard     bool     `json:"wildcard"`
	APIs         []string `json:"apis"`
	Replacements []string `json:"replacements"`
	First        string   `json:"first"`
	Last         string   `json:"last"`
	// Timeline has the number of requests in intervals of Step seconds, without empty
	// intervals. Step is 0 if no request has a time.
	Step     int64     `json:"step"`
	Timeline []UseStep `json:"timeline"`
	AuditIDs []string  `json:"auditIDs"`

	values []string
	// firstPlace is the position of the earliest event of the row.
	firstPlace tally.Place
	// unserved is true if the server that wrote the logs rejected all requests, because
	// it no longer serves the API.
	unserved bool
}

// UseStep is one interval of a timeline.
type UseStep struct {
	At       string `json:"at"`
	Requests int64  `json:"requests"`
}

// Client is a writer. All versions and addresses of a program are one client.
type Client struct {
	User  string `json:"user"`
	Agent string `json:"agent"`
	// UserAgents and SourceIPs have some of the values that the client sent.
	UserAgents []string `json:"userAgents"`
	SourceIPs  []string `json:"sourceIPs"`
	Requests   int64    `json:"requests"`
	Reads      int64    `json:"reads"`
	Creates    int64    `json:"creates"`
	Updates    int64    `json:"updates"`
	Puts       int64    `json:"fullUpdates"`
	Patches    int64    `json:"patches"`
	Deletes    int64    `json:"deletes"`
	// Writes is the number of creates, updates, patches and deletions that the server
	// carried out. Dry runs are not counted.
	Writes int64 `json:"writes"`
	// Named is the number of writes in which the client named a field manager. Unnamed is
	// the number of writes for which the server derived the name, and DerivedManager is
	// this name. Deletions, reviews, evictions, bindings and token requests record no
	// manager.
	Named          int64            `json:"namedWrites"`
	Unnamed        int64            `json:"unnamedWrites"`
	DerivedManager string           `json:"derivedManager"`
	Managers       map[string]int64 `json:"managers"`
	// Applies is the number of server-side applies, and Forced the number of forced
	// applies. MaybeApplies is the number of patches that may be applies. These numbers
	// include refused requests, but no dry runs.
	Applies          int64 `json:"applies"`
	MaybeApplies     int64 `json:"maybeApplies"`
	Forced           int64 `json:"forcedApplies"`
	DryRuns          int64 `json:"dryRuns"`
	DryRunsFailed    int64 `json:"dryRunsFailed"`
	AlreadyExists    int64 `json:"alreadyExists"`
	LockConflicts    int64 `json:"lockConflicts"`
	ManagerConflicts int64 `json:"managerConflicts"`
	OtherConflicts   int64 `json:"otherConflicts"`
	// ComparableWrites is the number of updates and patches for which the log shows the
	// object's version before and after. NoopWrites is the number of ComparableWrites
	// that changed nothing.
	ComparableWrites  int64  `json:"comparableWrites"`
	NoopWrites        int64  `json:"noopWrites"`
	WritesAfterGet    int64  `json:"writesAfterGet"`
	ImpersonatedCalls int64  `json:"impersonated"`
	First             string `json:"first"`
	Last              string `json:"last"`

	unnamedAt tally.Place
}

// SharedManager is a field manager that the server derived for several users.
type SharedManager struct {
	Manager string   `json:"manager"`
	Users   []string `json:"users"`
	Writes  int64    `json:"writes"`
}

// Conflict is a field that a client could not apply, because another manager owns it.
type Conflict struct {
	User    string `json:"user"`
	Agent   string `json:"agent"`
	API     string `json:"api"`
	Manager string `json:"manager"`
	Field   string `json:"field"`
	Count   int64  `json:"count"`
}

// Refused is an answer of the server that refused writes.
type Refused struct {
	// Kind is "dryRun" or "parameter". For a dryRun, Text is the name of a webhook that
	// does not support dry runs. For a parameter, Text is the server's message about the
	// invalid parameter.
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
	// Count is the number of requests with the finding. Objects has some of the objects.
	Count   int64    `json:"count"`
	Objects []string `json:"objects"`
}

// FightObject identifies an object. It does not depend on the version of the API.
type FightObject struct {
	Group     string `json:"group"`
	Resource  string `json:"resource"`
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// Fight is a finding of the rule fieldfight or selfflap on one object.
type Fight struct {
	Rule   string      `json:"rule"`
	Object FightObject `json:"object"`
	// APIVersions has the API versions of the writes.
	APIVersions []string `json:"apiVersions"`
	// Writers has the writers, sorted by number of reversals, the highest first. A
	// selfflap has only one writer.
	Writers []FightWriter `json:"writers"`
	// Fields has the fields of the fight. It is empty if the log has no bodies. The field
	// "(object)" means that the object is repeatedly deleted and created. FieldsLeft is
	// the number of fields that are not listed.
	Fields     []FightField `json:"fields"`
	FieldsLeft int          `json:"fieldsLeft"`
	// Reversals is the number of writes that reverted the value of another writer. If
	// AtLeast is true, there may be more, because older writes were forgotten.
	Reversals int64 `json:"reversals"`
	AtLeast   bool  `json:"atLeast"`
	// First and Last are the times of the first and the last reversal.
	First string `json:"first"`
	Last  string `json:"last"`
	// Ongoing is true if the fight continued until the end of the log.
	Ongoing     bool    `json:"ongoing"`
	RatePerHour float64 `json:"ratePerHour"`
	// Winner is the index of the writer whose values are in the object at the end. It is
	// -1 if unknown.
	Winner int32 `json:"winner"`
	// Evidence is "exact" if the log has the server's answers, "partial" if it has only
	// the requests, and "probable" if it has no bodies.
	Evidence string `json:"evidence"`
	// Mechanism is the kind of fight: full-update, apply-of-fetched, forced-apply,
	// atomic-list, shared-manager, webhook, scale, delete-recreate, patches, side-by-side
	// or self. Cause explains the kind. Cure says what to change. Page is the rule whose
	// page has more information.
	Mechanism string `json:"mechanism"`
	Cause     string `json:"cause"`
	Cure      string `json:"cure"`
	Page      string `json:"page"`
	// Timeline has the number of reversals of each writer, in intervals of Step seconds
	// from the first to the last reversal.
	Timeline []FightStep `json:"timeline"`
	Step     float64     `json:"step"`
	// Turns has the last writes of the fight, at most three.
	Turns []FightTurn `json:"turns"`
}

// FightWriter is a writer in a fight.
type FightWriter struct {
	// User and Agent identify the client. For a webhook, User is the configuration and
	// Agent the name of the webhook.
	User    string `json:"user"`
	Agent   string `json:"agent"`
	Manager string `json:"manager"`
	// Kind is "client" or "webhook".
	Kind string `json:"kind"`
	// How has the methods with which the writer reverts values, the most frequent first:
	// create, full update, scale, patch, JSON patch, merge patch, apply, forced apply,
	// delete, webhook.
	How []string `json:"how"`
	// Writes is the number of this writer's writes to the object. Wins is the number of
	// fields that have this writer's value at the end.
	Writes    int64 `json:"writes"`
	Reversals int64 `json:"reversals"`
	Wins      int64 `json:"wins"`
}

// FightField is a field of a fight.
type FightField struct {
	Path      string `json:"path"`
	Reversals int64  `json:"reversals"`
	// Values has a list for each writer with its last values, the latest first, at most
	// three. A list is empty if the values are unknown. Values are JSON, or strings
	// without quotes if this is unambiguous. Values longer than 64 bytes are cut and
	// followed by their size and a part of their fingerprint. The words absent, empty,
	// present, redacted and not kept, without quotes, are descriptions and not values.
	Values [][]string `json:"values"`
}

// FightTurn is a write in a fight.
type FightTurn struct {
	At string `json:"at"`
	// Writer is the index of the writer. How is the method of the write.
	Writer int32  `json:"writer"`
	How    string `json:"how"`
	// File and Line are the position of the event in the log. AuditID is its ID.
	File    string `json:"file"`
	Line    int    `json:"line"`
	AuditID string `json:"auditID"`
}

// FightStep is one interval of a fight. Reversals has one number for each writer.
type FightStep struct {
	At        string  `json:"at"`
	Reversals []int64 `json:"reversals"`
}

// Turns has two writers that alternately write an object. The log has no bodies, so it
// does not show whether they fight.
type Turns struct {
	Object  FightObject  `json:"object"`
	Writers []TurnWriter `json:"writers"`
	// Turns is the number of changes from one writer to another.
	Turns int64 `json:"turns"`
	// First and Last are the times of the first and the last write.
	First string `json:"first"`
	Last  string `json:"last"`
	// Examples has the last writes, at most three.
	Examples []FightTurn `json:"examples"`
	// Decide says how the user can find out whether the writers fight.
	Decide string `json:"decide"`
}

// TurnWriter is one of the writers that take turns.
type TurnWriter struct {
	User    string `json:"user"`
	Agent   string `json:"agent"`
	Manager string `json:"manager"`
	// How has the methods of this writer, the most frequent first.
	How []string `json:"how"`
	// Writes is the number of writes by this writer. After is the median time, in
	// seconds, from a write of the other writer to the answer of this writer.
	Writes int64   `json:"writes"`
	After  float64 `json:"after"`
}

// Leftover is an entry of an update in the managedFields of an object that is now applied.
type Leftover struct {
	Object FightObject `json:"object"`
	// Manager is the field manager that applies the object. Update is the field manager of
	// the entry.
	Manager string `json:"manager"`
	Update  string `json:"update"`
	User    string `json:"user"`
	Agent   string `json:"agent"`
	// Fields has the fields of the entry. FieldsLeft is the number of fields that are not
	// listed.
	Fields     []string `json:"fields"`
	FieldsLeft int      `json:"fieldsLeft"`
	Last       string   `json:"last"`
}

// Contention has the numbers of the search for fights.
type Contention struct {
	// Off is true if the run did not search for fights.
	Off bool `json:"off"`
	// Objects is the number of objects with several writers. Writes is the number of
	// writes that were compared.
	Objects int64 `json:"objects"`
	Writes  int64 `json:"writes"`
	// Undecided is the number of objects that several writers change in turn, if the log
	// does not show whether they fight.
	Undecided int64 `json:"undecided"`
	// Forgotten is the number of writes that were dropped to limit memory. Unread is the
	// number of writes whose fields were dropped to limit memory.
	Forgotten int64 `json:"forgotten"`
	Unread    int64 `json:"unread"`
	// MinReversals, Window and Answer are the thresholds of the search.
	MinReversals int    `json:"minReversals"`
	Window       string `json:"window"`
	Answer       string `json:"answer"`
}

// Metrics compares the logs with the metric apiserver_requested_deprecated_apis.
// Unexplained has the APIs in the metric without a request in the logs. Unmeasured has the
// deprecated APIs that were requested in the logs, but are not in the metric.
type Metrics struct {
	Unexplained []string `json:"unexplained"`
	Unmeasured  []string `json:"unmeasured"`
}

// Summary has the numbers of the run.
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
	// Foreign is the number of records that are not audit events.
	Foreign int64 `json:"foreign"`
	// Damaged is the number of records that could not be read. Damage has the first of
	// them.
	Damaged int64    `json:"damaged"`
	Damage  []Damage `json:"damage"`
	// Unreadable has the inputs that could not be read completely.
	Unreadable []rules.Unreadable `json:"unreadable"`
	Findings   map[string]int     `json:"findings"`
	Seconds    float64            `json:"seconds"`
}

// Damage is a record that could not be read.
type Damage struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Text   string `json:"text"`
}

// Incomplete reports whether something could not be read.
func (s *Summary) Incomplete() bool { return s.Damaged > 0 || len(s.Unreadable) > 0 }
