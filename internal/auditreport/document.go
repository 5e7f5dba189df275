// Package auditreport writes reports on audit logs: one document in eleven formats,
// one file per format.
//
// The senders of requests choose the users, agents and object names in an audit log. Every format
// prints them through package quote. Formats for spreadsheets also defuse them.
package auditreport

import (
	"github.com/kubevet/kubevet/auditlog/tally"
	"github.com/kubevet/kubevet/rules"
)

// Document is a report. Its names are stable: format json prints it unchanged.
type Document struct {
	// Findings are the problems as every other verb of kubevet reports them.
	Findings []rules.Finding `json:"findings"`
	// Deprecated is the use of APIs that are removed or deprecated.
	Deprecated Deprecated `json:"deprecated"`
	// Clients are the clients that write.
	Clients []Client `json:"clients"`
	// SharedManagers are field managers that the server derives for several different users.
	SharedManagers []SharedManager `json:"sharedManagers"`
	// Conflicts are fields that could not be applied because another manager owns
	// them.
	Conflicts []Conflict `json:"conflicts"`
	// Refused are the server's messages for refused parameters and dry runs.
	Refused []Refused `json:"refused"`
	// Bodies are findings in the objects that clients sent.
	Bodies []Body `json:"bodies"`
	// Fights are writers that keep reverting each other on an object, and writers
	// that flap a value of their own.
	Fights []Fight `json:"fights"`
	// Undecided are writers that take turns on an object, in a log that does not show
	// whether they fight. The list has at most a hundred, those with most turns first.
	Undecided []Turns `json:"undecided"`
	// Leftovers are entries in managedFields that prevent a later apply from
	// removing fields.
	Leftovers []Leftover `json:"leftovers"`
	// Contention describes the search for fights.
	Contention Contention `json:"contention"`
	// Admission has the requests that admission control denied or would deny.
	Admission Admission `json:"admission"`
	// Metrics compares with a dump of the server's metrics; nil without one.
	Metrics *Metrics `json:"metrics,omitempty"`
	// Code has the Go code behind calls; nil without code.
	Code *Code `json:"code,omitempty"`
	// Notes list the limits of the logs: facts that they cannot show.
	Notes   []string `json:"notes"`
	Summary Summary  `json:"summary"`

	// uses are all requests to deprecated and removed APIs by useDimensions,
	// regardless of --group-by and --top.
	uses []Row
	// oldOnly is set if only requests to deprecated APIs were counted, admissionOnly if
	// only Admission is reported.
	oldOnly, admissionOnly bool
}

// Deprecated is the use of deprecated and removed APIs.
type Deprecated struct {
	// Requests counts the requests, Unannotated those that the server did not mark,
	// Wildcard those of clients that read all resources.
	Requests    int64 `json:"requests"`
	Unannotated int64 `json:"unannotated"`
	Wildcard    int64 `json:"wildcard"`
	// GroupBy has the names of the columns of Rows, in order.
	GroupBy []string `json:"groupBy"`
	Rows    []Row    `json:"rows"`
	// Left counts the rows that --top excluded.
	Left int `json:"left"`
}

// Row is a group of requests to a deprecated or removed API.
type Row struct {
	// Group has the value of each column in GroupBy.
	Group map[string]string `json:"group"`
	Count int64             `json:"count"`
	// Unannotated counts the requests that the server did not mark, Open the watches that had not
	// ended. Rejected counts the requests that the server answered with 404 because it does not
	// serve the API.
	Unannotated int64 `json:"unannotated"`
	Open        int64 `json:"open"`
	Rejected    int64 `json:"rejected"`
	// Removed is the first release without the API; "" if no removal is planned.
	Removed string `json:"removed"`
	// Gone reports whether the target does not serve it.
	Gone bool `json:"gone"`
	// Wildcard is set if all clients of the row read all resources.
	Wildcard     bool     `json:"wildcard"`
	APIs         []string `json:"apis"`
	Replacements []string `json:"replacements"`
	First        string   `json:"first"`
	Last         string   `json:"last"`
	// Timeline has the requests in steps of Step seconds, without empty steps. Step
	// is at least 1, and 0 if no request has a time.
	Step     int64     `json:"step"`
	Timeline []UseStep `json:"timeline"`
	AuditIDs []string  `json:"auditIDs"`

	values []string
	// at is the position of the earliest event.
	at tally.Place
	// unserved is set if the server that wrote the logs no longer serves the API, and rejected all
	// requests.
	unserved bool
}

