package auditreport

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/kubevet/kubevet/auditlog/denial"
	"github.com/kubevet/kubevet/auditlog/tally"
	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/rules"
)

// Admission is what admission control denied, and what it would deny.
type Admission struct {
	// Denials are the reasons to deny requests, the requests that would be denied
	// first.
	Denials []Denial `json:"denials"`
	// PodSecurity are the requests that Pod Security evaluated or exempted.
	PodSecurity []PodSecurity `json:"podSecurity"`
	// Webhooks are the mutating webhooks that were called.
	Webhooks []WebhookCalls `json:"webhooks"`
}

// Denial is a reason to deny requests.
type Denial struct {
	// Outcome is passed for requests that the server accepted and that would be
	// denied; denied for those that it refused for this reason; failed for those that
	// it refused for another reason.
	Outcome string `json:"outcome"`
	// Kind is ValidatingAdmissionPolicy, MutatingAdmissionPolicy, PodSecurity for
	// pods, PodSecurityTemplate for objects with a pod template, whose pods would be
	// denied, Webhook, or FailedOpen for webhooks that could not be called and whose
	// failurePolicy is Ignore.
	Kind string `json:"kind"`
	// Policy is the name of the policy, the level of Pod Security, or the name of the
	// webhook. Binding is the policy's binding, Namespace that of Pod Security.
	Policy    string `json:"policy"`
	Binding   string `json:"binding"`
	Namespace string `json:"namespace"`
	// Actions are the validation actions of the binding. The log has them only if
	// Audit is one of them.
	Actions []string `json:"actions"`
	// Requests counts the requests, DryRuns those that were dry runs.
	Requests int64 `json:"requests"`
	DryRuns  int64 `json:"dryRuns"`
	// Clients and Objects count the clients and the objects with a name; AtLeast is
	// set if there are more.
	Clients int  `json:"clients"`
	Objects int  `json:"objects"`
	AtLeast bool `json:"atLeast"`
	// Unnamed counts the requests that do not name an object, as those with
	// generateName and those that delete a collection.
	Unnamed int64 `json:"unnamed"`
	// Namespaces are the namespaces of the objects, at most a few.
	Namespaces []string `json:"namespaces"`
	First      string   `json:"first"`
	// Last is the time of the last request. Message and AuditID are its own.
	Last    string `json:"last"`
	Message string `json:"message"`
	AuditID string `json:"auditID"`
	// Expressions are the expressions of the policy that failed, as far as the log
	// has them.
	Expressions []DenialExpression `json:"expressions"`
	// Rows are the requests by client and object. Unlisted counts further ones.
	Rows     []DenialRow `json:"rows"`
	Unlisted int64       `json:"unlisted"`

	at denial.Event
}

// DenialExpression is an expression that failed.
type DenialExpression struct {
	// Index is its index in spec.validations.
	Index    int   `json:"index"`
	Requests int64 `json:"requests"`
	// Message is the message of the last failure.
	Message string `json:"message"`
}

// DenialRow are the requests of a client for an object.
type DenialRow struct {
	User        string `json:"user"`
	Agent       string `json:"agent"`
	APIVersion  string `json:"apiVersion"`
	Resource    string `json:"resource"`
	Subresource string `json:"subresource"`
	Namespace   string `json:"namespace"`
	// Name is empty if the request does not name an object.
	Name     string `json:"name"`
	Requests int64  `json:"requests"`
	DryRuns  int64  `json:"dryRuns"`
	First    string `json:"first"`
	Last     string `json:"last"`
	Message  string `json:"message"`
	AuditID  string `json:"auditID"`
}

// PodSecurity are requests in a namespace.
type PodSecurity struct {
	Namespace string `json:"namespace"`
	// Enforced is the level that pods were checked against; empty for exempt requests and for
	// errors.
	Enforced string `json:"enforced"`
	// Exempt is the reason of an exemption: user, namespace or runtimeClass.
	Exempt string `json:"exempt"`
	// Error is set if the labels of the namespace or the object could not be read.
	Error    bool   `json:"error"`
	Requests int64  `json:"requests"`
	First    string `json:"first"`
	Last     string `json:"last"`
}

