package rules

import "time"

// Summary tells what a run read, what it judged and what it left out. Its
// counters are exact; its lists are cut after MaxListed entries and the
// counters still count what was cut.
type Summary struct {
	// Files is how many inputs were read at least in part.
	Files int `json:"files"`
	// Bytes is how much of them was read.
	Bytes int64 `json:"bytes"`
	// Documents counts YAML documents and JSON values, empty ones included.
	Documents int `json:"documents"`
	// Objects counts the Kubernetes objects that were read, the items of lists
	// one by one.
	Objects int `json:"objects"`
	// Unchecked are those among Objects without a schema. Rules about metadata
	// and syntax look at them as well.
	Unchecked Unchecked `json:"unchecked"`
	// Undecided counts what of the server's answers to Objects is not known.
	Undecided Undecided `json:"undecided"`
	// Scripts counts the files among Files that are no manifests but scripts,
	// such as shell scripts and Makefiles.
	Scripts int `json:"scripts,omitempty"`
	// Skipped counts documents that were not judged, by reason (see the Skip
	// constants).
	Skipped map[string]int `json:"skipped"`
	// NotJudged names the documents counted in Skipped whose reason is one a
	// user must hear of: all reasons but SkipEmpty, SkipNotKubernetes,
	// SkipRendered, SkipReleaseHistory and SkipUnrenderedTemplate.
	NotJudged []NotJudged `json:"notJudged"`
	// Unreadable names inputs that could not be read; any of them makes the
	// run incomplete (exit status 3).
	Unreadable []Unreadable `json:"unreadable"`
	// UnreadableCount counts Unreadable before it was cut.
	UnreadableCount int `json:"unreadableCount"`
	// Findings counts reported findings by rule.
	Findings map[string]int `json:"findings"`
	// Suppressed and Baselined count findings that were not reported because
	// of a comment or a baseline.
	Suppressed int `json:"suppressed"`
	Baselined  int `json:"baselined"`
	// NotPrinted counts the findings among Findings that the report leaves out;
	// nil if it has all.
	NotPrinted *NotPrinted `json:"notPrinted,omitempty"`
	// Notes are what the input cannot show, and what was left out. Only reports on
	// audit logs have them; their JSON has them beside the summary.
	Notes []string `json:"-"`
	// Target is the target that was judged against, as "1.37" or
	// "1.31..1.37".
	Target string `json:"target"`
	// Seconds is the wall-clock time of the run.
	Seconds float64 `json:"seconds"`
	// Code is what a run over Go code did; nil for any other. Of the fields
	// above, only those about files, findings, the target and what could not be read
	// say something then.
	Code *CodeSummary `json:"code,omitempty"`
}

// CodeSummary tells what a run over Go code looked at.
type CodeSummary struct {
	// Packages is how many were asked for. Skipped is how many of them have
	// nothing to do with Kubernetes, and were not looked into.
	Packages int `json:"packages"`
	Skipped  int `json:"skipped"`
	// TargetSource is the module that the target was taken from, such as
	// "k8s.io/client-go v0.31.2"; empty if the user chose the target, or no module
	// shows one.
	TargetSource string `json:"targetSource,omitempty"`
	// Writes are the calls that write to a Kubernetes API, Clients the places
	// where a client is built.
	Writes  int `json:"writes"`
	Clients int `json:"clients"`
	// Unresolved are calls that look like writes and were not understood.
	Unresolved int `json:"unresolved"`
	// Unknown counts the writes of which one setting (fieldManager, force,
	// dryRun, fieldValidation) could not be followed to its source; rules
	// about that setting are silent on them.
	Unknown map[string]int `json:"unknown"`
	// Excluded is the code in which no rule reports.
	Excluded ExcludedCode `json:"excluded"`
	// SkippedFunctions are functions, and initial values of variables, that could
	// not be type-checked. SkippedFunctionCount counts them before the list was cut.
	SkippedFunctions     []SkippedFunction `json:"skippedFunctions"`
	SkippedFunctionCount int               `json:"skippedFunctionCount"`
}

// ExcludedCode counts code that was left out on purpose.
type ExcludedCode struct {
	// TestPackages are packages most of whose files import a library for tests.
	TestPackages int `json:"testPackages"`
	// TestFiles are files of other packages that do, or that end in _test.go.
	TestFiles int `json:"testFiles"`
	// GeneratedFiles have a comment that says so.
	GeneratedFiles int `json:"generatedFiles"`
	// Fakes are functions that start a server for tests, and methods of types that
	// have one.
	Fakes int `json:"fakes"`
}

// SkippedFunction is a function that was not analyzed.
type SkippedFunction struct {
	// Name is how Go code would name it in its package, such as
	// (*Reconciler).Reconcile. That of an initial value is "var" and the variable.
	Name string `json:"name"`
	File string `json:"file"`
	Line int    `json:"line"`
}

// SkipFunction counts and lists a function that was not analyzed.
func (c *CodeSummary) SkipFunction(f SkippedFunction) {
	c.SkippedFunctionCount++
	if len(c.SkippedFunctions) < MaxListed {
		c.SkippedFunctions = append(c.SkippedFunctions, f)
	}
}

// NotPrinted counts the findings of a run that a report leaves out because there
// are too many.
type NotPrinted struct {
	// Findings is their number, Limit the number that is printed.
	Findings int `json:"findings"`
	Limit    int `json:"limit"`
	// Severities counts them by severity.
	Severities map[string]int `json:"severities"`
}