// UseStep is an interval with requests to deprecated or removed APIs.
type UseStep struct {
	At       string `json:"at"`
	Requests int64  `json:"requests"`
}

// Client is a writer. All versions and addresses of a program are one client.
type Client struct {
	User  string `json:"user"`
	Agent string `json:"agent"`
	// UserAgents and SourceIPs are as sent, at most a few of each.
	UserAgents []string `json:"userAgents"`
	SourceIPs  []string `json:"sourceIPs"`
	Requests   int64    `json:"requests"`
	Reads      int64    `json:"reads"`
	Creates    int64    `json:"creates"`
	Updates    int64    `json:"updates"`
	Puts       int64    `json:"fullUpdates"`
	Patches    int64    `json:"patches"`
	Deletes    int64    `json:"deletes"`
	// Writes are the creates, updates, patches and deletions that the server carried out, without
	// dry runs.
	Writes int64 `json:"writes"`
	// Named and Unnamed are the writes that record a field manager: the client named it (Named), or
	// the server derived it (Unnamed). Deletions, reviews, evictions, bindings and requests for
	// tokens record none. DerivedManager is the server's name for unnamed writes.
	Named          int64            `json:"namedWrites"`
	Unnamed        int64            `json:"unnamedWrites"`
	DerivedManager string           `json:"derivedManager"`
	Managers       map[string]int64 `json:"managers"`
	// Applies are server-side applies, MaybeApplies patches that may be applies, Forced forced
	// applies. Refused applies are counted, dry runs are not.
	Applies          int64 `json:"applies"`
	MaybeApplies     int64 `json:"maybeApplies"`
	Forced           int64 `json:"forcedApplies"`
	DryRuns          int64 `json:"dryRuns"`
	DryRunsFailed    int64 `json:"dryRunsFailed"`
	AlreadyExists    int64 `json:"alreadyExists"`
	LockConflicts    int64 `json:"lockConflicts"`
	ManagerConflicts int64 `json:"managerConflicts"`
	OtherConflicts   int64 `json:"otherConflicts"`
	// ComparableWrites are updates and patches of objects with known versions before and after,
	// NoopWrites those of them that changed nothing.
	ComparableWrites  int64  `json:"comparableWrites"`
	NoopWrites        int64  `json:"noopWrites"`
	WritesAfterGet    int64  `json:"writesAfterGet"`
	ImpersonatedCalls int64  `json:"impersonated"`
	First             string `json:"first"`
	Last              string `json:"last"`

	unnamedAt tally.Place
}

// SharedManager is a field manager that the server derives for several users.
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

// Refused is a message with which the server refused writes.
type Refused struct {
	// Kind is "dryRun" if a webhook does not support dry runs; Text is then its
	// name. It is "parameter" for an invalid parameter; Text is then the server's
	// message.
	Kind  string `json:"kind"`
	User  string `json:"user"`
	Agent string `json:"agent"`
	Text  string `json:"text"`
	Count int64  `json:"count"`
}

// Body is a finding in the objects that a client sends.
type Body struct {
	User    string `json:"user"`
	Agent   string `json:"agent"`
	API     string `json:"api"`
	Rule    string `json:"rule"`
	Message string `json:"message"`
	Path    string `json:"path"`
	// Count is the number of requests with the finding, Objects are some of them.
	Count   int64    `json:"count"`
	Objects []string `json:"objects"`
}

