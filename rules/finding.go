package rules

import (
	"encoding/json"
	"fmt"
)

// Severity is the importance of a finding. The zero value is Preview, the lowest
// severity, so a finding without a severity never fails a build.
type Severity uint8

// The severities, lowest first, so that < and > compare them.
const (
	// Preview means that kubevet cannot be certain, such as for a pod template in
	// a custom resource without a schema.
	Preview Severity = iota
	// Info means that no change is needed.
	Info
	// Warning means that the input works on the target and should be changed.
	Warning
	// Error means that the target refuses the input, or that something breaks on it.
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

// ParseSeverity returns the severity with a name that Severity.String returns.
// Its error names the accepted words.
func ParseSeverity(name string) (Severity, error) {
	for i, n := range severityNames {
		if n == name {
			return Severity(i), nil
		}
	}
	return 0, fmt.Errorf("unknown severity %q: want error, warning, info or preview", name)
}

// MarshalJSON returns the severity's name as a JSON string.
func (s Severity) MarshalJSON() ([]byte, error) { return json.Marshal(s.String()) }

// UnmarshalJSON sets the severity from its name in data. It returns an error for
// other names.
func (s *Severity) UnmarshalJSON(data []byte) error {
	var name string
	if err := json.Unmarshal(data, &name); err != nil {
		return err
	}
	parsed, err := ParseSeverity(name)
	*s = parsed
	return err
}

// Finding is one problem in the user's input. It has no references to parsed
// input.
type Finding struct {
	// Rule is the rule's ID in the catalogue.
	Rule string `json:"rule"`
	// Severity is the severity of the rule, unless the finding has its own
	// severity or the user configured another.
	Severity Severity `json:"severity"`
	// Message is one lower-case sentence about the user's input.
	Message string `json:"message"`

	// File is the name of the input as the user would type it, with slashes. "-"
	// means standard input.
	File string `json:"file"`
	// Line and Column are the start of the finding. EndLine and EndColumn are its
	// end, the position after its last character. Lines and columns count from 1,
	// columns in Unicode code points. Zero means the whole file.
	Line      int `json:"line"`
	Column    int `json:"column"`
	EndLine   int `json:"endLine"`
	EndColumn int `json:"endColumn"`
	// Document is the 0-based index of the YAML document in the file, or of the JSON
	// value in a stream.
	Document int `json:"document"`

	// Object is the object with the finding. It is nil if the finding is about a
	// file or about a document that is not an object.
	Object *ObjectRef `json:"object"`
	// Path is the path of the field in the server's notation, such as
	// spec.containers[0].lifecycle.preStop. It is empty if the finding is not
	// about a field.
	Path string `json:"path"`
	// Minors are the Kubernetes minors of the target that have the problem, such
	// as "1.25..1.37" or "1.16..1.18,1.22". It is empty if the finding does not
	// depend on the target.
	Minors string `json:"minors,omitempty"`
	// Server is the text that a kube-apiserver sends, word for word, or nil if
	// the server does not report the problem. For a range of minors it is the
	// text of the newest minor with the finding.
	Server *ServerText `json:"server,omitempty"`
	// Command is the command in a script that the finding is about, without its
	// arguments, such as "kubectl create --dry-run -o". It is empty for other
	// findings.
	Command string `json:"command,omitempty"`
	// Hidden marks a finding that the server does not report yet: it stops at an
	// earlier value of a wrong type.
	Hidden bool `json:"hidden,omitempty"`
	// Replacement is the API to use instead, such as "apps/v1 Deployment". It is
	// empty if there is none.
	Replacement string `json:"replacement,omitempty"`

	// RenderedBy names the kustomizations and charts that render an object with
	// the finding, as the user would type them. It is nil for input that is not
	// rendered.
	RenderedBy []string `json:"renderedBy,omitempty"`

	// Related are other places that belong to the finding, such as the calls of a
	// client. It is usually empty.
	Related []Related `json:"related,omitempty"`
	// Notes say what a human must decide before fixing the finding, or why
	// kubevet cannot fix it. Each note is a sentence or a clause.
	Notes []string `json:"notes,omitempty"`
	// Fix is the change that removes the finding, or nil.
	Fix *CodeFix `json:"fix,omitempty"`
}

// Related is another place that a finding mentions.
type Related struct {
	// File, the lines and the columns are as in Finding.
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`
	// Message describes the place.
	Message string `json:"message"`
	// Repeat is set if the place has the same problem as the finding. There is no
	// second finding for the place.
	Repeat bool `json:"repeat,omitempty"`
}

// CodeFix is a change that removes a finding.
type CodeFix struct {
	// Message is the change as an instruction, such as "remove Force".
	Message string `json:"message"`
	// Safe is set if the change needs no review.
	Safe bool `json:"safe"`
	// Edits are sorted and do not overlap. Apply all of them or none.
	Edits []Edit `json:"edits"`
}

// Edit replaces a part of a file by a new text. If it ends where it starts, it
// only inserts text. Lines and columns are as in Finding.
type Edit struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`
	// New is the new text.
	New string `json:"new"`
}

// ObjectRef identifies the object of a finding by values that are written in the
// manifest.
type ObjectRef struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Namespace is metadata.namespace. It may be empty.
	Namespace string `json:"namespace"`
	// Name is metadata.name, or metadata.generateName followed by "*".
	Name string `json:"name"`
}

// String returns "Kind namespace/name". Empty parts are left out.
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
	// Kind is "warning" for the text of a Warning header, and "error" for the
	// message of an error or of one of its causes.
	Kind string `json:"kind"`
	// Text is the text, word for word.
	Text string `json:"text"`
	// Also has the server's further messages about the same mistake, each with
	// its field, such as "must validate one and only one schema".
	Also []string `json:"also,omitempty"`
}
