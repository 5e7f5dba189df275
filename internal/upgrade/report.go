// Package upgrade merges what manifests, code, audit logs, metrics and a cluster
// show of an upgrade into one report: who must act on what before which release,
// who should, and which removed APIs nothing uses.
//
// It knows no rules: facts come with the rule that found them and the minors at
// which it holds. Names and texts are others' and kept as they are; formats for
// people sanitise them.
package upgrade

// Report is the outcome, with stable names: format json prints it as it is.
type Report struct {
	// From is the release that runs, To the one to upgrade to.
	From string `json:"from"`
	To   string `json:"to"`
	// MustAct are those whose work breaks on the way, ShouldAct those who use
	// what is deprecated, or what does not work today either.
	MustAct   []Owner `json:"mustAct"`
	ShouldAct []Owner `json:"shouldAct"`
	// NoEvidence are the APIs that a release on the way removes and that nothing
	// which was looked at uses.
	NoEvidence []API `json:"noEvidence"`
	// Sources are all kinds of evidence, those included that were not given.
	Sources []Source `json:"sources"`
	// Unreadable is what could not be read. With any of it, what is missing in
	// the report proves nothing.
	Unreadable []Unreadable `json:"unreadable"`
	// Notes are what else to know.
	Notes []string `json:"notes"`
	// Done are the items of the report of --since that this one lacks.
	Done []Done `json:"done"`
	// Compared counts against the report of --since.
	Compared Compared `json:"compared"`
	Summary  Summary  `json:"summary"`
}

// Done is an item that an earlier report has, and this one lacks.
type Done struct {
	ID string `json:"id"`
	// Must says that it was an item of mustAct.
	Must    bool   `json:"must"`
	Kind    string `json:"kind"`
	Owner   string `json:"owner"`
	Subject string `json:"subject"`
	Rule    string `json:"rule"`
}

// Compared counts the items of two reports.
type Compared struct {
	// Since says what the report is compared with; empty without --since.
	Since string `json:"since"`
	// New counts the items that only this report has, Done those that only the
	// earlier one has, Open those that both have.
	New  int `json:"new"`
	Done int `json:"done"`
	Open int `json:"open"`
}

// Owner has something to change.
type Owner struct {
	// Kind is one of:
	//   audit      a client of the API server
	//   webhook    a webhook, which changes what clients send
	//   label      the value of --owner-label
	//   team       the owners that a CODEOWNERS file gives to files and code
	//   argocd     the Argo CD application that deploys the files
	//   flux       the Flux Kustomization or HelmRelease that deploys the files
	//   helm       a Helm release
	//   manager    the value of the label app.kubernetes.io/managed-by
	//   manifest   the directory of other files
	//   go         the package of other code
	//   writer     a field manager in the cluster
	//   namespace  the namespace of other objects in the cluster
	//   cluster    the cluster itself
	//   unknown    somebody whom only the server's metrics show
	Kind string `json:"kind"`
	// Name names the owner among those of the kind.
	Name string `json:"name"`
	// Likely is the owner of all manifests in the namespace of a client's service
	// account, who probably owns the client; empty if there is none or are several.
	Likely string `json:"likely"`
	Items  []Item `json:"items"`
}

// Item is one thing to do.
type Item struct {
	// ID names the item. It is the same in reports of other days.
	ID string `json:"id"`
	// Category is one of api, field, verdict (another answer of the server), fight, flag
	// and gate (a component's command line), config (its configuration file), skew
	// (versions that must not run together), drain (an object that keeps a node from being
	// emptied), webhook (one that fails closed), certificate (one that expires), default (a
	// field whose default changes) and component (a program that does not support the
	// release).
	Category string `json:"category"`
	// Subject is the API or the field, or whatever else the item is about.
	Subject string `json:"subject"`
	// Rule is the rule that found it, empty for the categories that have none.
	Rule string `json:"rule"`
	// BreaksAt is the first release on the way that breaks it. If it is only deprecated, this is
	// the release that is planned to remove it, empty for none.
	BreaksAt string `json:"breaksAt"`
	// Already says that it is broken in the release that runs.
	Already bool `json:"already"`
	// Text says what is wrong, Replacement what to use instead or, for categories
	// without rules, a sentence that says what to do; either may be empty.
	Text        string `json:"text"`
	Replacement string `json:"replacement"`
	// Reference is the address of what the item follows from, empty for none: the
	// release's source or documentation.
	Reference string `json:"reference"`
	// Evidence is where it was seen, EvidenceLeft how many places more there
	// are.
	Evidence     []Evidence `json:"evidence"`
	EvidenceLeft int        `json:"evidenceLeft"`
	// News is new if the report of --since lacks the item, known if it has it, and
	// empty without --since.
	News string `json:"news"`
}

// Evidence is one place where something was seen.
type Evidence struct {
	// Source is the kind of the source.
	Source string `json:"source"`
	// File, Line and Column are the place; Line and Column are 0 where there is
	// none.
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	// Object names the object, empty where none is meant.
	Object string `json:"object"`
	// Text says what was seen.
	Text string `json:"text"`
	// Count is how many requests there were and LastSeen when the last of them
	// was; 0 and empty for all but audit logs.
	Count    int64  `json:"count"`
	LastSeen string `json:"lastSeen"`
	// AuditID is the ID of the event at the place; empty for none.
	AuditID string `json:"auditID"`
	// Code are places in Go code that probably make these requests.
	Code []Place `json:"code"`
}

// Place is a place in Go code.
type Place struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	// Text is the object at the place, and why it is probably the cause.
	Text string `json:"text"`
}

// API is an API that goes away.
type API struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// RemovedIn is the first release without it.
	RemovedIn string `json:"removedIn"`
	// OffByDefault says that the release that runs serves it only if told to.
	OffByDefault bool   `json:"offByDefault"`
	Replacement  string `json:"replacement"`
}

// Source is a kind of evidence.
type Source struct {
	// Kind is manifests, audit, metrics, code or cluster.
	Kind  string `json:"kind"`
	Given bool   `json:"given"`
	// Text says what was looked at, or what is not known without it.
	Text string `json:"text"`
	// Gaps are what that cannot show.
	Gaps []string `json:"gaps"`
}

// Unreadable is an input that could not be read.
type Unreadable struct {
	File  string `json:"file"`
	Error string `json:"error"`
}

// Summary counts.
type Summary struct {
	// MustAct and ShouldAct count items, Owners those who have any.
	MustAct   int `json:"mustAct"`
	ShouldAct int `json:"shouldAct"`
	Owners    int `json:"owners"`
	// Removed counts the APIs that the releases on the way remove.
	Removed int `json:"removed"`
	// Informational counts facts that need no action: about clients that read all kinds, about
	// the control plane itself, and about APIs that are no longer used.
	Informational int `json:"informational"`
	// Accepted counts the items that the baseline has and that are left out.
	Accepted int `json:"accepted"`
	// Incomplete says that something could not be read.
	Incomplete bool `json:"incomplete"`
}
