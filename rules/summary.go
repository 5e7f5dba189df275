package rules

import "time"

// Summary has what a run read, checked and skipped. Its counters are exact. Its lists
// are cut after MaxListed entries, and the counters include the entries that were cut.
type Summary struct {
	// Files is the number of inputs that were read at least in part.
	Files int `json:"files"`
	// Bytes is the number of bytes that were read.
	Bytes int64 `json:"bytes"`
	// Documents counts YAML documents and JSON values, including empty ones.
	Documents int `json:"documents"`
	// Objects counts the Kubernetes objects that were read, and each item of a list.
	Objects int `json:"objects"`
	// Unchecked are the Objects without a schema. Rules about metadata and syntax still
	// check them.
	Unchecked Unchecked `json:"unchecked"`
	// Undecided counts the unknown parts of the server's answers to Objects.
	Undecided Undecided `json:"undecided"`
	// Scripts counts the scripts among Files, such as shell scripts and Makefiles.
	Scripts int `json:"scripts,omitempty"`
	// Skipped counts documents that were not checked, by reason (see the Skip
	// constants).
	Skipped map[string]int `json:"skipped"`
	// NotJudged lists the documents in Skipped whose reason the user should know: all
	// reasons but SkipEmpty, SkipNotKubernetes, SkipRendered, SkipReleaseHistory and
	// SkipUnrenderedTemplate.
	NotJudged []NotJudged `json:"notJudged"`
	// Unreadable lists inputs that could not be read. Any of them makes the run
	// incomplete (exit status 3).
	Unreadable []Unreadable `json:"unreadable"`
	// UnreadableCount is the number of unreadable inputs, including those missing
	// from Unreadable.
	UnreadableCount int `json:"unreadableCount"`
	// Findings counts reported findings by rule.
	Findings map[string]int `json:"findings"`
	// Suppressed and Baselined count findings that were not reported because of a
	// comment or a baseline.
	Suppressed int `json:"suppressed"`
	Baselined  int `json:"baselined"`
	// NotPrinted counts the findings that the report leaves out; nil if it has all.
	NotPrinted *NotPrinted `json:"notPrinted,omitempty"`
	// Notes say what the input cannot show, and what was left out. Only reports on
	// audit logs have them; their JSON has them beside the summary.
	Notes []string `json:"-"`
	// Target is the target of the run, such as "1.37" or "1.31..1.37".
	Target string `json:"target"`
	// Seconds is the wall-clock time of the run.
	Seconds float64 `json:"seconds"`
	// Code is about a run over Go code; nil for any other. If it is set, only the
	// fields above about files, findings, the target and unreadable inputs are
	// meaningful.
	Code *CodeSummary `json:"code,omitempty"`
}

// CodeSummary has what a run over Go code read and skipped.
type CodeSummary struct {
	// Packages is the number of requested packages. Skipped is the number of
	// packages that were not read because they do not use Kubernetes.
	Packages int `json:"packages"`
	Skipped  int `json:"skipped"`
	// TargetSource is the module that the target was taken from, such as
	// "k8s.io/client-go v0.31.2"; empty if the user chose the target, or no module
	// shows one.
	TargetSource string `json:"targetSource,omitempty"`
	// Writes counts the calls that write to a Kubernetes API, and Clients the places
	// where a client is built.
	Writes  int `json:"writes"`
	Clients int `json:"clients"`
	// Unresolved counts calls that look like writes but could not be resolved.
	Unresolved int `json:"unresolved"`
	// Unknown counts the writes with an unknown setting, by setting: fieldManager,
	// force, dryRun or fieldValidation. Rules about that setting do not report them.
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
	// TestFiles are files of other packages that import one, or that end in _test.go.
	TestFiles int `json:"testFiles"`
	// GeneratedFiles are files with the comment of generated code.
	GeneratedFiles int `json:"generatedFiles"`
	// Fakes are functions that start a server for tests, and methods of types with such
	// a server.
	Fakes int `json:"fakes"`
}

// SkippedFunction is a function that was not analyzed.
type SkippedFunction struct {
	// Name is the function's name in its package, such as (*Reconciler).Reconcile. An
	// initial value has "var" and the variable.
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

// NotPrinted counts the findings that a report leaves out because there are too many.
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

// Reasons why a document was not checked.
const (
	// SkipEmpty is a document without content: blank or comments only.
	SkipEmpty = "empty"
	// SkipNotKubernetes is a document that is not a Kubernetes object.
	SkipNotKubernetes = "notKubernetes"
	// SkipTemplated is a document that a template engine must render first.
	SkipTemplated = "templated"
	// SkipPatch is a partial object that a kustomization names as a patch.
	SkipPatch = "kustomizePatch"
	// SkipRendered is a document whose objects are checked after a kustomization or a
	// chart renders them.
	SkipRendered = "rendered"
	// SkipNotFetched is a remote part of a kustomization or chart, which is not
	// fetched.
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
	// SkipBinary is a file that is not text.
	SkipBinary = "binary"
)

// NotJudged is one document, or a whole file, that was not checked.
type NotJudged struct {
	File string `json:"file"`
	// Document is its 0-based index, Line its first line.
	Document int    `json:"document"`
	Line     int    `json:"line"`
	Reason   string `json:"reason"`
	// Detail has more information, such as the kustomization that names a patch;
	// usually empty.
	Detail string `json:"detail,omitempty"`
}

// Unreadable is an input that could not be read.
type Unreadable struct {
	File  string `json:"file"`
	Error string `json:"error"`
}

// NewSummary returns an empty Summary with initialized maps.
func NewSummary() *Summary {
	return &Summary{Skipped: map[string]int{}, Findings: map[string]int{}}
}

// Skip counts a document that is not checked, and lists it if the user should know its
// reason.
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

// Incomplete reports whether an input could not be read, so that a clean result proves
// nothing.
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