// Add counts a finding.
func (n *NotPrinted) Add(f *Finding) {
	if n.Severities == nil {
		n.Severities = map[string]int{}
	}
	n.Findings++
	n.Severities[f.Severity.String()]++
}

// Worst returns the highest severity of the findings.
func (n *NotPrinted) Worst() Severity {
	for s := Error; s > Preview; s-- {
		if n.Severities[s.String()] > 0 {
			return s
		}
	}
	return Preview
}

// MaxListed bounds the lists of a Summary.
const MaxListed = 10000

// Reasons why a document was not judged.
const (
	// SkipEmpty is a document without content: blank or comments only.
	SkipEmpty = "empty"
	// SkipNotKubernetes is a document that is not a Kubernetes object.
	SkipNotKubernetes = "notKubernetes"
	// SkipTemplated is a document that a template engine must render first.
	SkipTemplated = "templated"
	// SkipPatch is a partial object that a kustomization names as a patch.
	SkipPatch = "kustomizePatch"
	// SkipRendered is a document whose objects are judged as a kustomization
	// or a chart renders them.
	SkipRendered = "rendered"
	// SkipNotFetched is a part of a kustomization or chart that lies in the
	// network, where it is not fetched from.
	SkipNotFetched = "notFetched"
	// SkipNotRendered is a kustomization or chart, or a part of it, that is not
	// rendered.
	SkipNotRendered = "notRendered"
	// SkipMissingDependency is a chart that is not rendered because charts/ lacks
	// a dependency. It counts charts.
	SkipMissingDependency = "missingDependency"
	// SkipUnrenderedTemplate is a document in a template of such a chart.
	SkipUnrenderedTemplate = "unrenderedTemplate"
	// SkipReleaseHistory is a stored revision of a Helm release that another
	// one has replaced.
	SkipReleaseHistory = "releaseHistory"
	// SkipBroken is a document that does not parse; it is a finding as well.
	SkipBroken = "broken"
	// SkipUnparsable is a document that does not parse and has no sign of a
	// manifest, such as JSON with comments.
	SkipUnparsable = "unparsable"
	// SkipUntyped is an object without a kind or an API version; it is a finding as
	// well.
	SkipUntyped = "untyped"
	// SkipTooLarge is a document over the size limit; the run is incomplete.
	SkipTooLarge = "tooLarge"
	// SkipBinary is a file that is no text.
	SkipBinary = "binary"
)

// NotJudged is one document, or a whole file, that was left out.
type NotJudged struct {
	File string `json:"file"`
	// Document is its 0-based index, Line its first line.
	Document int    `json:"document"`
	Line     int    `json:"line"`
	Reason   string `json:"reason"`
	// Detail says more where there is more to say, such as the kustomization
	// that names a patch.
	Detail string `json:"detail,omitempty"`
}

// Unreadable is an input that could not be read.
type Unreadable struct {
	File  string `json:"file"`
	Error string `json:"error"`
}

// NewSummary returns a Summary with its maps made.
func NewSummary() *Summary {
	return &Summary{Skipped: map[string]int{}, Findings: map[string]int{}}
}

// Skip counts a document that is not judged, and lists it where its reason is
// one to hear of.
func (s *Summary) Skip(n NotJudged) {
	s.Skipped[n.Reason]++
	switch n.Reason {
	case SkipEmpty, SkipNotKubernetes, SkipRendered, SkipReleaseHistory, SkipUnrenderedTemplate:
		return
	}
	if len(s.NotJudged) < MaxListed {
		s.NotJudged = append(s.NotJudged, n)
	}
}

// Fail counts an input that could not be read.
func (s *Summary) Fail(file string, err error) {
	s.UnreadableCount++
	if len(s.Unreadable) < MaxListed {
		s.Unreadable = append(s.Unreadable, Unreadable{file, err.Error()})
	}
}

// Incomplete reports whether something could not be read, so that a clean
// result proves nothing.
func (s *Summary) Incomplete() bool {
	return s.UnreadableCount > 0 || s.Skipped[SkipTooLarge] > 0
}

// Add adds the counters and lists of another part of the same run. Target and
// Seconds stay as they are.
func (s *Summary) Add(o *Summary) {
	s.Files += o.Files
	s.Bytes += o.Bytes
	s.Documents += o.Documents
	s.Objects += o.Objects
	s.Unchecked.Add(&o.Unchecked)
	s.Undecided.Add(&o.Undecided)
	s.Scripts += o.Scripts
	for k, n := range o.Skipped {
		s.Skipped[k] += n
	}
	for k, n := range o.Findings {
		s.Findings[k] += n
	}
	s.NotJudged = append(s.NotJudged, o.NotJudged[:min(len(o.NotJudged), MaxListed-len(s.NotJudged))]...)
	s.Unreadable = append(s.Unreadable, o.Unreadable[:min(len(o.Unreadable), MaxListed-len(s.Unreadable))]...)
	s.UnreadableCount += o.UnreadableCount
	s.Suppressed += o.Suppressed
	s.Baselined += o.Baselined
}

// Elapsed sets Seconds from a start time.
func (s *Summary) Elapsed(start time.Time) { s.Seconds = time.Since(start).Seconds() }
