// Package upgrade merges evidence about an upgrade into one report. The evidence is from
// manifests, code, audit logs, metrics and a cluster. The report says who must or should
// change what before which release. It also lists the removed APIs that nothing uses.
//
// The package knows no rules. Each fact has the rule that found it, and the minors for
// which it is true. Names and texts in facts come from the input. They are not changed
// here, and formats for people escape them.
package upgrade

// Report is the result. The names of its JSON fields are stable, and the format json
// prints it unchanged.
type Report struct {
	// From is the release before the upgrade. To is the release after the upgrade.
	From string `json:"from"`
	To   string `json:"to"`
	// MustAct has the owners whose objects or requests break during the upgrade.
	// ShouldAct has the owners who use something deprecated, or something that is already
	// broken.
	MustAct   []Owner `json:"mustAct"`
	ShouldAct []Owner `json:"shouldAct"`
	// NoEvidence has the APIs that the upgrade removes and that no examined input uses.
	NoEvidence []API `json:"noEvidence"`
	// Sources has all kinds of evidence. Given is false for evidence that the user did
	// not provide.
	Sources []Source `json:"sources"`
	// Unreadable has the inputs that could not be read. If there are any, missing items
	// prove nothing.
	Unreadable []Unreadable `json:"unreadable"`
	// Notes are further remarks for the reader.
	Notes []string `json:"notes"`
	// Done has the items that only the report of --since has.
	Done []Done `json:"done"`
	// Compared has the result of the comparison with the report of --since.
	Compared Compared `json:"compared"`
	Summary  Summary  `json:"summary"`
}

// Done is an item that only the earlier report has.
type Done struct {
	ID string `json:"id"`
	// Must is true if the item was in mustAct.
	Must    bool   `json:"must"`
	Kind    string `json:"kind"`
	Owner   string `json:"owner"`
	Subject string `json:"subject"`
	Rule    string `json:"rule"`
}

// Compared has the numbers of items in two reports.
type Compared struct {
	// Since names the earlier report. It is empty without --since.
	Since string `json:"since"`
	// New is the number of items that only this report has. Done is the number of items
	// that only the earlier report has. Open is the number of items that both reports
	// have.
	New  int `json:"new"`
	Done int `json:"done"`
	Open int `json:"open"`
}

// Owner is a person, team, program or directory with something to change.
type Owner struct {
	// Kind is one of:
	//   audit: a client of the API server;
	//   webhook: a webhook, which changes what clients send;
	//   label: the value of --owner-label;
	//   team: the owners that a CODEOWNERS file gives to files and code;
	//   argocd: the Argo CD application that deploys the files;
	//   flux: the Flux Kustomization or HelmRelease that deploys the files;
	//   helm: a Helm release;
	//   manager: the value of the label app.kubernetes.io/managed-by;
	//   manifest: the directory of other files;
	//   go: the package of other code;
	//   writer: a field manager in the cluster;
	//   namespace: the namespace of other objects in the cluster;
	//   cluster: the cluster itself;
	//   unknown: somebody whom only the server's metrics show.
	Kind string `json:"kind"`
	// Name is the name of the owner. It is unique in its kind.
	Name string `json:"name"`
	// Likely is the probable owner of a client. This is the owner of all manifests in the
	// namespace of the client's service account. It is empty if there are no manifests,
	// or if they have several owners.
	Likely string `json:"likely"`
	Items  []Item `json:"items"`
}

