// Package scene reads recorded scenes for tests. A scene has the objects in a
// kube-apiserver, requests to it, and its answers.
package scene

import (
	"encoding/json"
	"strconv"
	"strings"
)

// Scene is a state of a server, and the requests that were sent in this state.
type Scene struct {
	// ID is the path of the scene's file without its suffix, followed by the name of the
	// scene in the file.
	ID string `json:"id"`
	// From and To are the first and the last minor of the servers for this scene. An
	// empty string means no limit.
	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"`
	// Gates selects the servers by their feature gates. "" means the defaults, and
	// "mutating" means MutatingAdmissionPolicy=true.
	Gates string `json:"gates,omitempty"`
	// Before has objects that were created before the old objects of the requests. It is
	// set only if Context replaces some of them.
	Before []json.RawMessage `json:"before,omitempty"`
	// Context has the objects in the server during the requests, in the order of their
	// creation. Policies, their bindings and webhook configurations were created after
	// the old objects of the requests.
	Context []json.RawMessage `json:"context,omitempty"`
	// Requests has the requests. They are dry runs, so they do not change the state.
	Requests []Request `json:"requests,omitempty"`
}

// Request is a dry run. Its query is dryRun=All&fieldManager=oracle&fieldValidation=Warn.
// Apply also has force=true.
type Request struct {
	// ID is unique in the scene.
	ID string `json:"id"`
	// Op is Create, Update or Apply.
	Op Op `json:"op"`
	// Old is the stored object that the request changes, as it was created. It is nil if
	// there was none.
	Old json.RawMessage `json:"old,omitempty"`
	// Obj is the body of the request.
	Obj json.RawMessage `json:"obj"`
	// User and Groups are the impersonated user. The server adds the group
	// system:authenticated. If User is empty, an administrator whose name is not recorded
	// sends the request.
	User   string   `json:"user,omitempty"`
	Groups []string `json:"groups,omitempty"`
	// Unordered is true if several policies, bindings, params or fields warn. The server
	// evaluates them in a random order, so the recorded warnings are sorted.
	Unordered bool `json:"unordered,omitempty"`
}

// Op is the operation of a request.
type Op string

// These are the operations. Apply is a server-side apply.
const (
	Create Op = "create"
	Update Op = "update"
	Apply  Op = "apply"
)

// Answers has the answers of a server in a scene.
type Answers struct {
	// Scene is the ID of the scene.
	Scene string `json:"scene"`
	// Context has an answer for each object in the Context of the scene: the answer to
	// its creation. A refused object is not part of the state.
	Context []Answer `json:"context,omitempty"`
	// Requests has the answers to the requests, in their order.
	Requests []Answer `json:"requests,omitempty"`
}

// Answer is the answer of a server to one request.
type Answer struct {
	// ID is the ID of the request. For an object of the context, it is the kind and the
	// name of the object.
	ID   string `json:"id"`
	Code int    `json:"code"`
	// Reason, Message and Causes are from the Status of a refusal. Memory addresses in
	// texts are replaced by "0xPOINTER".
	Reason  string  `json:"reason,omitempty"`
	Message string  `json:"message,omitempty"`
	Causes  []Cause `json:"causes,omitempty"`
	// Warnings has the Warning headers, in the form: 299 - "text".
	Warnings []string `json:"warnings,omitempty"`
	// Object is the object that the server returned for an accepted request, after
	// defaulting and mutation, without managedFields. It is empty for objects of the
	// context. Values that differ between runs are replaced here and in texts: uid by
	// "UID", creationTimestamp and deletionTimestamp by "TIME", resourceVersion by
	// "VERSION", and the random part of a generated name by "XXXXX".
	Object json.RawMessage `json:"object,omitempty"`
	// TypeChecking has the expressionWarnings in the status of a
	// ValidatingAdmissionPolicy of the context. A controller of the release writes them.
	TypeChecking []ExpressionWarning `json:"typeChecking,omitempty"`
}

// Cause is one cause of a refusal.
type Cause struct {
	Reason  string `json:"reason,omitempty"`
	Message string `json:"message"`
	Field   string `json:"field"`
}

// ExpressionWarning is a type error in a policy.
type ExpressionWarning struct {
	// FieldRef is the path of the expression, such as spec.validations[0].expression.
	FieldRef string `json:"fieldRef"`
	// Warning is the text of the type error, with a part for each kind that the policy
	// matches. Names of types contain digits from the clock, which are replaced by
	// NANOSECONDS.
	Warning string `json:"warning"`
}

// IsFor reports whether the scene is for a server. The name of a server is a minor, such
// as 1.33. A server with other gates has a suffix, such as 1.33-mutating.
func (s *Scene) IsFor(server string) bool {
	minor, gates, _ := strings.Cut(server, "-")
	n := number(minor)
	return gates == s.Gates && (s.From == "" || n >= number(s.From)) && (s.To == "" || n <= number(s.To))
}

// number returns the number of a minor, such as 33 for "1.33".
func number(minor string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(minor, "1."))
	if err != nil {
		return 0
	}
	return n
}

var unescape = strings.NewReplacer(`\\`, `\`, `\"`, `"`)

// WarningTexts returns the texts in the Warning headers.
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
