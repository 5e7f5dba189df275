// Package scene reads scenes for tests: the objects of kube-apiservers, requests to them, and their
// answers.
package scene

import (
	"encoding/json"
	"strconv"
	"strings"
)

// Scene is a state of a server and the requests that were sent in it.
type Scene struct {
	// ID is the path of the scene's file, without its suffix, and its name in it.
	ID string `json:"id"`
	// From and To are the first and the last minor of the scene; empty for no bound.
	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"`
	// Gates selects the servers by the feature gates that they were started with: "" for the
	// defaults, "mutating" for MutatingAdmissionPolicy=true.
	Gates string `json:"gates,omitempty"`
	// Before are objects that were created before the old objects of the requests. It is set only
	// if Context replaces some of them.
	Before []json.RawMessage `json:"before,omitempty"`
	// Context are the objects of the server during the requests, in the order in which they were
	// created. Policies, their bindings, and webhook configurations were created after the old
	// objects of the requests.
	Context []json.RawMessage `json:"context,omitempty"`
	// Requests do not change the state: all are dry runs.
	Requests []Request `json:"requests,omitempty"`
}

// Request is a dry run. Its query is dryRun=All&fieldManager=oracle&fieldValidation=Warn,
// and force=true for Apply.
type Request struct {
	// ID is unique in the scene.
	ID string `json:"id"`
	// Op is Create, Update or Apply.
	Op Op `json:"op"`
	// Old is the stored object that the request changes, in the form that was sent for creation;
	// nil if there was none.
	Old json.RawMessage `json:"old,omitempty"`
	// Obj is the body.
	Obj json.RawMessage `json:"obj"`
	// User and Groups are impersonated. The server adds the group system:authenticated. Without
	// them, an administrator sends the request. The administrator's name is not part of the scene.
	User   string   `json:"user,omitempty"`
	Groups []string `json:"groups,omitempty"`
	// Unordered is set if several policies, bindings, params or fields warn. The
	// server evaluates them in a random order, so the answer's warnings are
	// sorted.
	Unordered bool `json:"unordered,omitempty"`
}

// Op is the operation of a request.
type Op string

// The operations. Apply is a server-side apply.
const (
	Create Op = "create"
	Update Op = "update"
	Apply  Op = "apply"
)

// Answers are the answers of a server in a scene.
type Answers struct {
	// Scene is the scene's ID.
	Scene string `json:"scene"`
	// Context are the answers to the creation of the objects of Context. An
	// object that was refused is not part of the server's state.
	Context []Answer `json:"context,omitempty"`
	// Requests are the answers to the requests, in their order.
	Requests []Answer `json:"requests,omitempty"`
}

// Answer is the answer of a server to one request.
type Answer struct {
	// ID is the ID of the request; for an object of the context its kind and name.
	ID   string `json:"id"`
	Code int    `json:"code"`
	// Reason, Message and Causes are from the Status of a refusal. Addresses of
	// memory are replaced by "0xPOINTER".
	Reason  string  `json:"reason,omitempty"`
	Message string  `json:"message,omitempty"`
	Causes  []Cause `json:"causes,omitempty"`
	// Warnings are the Warning headers: 299 - "text".
	Warnings []string `json:"warnings,omitempty"`
	// Object is what the server returned for an accepted request: the object
	// after defaulting and mutation, without managedFields. The values that
	// differ from run to run are replaced: uid by "UID", creationTimestamp and
	// deletionTimestamp by "TIME", resourceVersion by "VERSION", the random part
	// of a generated name by "XXXXX", here and in the texts. It is empty for
	// objects of the context.
	Object json.RawMessage `json:"object,omitempty"`
	// TypeChecking are the expressionWarnings that the release's controller
	// writes to the status of a ValidatingAdmissionPolicy of the context.
	TypeChecking []ExpressionWarning `json:"typeChecking,omitempty"`
}

// Cause is a cause of a refusal.
type Cause struct {
	Reason  string `json:"reason,omitempty"`
	Message string `json:"message"`
	Field   string `json:"field"`
}

// ExpressionWarning is a type error in a policy.
type ExpressionWarning struct {
	// FieldRef is the path of the expression, such as spec.validations[0].expression.
	FieldRef string `json:"fieldRef"`
	// Warning has a part for each kind that the policy matches. Names of types
	// end with NANOSECONDS in place of digits that are from the clock.
	Warning string `json:"warning"`
}

// Asks reports whether the scene is for a server. The server's name is a minor and, after a hyphen,
// the word for its gates: 1.33 or 1.33-mutating.
func (s *Scene) Asks(server string) bool {
	minor, gates, _ := strings.Cut(server, "-")
	n := number(minor)
	return gates == s.Gates && (s.From == "" || n >= number(s.From)) && (s.To == "" || n <= number(s.To))
}

// number returns 33 for 1.33.
func number(minor string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(minor, "1."))
	if err != nil {
		return 0
	}
	return n
}

var unescape = strings.NewReplacer(`\\`, `\`, `\"`, `"`)

// WarningTexts returns the texts of the Warning headers.
func (a *Answer) WarningTexts() []string {
	var texts []string
	for _, header := range a.Warnings {
		if quoted, ok := strings.CutPrefix(header, `299 - "`); ok {
			header = unescape.Replace(strings.TrimSuffix(quoted, `"`))
		}
		texts = append(texts, header)
	}
	return texts
}