// FightObject identifies an object, regardless of the version of its API.
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
	// APIVersions are the versions of the writes.
	APIVersions []string `json:"apiVersions"`
	// Writers are the writers, those with most reversals first. selfflap has one.
	Writers []FightWriter `json:"writers"`
	// Fields are the fields of the fight, FieldsLeft counts further ones. A log
	// without bodies has none. "(object)" stands for an object that is deleted and
	// created again.
	Fields     []FightField `json:"fields"`
	FieldsLeft int          `json:"fieldsLeft"`
	// Reversals counts writes that reverted another writer's value. AtLeast is set if older writes
	// to the object were forgotten.
	Reversals int64 `json:"reversals"`
	AtLeast   bool  `json:"atLeast"`
	// First and Last are the times of the first and the last reversal.
	First string `json:"first"`
	Last  string `json:"last"`
	// Ongoing is set if the fight was still going on at the end of the log.
	Ongoing     bool    `json:"ongoing"`
	RatePerHour float64 `json:"ratePerHour"`
	// Winner is the index of the writer with the final values; -1 if it is unknown.
	Winner int32 `json:"winner"`
	// Evidence is exact if the log has the server's answers, partial if it has only the requests,
	// else probable.
	Evidence string `json:"evidence"`
	// Mechanism is the kind of fight: full-update, apply-of-fetched, forced-apply,
	// atomic-list, shared-manager, webhook, scale, delete-recreate, patches,
	// side-by-side or self.
	// Cause explains it, Cure is the change to make, Page is the rule with more
	// information.
	Mechanism string `json:"mechanism"`
	Cause     string `json:"cause"`
	Cure      string `json:"cure"`
	Page      string `json:"page"`
	// Timeline has the reversals of each writer in steps of Step seconds, from
	// the first reversal to the last.
	Timeline []FightStep `json:"timeline"`
	Step     float64     `json:"step"`
	// Turns are the last writes of the fight, at most three.
	Turns []FightTurn `json:"turns"`
}

// FightWriter is a writer in a fight.
type FightWriter struct {
	// User and Agent are the client. For a webhook they are its configuration and
	// its name.
	User    string `json:"user"`
	Agent   string `json:"agent"`
	Manager string `json:"manager"`
	// Kind is client or webhook.
	Kind string `json:"kind"`
	// How are the ways of reverting, the most frequent first: create, full update,
	// scale, patch, JSON patch, merge patch, apply, forced apply, delete, webhook.
	How []string `json:"how"`
	// Writes counts its writes to the object, Wins the fought fields with its value
	// at the end.
	Writes    int64 `json:"writes"`
	Reversals int64 `json:"reversals"`
	Wins      int64 `json:"wins"`
}

// FightField is a field of a fight.
type FightField struct {
	Path      string `json:"path"`
	Reversals int64  `json:"reversals"`
	// Values has the values of each writer, the latest first, at most three for each. A list is
	// empty if they are unknown. Values are JSON, or strings without quotes if that is unambiguous.
	// Longer values are cut after 64 bytes and have their size and a part of their fingerprint. The
	// words absent, empty, present, redacted and not kept, without quotes, describe a value.
	Values [][]string `json:"values"`
}

// FightTurn is a write in a fight.
type FightTurn struct {
	At string `json:"at"`
	// Writer is the index of the writer, How its way of writing.
	Writer int32  `json:"writer"`
	How    string `json:"how"`
	// File and Line are the position of the event, AuditID is its ID.
	File    string `json:"file"`
	Line    int    `json:"line"`
	AuditID string `json:"auditID"`
}

// FightStep is an interval of a fight with the reversals of each writer.
type FightStep struct {
	At        string  `json:"at"`
	Reversals []int64 `json:"reversals"`
}

// Turns are the writes of two writers that answer each other in a log without bodies.
type Turns struct {
	Object  FightObject  `json:"object"`
	Writers []TurnWriter `json:"writers"`
	// Turns counts the changes from one writer to the other.
	Turns int64 `json:"turns"`
	// First and Last are the times of the first and the last write.
	First string `json:"first"`
	Last  string `json:"last"`
	// Examples are the last writes, at most three.
	Examples []FightTurn `json:"examples"`
	// Decide describes how to find out whether they fight.
	Decide string `json:"decide"`
}