// WebhookCalls are the requests for which a mutating webhook was called.
type WebhookCalls struct {
	Configuration string `json:"configuration"`
	Webhook       string `json:"webhook"`
	// Requests counts the requests, Mutated those whose object the webhook changed.
	Requests int64  `json:"requests"`
	Mutated  int64  `json:"mutated"`
	First    string `json:"first"`
	Last     string `json:"last"`
}

// policyRule is the rule of requests that would be denied.
const policyRule = "policyviolation"

// privileged is the level of a namespace without labels.
const privileged = "privileged:latest"

// onlyAdmission returns a report without everything but admission.
func onlyAdmission(r *tally.Report) *tally.Report {
	few := *r
	few.Groups, few.Clients, few.Conflicts, few.Refused, few.Bodies, few.Shared = nil, nil, nil, nil, nil, nil
	few.OpenWatches = 0
	return &few
}

// admission fills in Document.Admission.
func (d *Document) admission(r *denial.Report) {
	a := &d.Admission
	a.Denials, a.PodSecurity, a.Webhooks = []Denial{}, []PodSecurity{}, []WebhookCalls{}
	if d.oldOnly || r == nil {
		return
	}
	for _, x := range slices.SortedStableFunc(slices.Values(r.Denials), func(x, y *denial.Denial) int {
		return cmp.Or(cmp.Compare(x.Outcome, y.Outcome), cmp.Compare(y.Requests, x.Requests))
	}) {
		a.Denials = append(a.Denials, makeDenial(x))
	}
	for _, e := range r.Evaluations {
		a.PodSecurity = append(a.PodSecurity, PodSecurity{e.Namespace, e.Enforced, e.Exempt, e.Error, e.Requests, when(e.First), when(e.Last)})
	}
	for _, u := range r.Webhooks {
		a.Webhooks = append(a.Webhooks, WebhookCalls{u.Configuration, u.Webhook, u.Requests, u.Mutated, when(u.First), when(u.Last)})
	}
}

func makeDenial(x *denial.Denial) Denial {
	d := Denial{
		Outcome: x.Outcome.String(), Kind: x.Kind.String(), Policy: x.Policy, Binding: x.Binding, Namespace: x.Namespace, Actions: []string{},
		Requests: x.Requests, DryRuns: x.DryRuns, AtLeast: x.Unlisted > 0, Unnamed: x.Unnamed, Unlisted: x.Unlisted,
		First: when(x.First), Last: when(x.Last.Stamp), Message: x.Last.Message, AuditID: x.Last.AuditID,
		Expressions: []DenialExpression{}, Rows: []DenialRow{}, at: x.Last,
	}
	if x.Actions != "" {
		d.Actions = strings.Split(x.Actions, ",")
	}
	for _, e := range x.Expressions {
		d.Expressions = append(d.Expressions, DenialExpression{max(0, e.Index), e.Requests, e.Last.Message})
	}
	type client struct{ user, agent string }
	type object struct{ group, resource, namespace, name string }
	clients, objects, namespaces := map[client]bool{}, map[object]bool{}, map[string]bool{}
	for _, r := range x.Rows {
		clients[client{r.User, r.Agent}] = true
		d.AtLeast = d.AtLeast || r.User == tally.OtherClients
		if r.Name != "" {
			objects[object{r.Group, r.Resource, r.Namespace, r.Name}] = true
		}
		if r.Namespace != "" {
			namespaces[r.Namespace] = true
		}
		namespace := r.Namespace
		if r.Group == "" && r.Resource == "namespaces" {
			namespace = "" // the server states the name of a namespace as its namespace
		}
		d.Rows = append(d.Rows, DenialRow{
			r.User, r.Agent, (&tally.API{Group: r.Group, Version: r.Version}).GroupVersion(), r.Resource, r.Subresource, namespace, r.Name,
			r.Requests, r.DryRuns, when(r.First), when(r.Last.Stamp), r.Last.Message, r.Last.AuditID,
		})
	}
	d.Clients, d.Objects = len(clients), len(objects)
	d.Namespaces = slices.Sorted(maps.Keys(namespaces))
	d.Namespaces = orEmpty(d.Namespaces[:min(len(d.Namespaces), maxNames)])
	return d
}

