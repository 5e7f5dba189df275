// Package oracle asks kube-apiservers for their answers to objects, to compare package
// rules/apiserver with them. There are three kinds: the newest release's own code as functions, a
// whole server in the process of a test, and released servers.
package oracle

import (
	"encoding/json"
	"fmt"
	"strings"
)

// DefaultQuery is that of a case without one.
const DefaultQuery = "dryRun=All&fieldManager=oracle&fieldValidation=Warn"

// Case is one request, with what must exist before it.
type Case struct {
	// File is the file that the case is from, without directory and suffix.
	File string `json:"file,omitempty"`
	// ID names the case: a path, its family first.
	ID string `json:"id"`
	// Op is what is done with the object: create (also if empty), update,
	// merge, strategic or apply it, delete the one of its name, or raw, which
	// sends Raw to Path by Method.
	Op string `json:"op,omitempty"`
	// Setup are objects that are really made before, and removed after.
	Setup []json.RawMessage `json:"setup,omitempty"`
	// Obj is the object that is sent.
	Obj json.RawMessage `json:"obj,omitempty"`
	// Raw is sent in place of Obj, as it stands.
	Raw string `json:"raw,omitempty"`
	// Query is that of the request; nil is DefaultQuery, and without dryRun
	// the request is for real.
	Query *string `json:"query,omitempty"`
	// Path and Method are those of the request where they do not follow from
	// the object and Op.
	Path   string `json:"path,omitempty"`
	Method string `json:"method,omitempty"`
	// ContentType is that of the body; empty is the usual one of Op.
	ContentType string `json:"ct,omitempty"`
	// User sends the request: admin (also if empty), or viewer, node, nobody,
	// who may do next to nothing.
	User string `json:"user,omitempty"`
	// As and Groups are who User impersonates; empty for nobody.
	As     string   `json:"as,omitempty"`
	Groups []string `json:"groups,omitempty"`
	// Header holds more headers.
	Header map[string]string `json:"hdr,omitempty"`
	// Wait is how many seconds to wait before, for what a server does on its
	// own.
	Wait float64 `json:"sleep,omitempty"`
}

// DryRun reports whether the case asks for nothing to be stored.
func (c *Case) DryRun() bool { return strings.Contains(c.query(), "dryRun=") }

func (c *Case) query() string {
	if c.Query == nil {
		return DefaultQuery
	}
	return *c.Query
}

// Parameter returns a query parameter of the request; empty if it is absent.
func (c *Case) Parameter(name string) string {
	for part := range strings.SplitSeq(c.query(), "&") {
		if value, ok := strings.CutPrefix(part, name+"="); ok {
			return value
		}
	}
	return ""
}

// Body is what is sent.
func (c *Case) Body() []byte {
	if c.Raw != "" {
		return []byte(c.Raw)
	}
	return c.Obj
}

// Head says which object a case is about.
func (c *Case) Head() (Head, error) {
	body := c.Obj
	if len(body) == 0 {
		body = json.RawMessage(c.Raw)
	}
	var h Head
	if err := json.Unmarshal(body, &h); err != nil && (h.Kind == "" || h.APIVersion == "") {
		return h, fmt.Errorf("case %s: %w", c.ID, err)
	}
	return h, nil
}

// Old is the object of Setup that has the identity of the case's; nil if there
// is none.
func (c *Case) Old() json.RawMessage {
	mine, err := c.Head()
	if err != nil {
		return nil
	}
	for _, old := range c.Setup {
		var h Head
		if json.Unmarshal(old, &h) == nil && h == mine {
			return old
		}
	}
	return nil
}

// Head is the identity of an object.
type Head struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name      string `json:"name"`
		Namespace string `json:"namespace"`
	} `json:"metadata"`
}

// Answer is what a server answered to a case.
type Answer struct {
	Server string `json:"server,omitempty"`
	File   string `json:"file,omitempty"`
	ID     string `json:"id"`
	Op     string `json:"op,omitempty"`
	GVK    string `json:"gvk,omitempty"`
	Name   string `json:"name,omitempty"`
	Method string `json:"method,omitempty"`
	Path   string `json:"path,omitempty"`
	Code   int    `json:"code"`
	// Warnings are the Warning headers as they came.
	Warnings []string `json:"warnings"`
	Reason   string   `json:"reason,omitempty"`
	Message  string   `json:"message,omitempty"`
	Causes   []Cause  `json:"causes,omitempty"`
	// SetupError is what kept an object of Setup from being made.
	SetupError string `json:"setupErr,omitempty"`
	// Body is the object that a success returned, if it was asked for.
	Body json.RawMessage `json:"body,omitempty"`
}

// Cause is one cause of a refusal.
type Cause struct {
	Reason  string `json:"reason,omitempty"`
	Message string `json:"message"`
	Field   string `json:"field"`
}

// Texts are the texts of the Warning headers.
func (a *Answer) Texts() []string {
	var texts []string
	for _, header := range a.Warnings {
		texts = append(texts, WarningText(header))
	}
	return texts
}

// WarningText returns the text of a Warning header: 299 - "text". A header in another form is
// returned unchanged.
func WarningText(header string) string {
	_, quoted, ok := strings.Cut(header, `"`)
	if !ok || !strings.HasSuffix(quoted, `"`) {
		return header
	}
	return unescape.Replace(strings.TrimSuffix(quoted, `"`))
}

var unescape = strings.NewReplacer(`\\`, `\`, `\"`, `"`)