// Item is one thing to do.
type Item struct {
	// ID identifies the item. The item has this ID in reports of other days, too.
	ID string `json:"id"`
	// Category is one of:
	//   api: a removed or deprecated API version;
	//   field: a field that is deprecated, or has no effect;
	//   verdict: an object that gets another answer of the server;
	//   fight: writers that revert each other;
	//   flag, gate: a flag or feature gate in the command line of a component;
	//   config: the configuration file of a component;
	//   skew: versions that do not work together;
	//   drain: an object that blocks the drain of a node;
	//   webhook: a webhook that refuses requests while its backend is down;
	//   certificate: a certificate that expires;
	//   default: a field whose default changes;
	//   component: a program that does not support the release.
	Category string `json:"category"`
	// Subject is the API, the field or any other thing that the item is about.
	Subject string `json:"subject"`
	// Rule is the rule that found the problem. It is empty for categories without rules.
	Rule string `json:"rule"`
	// BreaksAt is the first release of the upgrade that breaks the subject. For a
	// deprecated subject, it is the release that is planned to remove it. It may be
	// empty.
	BreaksAt string `json:"breaksAt"`
	// Already is true if the running release already breaks the subject.
	Already bool `json:"already"`
	// Text says what is wrong. Replacement names what to use instead. For categories
	// without rules, Replacement is a sentence that says what to do. Both may be empty.
	Text        string `json:"text"`
	Replacement string `json:"replacement"`
	// Reference is the address of the source or documentation that proves the problem. It
	// may be empty.
	Reference string `json:"reference"`
	// Evidence has the places where the problem was found. EvidenceLeft is the number of
	// further places.
	Evidence     []Evidence `json:"evidence"`
	EvidenceLeft int        `json:"evidenceLeft"`
	// News is "new" if the report of --since does not have the item, and "known"
	// otherwise. It is empty without --since.
	News string `json:"news"`
}

// Evidence is one place where a problem was found.
type Evidence struct {
	// Source is the kind of the source, as in Source.Kind.
	Source string `json:"source"`
	// File, Line and Column are the position. Line and Column are 0 for a whole file.
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	// Object is the name of the object. It is empty if the evidence is not about one
	// object.
	Object string `json:"object"`
	// Text says what was found at the place.
	Text string `json:"text"`
	// Count is the number of requests in an audit log. LastSeen is the time of the last
	// of these requests. They are 0 and empty for other sources.
	Count    int64  `json:"count"`
	LastSeen string `json:"lastSeen"`
	// AuditID is the ID of the audit event at the place, or empty.
	AuditID string `json:"auditID"`
	// Code has places in Go code that probably make these requests.
	Code []Place `json:"code"`
}

// Place is a place in Go code.
type Place struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	// Text names the object at the place, and says why the place is probably the cause.
	Text string `json:"text"`
}

// API is an API that a release of the upgrade removes.
type API struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// RemovedIn is the first release without the API.
	RemovedIn string `json:"removedIn"`
	// OffByDefault is true if the running release serves the API only if a flag enables
	// it.
	OffByDefault bool   `json:"offByDefault"`
	Replacement  string `json:"replacement"`
}

// Source is a kind of evidence.
type Source struct {
	// Kind is manifests, audit, metrics, code or cluster.
	Kind  string `json:"kind"`
	Given bool   `json:"given"`
	// Text says what was examined. If the source was not given, Text says what is unknown
	// without it.
	Text string `json:"text"`
	// Gaps says what this source cannot show.
	Gaps []string `json:"gaps"`
}

// Unreadable is an input that could not be read.
type Unreadable struct {
	File  string `json:"file"`
	Error string `json:"error"`
}

// Summary has the numbers of the report.
type Summary struct {
	// MustAct and ShouldAct are the numbers of items. Owners is the number of owners with
	// items.
	MustAct   int `json:"mustAct"`
	ShouldAct int `json:"shouldAct"`
	Owners    int `json:"owners"`
	// Removed is the number of APIs that the releases of the upgrade remove.
	Removed int `json:"removed"`
	// Informational is the number of facts that need no action: about clients that read
	// all kinds, about the control plane, or about APIs that are no longer used.
	Informational int `json:"informational"`
	// Accepted is the number of items that are left out because the baseline has them.
	Accepted int `json:"accepted"`
	// Incomplete is true if something could not be read.
	Incomplete bool `json:"incomplete"`
}