// reason returns the reason of a denial for reports.
func (d *Denial) reason() string {
	switch d.Kind {
	case "PodSecurity":
		return fmt.Sprintf("Pod Security %s in namespace %s", d.Policy, d.Namespace)
	case "PodSecurityTemplate":
		return fmt.Sprintf("Pod Security %s in namespace %s, for templates", d.Policy, d.Namespace)
	case "Webhook":
		return "webhook " + d.Policy
	case "FailedOpen":
		return fmt.Sprintf("webhook %s, failed open", d.Policy)
	}
	text := "policy " + d.Policy
	if d.Kind == denial.MutatingPolicy.String() {
		text = "mutating policy " + d.Policy
	}
	if d.Binding != "" {
		text += ", binding " + d.Binding
	}
	return text
}

// object returns the name of a row's object.
func (r *DenialRow) object() string {
	name := r.Name
	if name == "" {
		name = "(unnamed)"
	}
	if r.Namespace != "" {
		name = r.Namespace + "/" + name
	}
	resource := r.Resource
	if r.Subresource != "" {
		resource += "/" + r.Subresource
	}
	return r.APIVersion + " " + resource + " " + name
}

// denialFindings appends a finding for each reason to deny requests that passed.
func (d *Document) denialFindings() {
	for i := range d.Admission.Denials {
		x := &d.Admission.Denials[i]
		if x.Outcome != denial.Passed.String() {
			continue
		}
		d.Findings = append(d.Findings, rules.Finding{
			Rule: policyRule, Severity: x.severity(), File: x.at.Input, Line: x.at.Line,
			Message: x.summary() + " " + x.condition() + x.period(d.Summary.Last) + x.quoted(),
		})
	}
}

// severity returns the severity of requests that would be denied.
func (d *Denial) severity() rules.Severity {
	if d.Kind == denial.FailedOpen.String() {
		return rules.Info
	}
	return rules.Warning
}

// summary counts the requests that would be denied.
func (d *Denial) summary() string {
	least := ""
	if d.AtLeast {
		least = "at least "
	}
	text := times(d.Requests)
	if d.DryRuns > 0 {
		text += fmt.Sprintf(" (%s)", report.Count(d.DryRuns, "dry run"))
	}
	text += " of " + least + report.Count(d.Clients, "client")
	if d.Objects > 0 {
		text += " to " + least + report.Count(d.Objects, "object")
	}
	if d.Unnamed > 0 {
		text += fmt.Sprintf(", %d without a name,", d.Unnamed)
	}
	if d.Kind == denial.PodSecurityTemplate.String() {
		return "the pods of " + text
	}
	return text
}

// condition describes the change that denies the requests.
func (d *Denial) condition() string {
	switch d.Kind {
	case "PodSecurity", "PodSecurityTemplate":
		return fmt.Sprintf("would be denied if namespace %s enforced Pod Security %s", d.Namespace, d.Policy)
	case "FailedOpen":
		return fmt.Sprintf("would be denied if webhook %s had failurePolicy Fail: it could not be called", d.Policy)
	}
	return fmt.Sprintf("would be denied if binding %s of %s %s had the action Deny", d.Binding, d.Kind, d.Policy)
}

// period describes the time of the requests, and how long ago the last one was. end is the end of
// the logs.
func (d *Denial) period(end string) string {
	if d.Last == "" {
		return ""
	}
	text := fmt.Sprintf("; first at %s, last at %s", d.First, d.Last)
	if d.First == d.Last {
		text = "; at " + d.Last
	}
	last, err1 := time.Parse(time.RFC3339, d.Last)
	until, err2 := time.Parse(time.RFC3339, end)
	if err1 == nil && err2 == nil && until.After(last) {
		text += ", none since then until the log ends at " + end
	}
	return text
}

// quoted returns the message of the last request.
func (d *Denial) quoted() string {
	if d.Message == "" {
		return ""
	}
	return ": " + d.Message
}
