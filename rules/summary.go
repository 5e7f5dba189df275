package rules

import "time"

// Summary says what a run read, checked and skipped. Its lists have at most
// MaxListed entries. Its counters also count the entries that were left out of
// the lists.
type Summary struct {
	// Files is the number of inputs that were read completely or in part.
	Files int `json:"files"`
	// Bytes is the number of bytes that were read.
	Bytes int64 `json:"bytes"`
	// Documents is the number of YAML documents and JSON values, including empty
	// documents.
	Documents int `json:"documents"`
	// Objects is the number of Kubernetes objects that were read. Each item of a
	// list counts, too.
	Objects int `json:"objects"`
	// Unchecked are the objects for whose kind there is no schema. Rules about
	// metadata and syntax still check them.
	Unchecked Unchecked `json:"unchecked"`
	// Undecided has the objects for which a part of the server's answer is
	// unknown.
	Undecided Undecided `json:"undecided"`
	// Scripts is the number of scripts among the Files, such as shell scripts and
	// Makefiles.
	Scripts int `json:"scripts,omitempty"`
	// Skipped has the number of documents that were not checked, by reason. The
	// reasons are the Skip constants.
	Skipped map[string]int `json:"skipped"`
	// NotJudged lists the skipped documents about which the user should know. The
	// reasons SkipEmpty, SkipNotKubernetes, SkipRendered, SkipReleaseHistory and
	// SkipUnrenderedTemplate are not listed.
	NotJudged []NotJudged `json:"notJudged"`
	// Unreadable lists inputs that could not be read. If there are any, the run
	// is incomplete (exit status 3).
	Unreadable []Unreadable `json:"unreadable"`
	// UnreadableCount is the number of all inputs that could not be read. Unreadable
	// can have fewer.
	UnreadableCount int `json:"unreadableCount"`
	// Findings has the number of reported findings by rule.
	Findings map[string]int `json:"findings"`
	// Suppressed and Baselined are the numbers of findings that were not reported
	// because of a comment or a baseline.
	Suppressed int `json:"suppressed"`
	Baselined  int `json:"baselined"`
	// NotPrinted counts the findings that the report leaves out. It is nil if the
	// report has all findings.
	NotPrinted *NotPrinted `json:"notPrinted,omitempty"`
	// Notes say what the input cannot show and what was left out. Only reports on
	// audit logs have notes. In their JSON, the notes are outside of the summary.
	Notes []string `json:"-"`
	// Target is the target of the run, such as "1.37" or "1.31..1.37".
	Target string `json:"target"`
	// Seconds is the wall-clock time of the run.
	Seconds float64 `json:"seconds"`
	// Code is nil, except for a run over Go code. The other fields with a meaning
	// are then Files, Bytes, Unreadable, Findings, Suppressed, Baselined,
	// NotPrinted, Target and Seconds.
	Code *CodeSummary `json:"code,omitempty"`
}

// CodeSummary says what a run over Go code read and skipped.
type CodeSummary struct {
	// Packages is the number of requested packages. Skipped is the number of
	// packages that were not read, because they do not use Kubernetes.
	Packages int `json:"packages"`
	Skipped  int `json:"skipped"`
	// TargetSource is the module from which the target was taken, such as
	// "k8s.io/client-go v0.31.2". It is empty if the user chose the target or no
	// module shows a minor.
	TargetSource string `json:"targetSource,omitempty"`
	// TargetLimit is "oldest" or "newest" if kubevet does not know the minor of
	// the program, and the target is the oldest or newest known minor.
	TargetLimit string `json:"targetLimit,omitempty"`
	// Writes is the number of calls that write to a Kubernetes API. Clients is
	// the number of places where a client is built.
	Writes  int `json:"writes"`
	Clients int `json:"clients"`
	// Unresolved is the number of calls that look like writes but could not be
	// resolved. UnresolvedCalls lists them; it can have fewer.
	Unresolved      int              `json:"unresolved"`
	UnresolvedCalls []UnresolvedCall `json:"unresolvedCalls"`
	// Unknown has the number of writes with an unknown setting, by setting:
	// fieldManager, force, dryRun or fieldValidation. Rules about an unknown
	// setting do not report the write.
	Unknown map[string]int `json:"unknown"`
	// Excluded is the code in which rules report nothing.
	Excluded ExcludedCode `json:"excluded"`
	// SkippedFunctions are functions and initial values of variables that could
	// not be type-checked. SkippedFunctionCount is the number of all
	// skipped functions; SkippedFunctions can have fewer.
	SkippedFunctions     []SkippedFunction `json:"skippedFunctions"`
	SkippedFunctionCount int               `json:"skippedFunctionCount"`
}

// ExcludedCode has the numbers of packages, files and functions that were left
// out on purpose.
type ExcludedCode struct {
	// TestPackages are packages in which most files import a library for tests.
	TestPackages int `json:"testPackages"`
	// TestFiles are files in other packages that import a library for tests, or
	// whose name ends with _test.go.
	TestFiles int `json:"testFiles"`
	// GeneratedFiles are files with the standard comment "Code generated … DO NOT
	// EDIT."
	GeneratedFiles int `json:"generatedFiles"`
	// Fakes are functions that start a server for tests, and methods of types
	// that contain a server for tests.
	Fakes int `json:"fakes"`
}