// TurnWriter is a writer that takes turns.
type TurnWriter struct {
	User    string `json:"user"`
	Agent   string `json:"agent"`
	Manager string `json:"manager"`
	// How are its ways of writing, the most frequent first.
	How []string `json:"how"`
	// Writes counts its writes, After is the median of the seconds from the other's
	// write to its own.
	Writes int64   `json:"writes"`
	After  float64 `json:"after"`
}

// Leftover is an entry in managedFields of an update next to an apply.
type Leftover struct {
	Object FightObject `json:"object"`
	// Manager applies; Update is the manager of the entry.
	Manager string `json:"manager"`
	Update  string `json:"update"`
	User    string `json:"user"`
	Agent   string `json:"agent"`
	// Fields are the fields of the entry, FieldsLeft counts further ones.
	Fields     []string `json:"fields"`
	FieldsLeft int      `json:"fieldsLeft"`
	Last       string   `json:"last"`
}

// Contention describes the search for fights.
type Contention struct {
	// Off is set if the search for fights is disabled.
	Off bool `json:"off"`
	// Objects counts the objects with several writers, Writes the compared writes.
	Objects int64 `json:"objects"`
	Writes  int64 `json:"writes"`
	// Undecided counts objects that several writers change in turn, in a log that
	// does not show whether they fight.
	Undecided int64 `json:"undecided"`
	// Forgotten counts forgotten writes, Unread writes whose fields were dropped,
	// both to bound memory.
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

// Summary describes the run.
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
	// Foreign counts records that are not audit events.
	Foreign int64 `json:"foreign"`
	// Damaged counts unreadable records, Damage has the first ones.
	Damaged int64    `json:"damaged"`
	Damage  []Damage `json:"damage"`
	// Unreadable are inputs that could not be read completely.
	Unreadable []rules.Unreadable `json:"unreadable"`
	Findings   map[string]int     `json:"findings"`
	Seconds    float64            `json:"seconds"`
}

// Damage is an unreadable record.
type Damage struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Text   string `json:"text"`
}

// Incomplete reports whether something could not be read.
func (s *Summary) Incomplete() bool { return s.Damaged > 0 || len(s.Unreadable) > 0 }

// Code is the Go code behind clients.
type Code struct {
	// Modules are the modules that were read.
	Modules []CodeModule `json:"modules"`
	// Origins are the places behind deprecated calls and fights.
	Origins []CodeOrigin `json:"origins"`
	// Unknown are clients with such calls or fights whose name is not in the code.
	Unknown []CodeClient `json:"unknown"`
}

// CodeModule is a Go module that was read.
type CodeModule struct {
	Module    string `json:"module"`
	Directory string `json:"directory"`
	// Packages counts the packages that use Kubernetes, Failed the packages that could not be read
	// completely.
	Packages int `json:"packages"`
	Failed   int `json:"failed"`
}

// CodeClient is a client as findings name it.
type CodeClient struct {
	User    string `json:"user"`
	Agent   string `json:"agent"`
	Manager string `json:"manager"`
}

// CodeOrigin is the code that probably sends the requests of a client.
type CodeOrigin struct {
	// Rule and Subject are those of the finding: deprecatedapi or removedapi with an API, or
	// fieldfight or selfflap with an object.
	Rule    string `json:"rule"`
	Subject string `json:"subject"`
	User    string `json:"user"`
	Agent   string `json:"agent"`
	Manager string `json:"manager"`
	// Confidence is constant if the code contains the client's name, binary if one
	// of its programs has the name, module if only the module has it.
	Confidence string `json:"confidence"`
	// Name is the common name of client and code. Named is its place in the code; nil if it is the
	// name of the module.
	Name    string     `json:"name"`
	Named   *CodePlace `json:"named,omitempty"`
	Module  string     `json:"module"`
	Package string     `json:"package"`
	// Places may make the calls, the most probable first. Left counts further ones.
	// There are none if the code does not name the API.
	Places []CodePlace `json:"places"`
	Left   int         `json:"left"`
}

// CodePlace is a place in Go code.
type CodePlace struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	// Does describes the code.
	Does string `json:"does"`
}
