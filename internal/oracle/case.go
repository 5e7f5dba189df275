// Package oracle gets the answers of kube-apiservers to objects, so that tests can
// compare them with the answers of package rules/apiserver. There are three kinds of API
// servers: functions with the code of the newest release, a whole server in the process
// of a test, and released servers.
package oracle

import (
	"encoding/json"
	"fmt"
	"strings"
)

// DefaultQuery is the query of a case without Query.
const DefaultQuery = "dryRun=All&fieldManager=oracle&fieldValidation=Warn"

// Case is one request, with the objects that must exist before it.
type Case struct {
	// File is the name of the case's file without directory and suffix.
	File string `json:"file,omitempty"`
	// ID is the name of the case. It is a path that begins with the case's
	// family.
	ID string `json:"id"`
	// Op is the operation: create (the default), update, merge, strategic, apply, delete,
	// or raw. delete removes the object with the name of Obj. raw sends Raw to Path with
	// Method.
	Op string `json:"op,omitempty"`
	// Setup has objects that are created before the request and removed after it.
	Setup []json.RawMessage `json:"setup,omitempty"`
	// Obj is the object that is sent.
	Obj json.RawMessage `json:"obj,omitempty"`
	// Raw is the body of the request. If it is empty, Obj is the body.
	Raw string `json:"raw,omitempty"`
	// Query is the query of the request. nil means DefaultQuery. Without the parameter
	// dryRun, the request is not a dry run.
	Query *string `json:"query,omitempty"`
	// Path and Method are the path and method of the request, if they do not follow from
	// the object and Op.
	Path   string `json:"path,omitempty"`
	Method string `json:"method,omitempty"`
	// ContentType is the type of the body. Empty means the usual type of Op.
	ContentType string `json:"ct,omitempty"`
	// User is the sender: admin (the default), viewer, node, or nobody, who has
	// nearly no permissions.
	User string `json:"user,omitempty"`
	// As and Groups are the user and the groups that User impersonates. They may be
	// empty.
	As     string   `json:"as,omitempty"`
	Groups []string `json:"groups,omitempty"`
	// Header has additional headers.
	Header map[string]string `json:"hdr,omitempty"`
	// Wait is the delay before the request in seconds, for cases in which the server
	// first does something by itself.
	Wait float64 `json:"sleep,omitempty"`
}

// DryRun reports whether the request is a dry run.
func (c *Case) DryRun() bool { return strings.Contains(c.query(), "dryRun=") }

func (c *Case) query() string {
	if c.Query == nil {
		return DefaultQuery
	}
	return *c.Query
}

// Parameter returns a query parameter of the request, or "".
func (c *Case) Parameter(name string) string {
	for part := range strings.SplitSeq(c.query(), "&") {
		if value, ok := strings.CutPrefix(part, name+"="); ok {
			return value
		}
	}
	return ""
}

// Body returns the body of the request.
func (c *Case) Body() []byte {
	if c.Raw != "" {
		return []byte(c.Raw)
	}
	return c.Obj
}

// Head returns the identity of the case's object.
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

// Old returns the object in Setup with the identity of the case's object, or nil.
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

// Answer is the answer of a server to a case.
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
	// Warnings are the Warning headers, unchanged.
	Warnings []string `json:"warnings"`
	Reason   string   `json:"reason,omitempty"`
	Message  string   `json:"message,omitempty"`
	Causes   []Cause  `json:"causes,omitempty"`
	// SetupError is the error that prevented the creation of an object in Setup.
	SetupError string `json:"setupErr,omitempty"`
	// Body is the object in a successful answer, if the caller requests it.
	Body json.RawMessage `json:"body,omitempty"`
}

// Cause is one cause of a refusal.
type Cause struct {
	Reason  string `json:"reason,omitempty"`
	Message string `json:"message"`
	Field   string `json:"field"`
}

// Texts returns the texts in the Warning headers.
func (a *Answer) Texts() []string {
	var texts []string
	for _, header := range a.Warnings {
		texts = append(texts, WarningText(header))
	}
	return texts
}

// WarningText returns the text of a Warning header: 299 - "text". A header in another
// form is returned unchanged.
func WarningText(header string) string {
	_, quoted, ok := strings.Cut(header, `"`)
	if !ok || !strings.HasSuffix(quoted, `"`) {
		return header
	}
	return unescape.Replace(strings.TrimSuffix(quoted, `"`))
}

var unescape = strings.NewReplacer(`\\`, `\`, `\"`, `"`)
