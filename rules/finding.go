package rules

import (
	"encoding/json"
	"fmt"
)

// Severity says how much a finding matters. The zero value is Preview, the
// weakest: a finding whose severity nobody set can never fail a build.
type Severity uint8

// The severities, weakest first, so that they compare with < and >.
const (
	// Preview marks what kubevet believes but cannot know, for example a pod
	// template found by its shape in a custom resource without a schema.
	Preview Severity = iota
	// Info is worth knowing and asks for nothing, for example history.
	Info
	// Warning is what works on the target and should be changed.
	Warning
	// Error is what the target refuses or what breaks on it.
	Error
)

var severityNames = [...]string{"preview", "info", "warning", "error"}

// String returns the lower-case name used in reports, pages and flags.
func (s Severity) String() string {
	if int(s) < len(severityNames) {
		return severityNames[s]
	}
	return fmt.Sprintf("Severity(%d)", uint8(s))
}

// ParseSeverity is the inverse of Severity.String. Its error names the
// accepted words.
func ParseSeverity(name string) (Severity, error) {
	for i, n := range severityNames {
		if n == name {
			return Severity(i), nil
		}
	}
	return 0, fmt.Errorf("unknown severity %q: want error, warning, info or preview", name)
}

// MarshalJSON writes the severity's name.
func (s Severity) MarshalJSON() ([]byte, error) { return json.Marshal(s.String()) }

// UnmarshalJSON reads a severity's name.
func (s *Severity) UnmarshalJSON(data []byte) error {
	var name string
	if err := json.Unmarshal(data, &name); err != nil {
		return err
	}
	parsed, err := ParseSeverity(name)
	*s = parsed
	return err
}

// Finding is one problem in the user's input. It is a plain value: reports
// render it, baselines remember it, nothing in it points back into a parse.
type Finding struct {
	// Rule is the ID of the catalogue's rule.
	Rule string `json:"rule"`
	// Severity is the rule's, unless the finding knows better or the user
	// configured another.
	Severity Severity `json:"severity"`
	// Message is one lower-case sentence about the user's input.
	Message string `json:"message"`

	// File is the input's name as the user would type it, with slashes; "-"
	// is standard input.
	File string `json:"file"`
	// Line and Column are where the finding starts, EndLine and EndColumn
	// where it ends (exclusive). Lines and columns count from 1, columns in
	// Unicode code points. Zero means that the whole file is meant.
	Line      int `json:"line"`
	Column    int `json:"column"`
	EndLine   int `json:"endLine"`
	EndColumn int `json:"endColumn"`
	// Document is the 0-based index of the YAML document, or of the JSON
	// value in a stream of them, in the file.
	Document int `json:"document"`

	// Object is the object that is judged; nil where the finding is about a
	// file or a document that is none.
	Object *ObjectRef `json:"object"`
	// Path is the field in the server's notation, such as
	// spec.containers[0].lifecycle.preStop; empty where no field is meant.
	Path string `json:"path"`
	// Minors are the Kubernetes minors of the target for which the finding
	// holds, such as "1.25..1.37" or "1.16..1.18,1.22"; empty where the
	// finding does not depend on the target.
	Minors string `json:"minors,omitempty"`
	// Server is what a kube-apiserver would say itself, verbatim; nil where
	// the server says nothing. Over a range of minors it is the newest one's
	// text among those where the finding holds.
	Server *ServerText `json:"server,omitempty"`
	// Command is the command of a script that the finding is about, without its
	// arguments, such as "kubectl create --dry-run -o"; empty for all else.
	Command string `json:"command,omitempty"`
	// Hidden marks a finding that the server reports only after earlier errors of
	// the object are fixed. The server stops at the first value of a wrong type.
	Hidden bool `json:"hidden,omitempty"`
	// Replacement names what to use instead, such as "apps/v1 Deployment";
	// empty where nothing replaces it or the rule has no such notion.
	Replacement string `json:"replacement,omitempty"`

	// RenderedBy are the kustomizations and charts, as the user would type
	// their files, whose rendering has the finding, which stands in one of the
	// files that they are made of; empty for what is judged as it is written.
	RenderedBy []string `json:"renderedBy,omitempty"`

	// Related are further places that belong to the finding, such as the calls
	// that a client makes; usually none.
	Related []Related `json:"related,omitempty"`
	// Notes say what a human must decide before fixing the finding, or why kubevet
	// cannot fix it. Each is a sentence or a clause.
	Notes []string `json:"notes,omitempty"`
	// Fix is the finding's fix, or nil.
	Fix *CodeFix `json:"fix,omitempty"`
}

// Related is a place that a finding mentions beside its own.
type Related struct {
	// File, lines and columns are as in Finding.
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`
	// Message says what is there.
	Message string `json:"message"`
	// Repeat marks a place with the same finding, which is not reported again.
	Repeat bool `json:"repeat,omitempty"`
}

// CodeFix is a change that removes a finding.
type CodeFix struct {
	// Message is the change as a command: "remove Force".
	Message string `json:"message"`
	// Safe reports whether it needs no review.
	Safe bool `json:"safe"`
	// Edits are sorted and do not overlap. They are applied together or not at all.
	Edits []Edit `json:"edits"`
}

// Edit replaces a part of a file. If it ends where it starts, it inserts. Lines and
// columns are as in Finding.
type Edit struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`
	// New is the text that is put there.
	New string `json:"new"`
}

// ObjectRef identifies the object a finding is about, as it is written.
type ObjectRef struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Namespace is empty where the manifest names none.
	Namespace string `json:"namespace"`
	// Name is metadata.name, or metadata.generateName followed by "*".
	Name string `json:"name"`
}

// String gives "Kind namespace/name", leaving out what is not known.
func (o ObjectRef) String() string {
	switch {
	case o.Name == "":
		return o.Kind
	case o.Namespace == "":
		return o.Kind + " " + o.Name
	}
	return o.Kind + " " + o.Namespace + "/" + o.Name
}

// ServerText is a text that a kube-apiserver sends.
type ServerText struct {
	// Kind is "warning" for the text of a Warning header and "error" for the
	// message of an error's cause (or of the error, if it has no causes).
	Kind string `json:"kind"`
	// Text is verbatim.
	Text string `json:"text"`
	// Also are further messages of the server about the same mistake, verbatim
	// and with their fields, such as "must validate one and only one schema".
	Also []string `json:"also,omitempty"`
}