// UnresolvedCall is a call that looks like a write but could not be resolved.
type UnresolvedCall struct {
	// Name is the name of the called function, such as (client.Writer).Update.
	Name string `json:"name"`
	File string `json:"file"`
	Line int    `json:"line"`
}

// AddUnresolved counts a call that could not be resolved, and adds it to the list.
func (c *CodeSummary) AddUnresolved(call UnresolvedCall) {
	c.Unresolved++
	if len(c.UnresolvedCalls) < MaxListed {
		c.UnresolvedCalls = append(c.UnresolvedCalls, call)
	}
}

// SkippedFunction is a function that was not analyzed.
type SkippedFunction struct {
	// Name is the function's name in its package, such as
	// (*Reconciler).Reconcile. For an initial value it is "var" and the variable.
	Name string `json:"name"`
	File string `json:"file"`
	Line int    `json:"line"`
}

// SkipFunction counts a function that was not analyzed, and adds it to the list.
func (c *CodeSummary) SkipFunction(f SkippedFunction) {
	c.SkippedFunctionCount++
	if len(c.SkippedFunctions) < MaxListed {
		c.SkippedFunctions = append(c.SkippedFunctions, f)
	}
}

// NotPrinted counts the findings that a report leaves out because it would be too
// long.
type NotPrinted struct {
	// Findings is the number of findings that are left out. Limit is the number
	// of findings that are printed.
	Findings int `json:"findings"`
	Limit    int `json:"limit"`
	// Severities has the number of left-out findings by severity.
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

// Worst returns the highest severity of the left-out findings.
func (n *NotPrinted) Worst() Severity {
	for s := Error; s > Preview; s-- {
		if n.Severities[s.String()] > 0 {
			return s
		}
	}
	return Preview
}

// MaxListed is the maximum number of entries in each list of a Summary.
const MaxListed = 10000

// Reasons why a document was not checked.
const (
	// SkipEmpty is a document without content: it is blank or has only comments.
	SkipEmpty = "empty"
	// SkipNotKubernetes is a document that is not a Kubernetes object.
	SkipNotKubernetes = "notKubernetes"
	// SkipTemplated is a template: an engine must render it first.
	SkipTemplated = "templated"
	// SkipPatch is a partial object that a kustomization names as a patch.
	SkipPatch = "kustomizePatch"
	// SkipRendered is a source file of a kustomization or chart. The rendered
	// result is checked instead.
	SkipRendered = "rendered"
	// SkipNotFetched is a part of a kustomization or chart that is on a network.
	SkipNotFetched = "notFetched"
	// SkipNotRendered is a kustomization or chart that could not be rendered, or
	// a part of one.
	SkipNotRendered = "notRendered"
	// SkipMissingDependency is a chart that is not rendered because charts/ lacks
	// a dependency. Charts are counted, not documents.
	SkipMissingDependency = "missingDependency"
	// SkipUnrenderedTemplate is a document in a template of a chart that is not
	// rendered.
	SkipUnrenderedTemplate = "unrenderedTemplate"
	// SkipReleaseHistory is a stored revision of a Helm release that a newer
	// revision replaced.
	SkipReleaseHistory = "releaseHistory"
	// SkipBroken is a document that does not parse. It is also a finding.
	SkipBroken = "broken"
	// SkipUnparsable is a document that does not parse and does not look like a
	// manifest, such as JSON with comments.
	SkipUnparsable = "unparsable"
	// SkipUntyped is an object without a kind or an API version. It is also a
	// finding.
	SkipUntyped = "untyped"
	// SkipTooLarge is a document that exceeds the size limit. The run is then
	// incomplete.
	SkipTooLarge = "tooLarge"
	// SkipBinary is a file that is not text.
	SkipBinary = "binary"
)

// NotJudged is a document or a whole file that was not checked.
type NotJudged struct {
	File string `json:"file"`
	// Document is the 0-based index of the document. Line is its first line.
	Document int    `json:"document"`
	Line     int    `json:"line"`
	Reason   string `json:"reason"`
	// Detail has more information, such as the kustomization that names a patch.
	// It is usually empty.
	Detail string `json:"detail,omitempty"`
}

// Unreadable is an input that could not be read.
type Unreadable struct {
	File  string `json:"file"`
	Error string `json:"error"`
}

// NewSummary returns an empty Summary whose maps can be written.
func NewSummary() *Summary {
	return &Summary{Skipped: map[string]int{}, Findings: map[string]int{}}
}

// Skip counts a document that is not checked. It also lists the document if the
// user should know the reason.
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

// Fail counts and lists an input that could not be read.
func (s *Summary) Fail(file string, err error) {
	s.UnreadableCount++
	if len(s.Unreadable) < MaxListed {
		s.Unreadable = append(s.Unreadable, Unreadable{file, err.Error()})
	}
}

// Incomplete reports whether an input could not be read or is too large. Then a
// run without findings proves nothing.
func (s *Summary) Incomplete() bool {
	return s.UnreadableCount > 0 || s.Skipped[SkipTooLarge] > 0
}

// Add adds the counters and lists of another part of the same run. Target and
// Seconds are not changed.
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

// Elapsed sets Seconds to the time since start.
func (s *Summary) Elapsed(start time.Time) { s.Seconds = time.Since(start).Seconds() }
