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

// Admission has the requests that admission control denied, and those that it would deny
// after a change of its configuration.
type Admission struct {
	// Denials has the reasons to deny requests. Reasons whose Outcome is "passed" come
	// first.
	Denials []Denial `json:"denials"`
	// PodSecurity has the requests that Pod Security evaluated or exempted.
	PodSecurity []PodSecurity `json:"podSecurity"`
	// Webhooks has the mutating webhooks that were called.
	Webhooks []WebhookCalls `json:"webhooks"`
}

// Denial is a reason to deny requests.
type Denial struct {
	// Outcome is "passed" if the server accepted the requests, "denied" if it refused them
	// for this reason, and "failed" if it refused them for another reason.
	Outcome string `json:"outcome"`
	// Kind is ValidatingAdmissionPolicy, MutatingAdmissionPolicy, PodSecurity (for pods),
	// PodSecurityTemplate (for pod templates), Webhook or FailedOpen. FailedOpen means
	// that a webhook with failurePolicy Ignore could not be called.
	Kind string `json:"kind"`
	// Policy is the name of the policy or webhook, or the level of Pod Security. Binding
	// is the binding of the policy. Namespace is the namespace whose level Pod Security
	// enforces.
	Policy    string `json:"policy"`
	Binding   string `json:"binding"`
	Namespace string `json:"namespace"`
	// Actions are the validation actions of the binding. The log has the actions only if
	// Audit is among them.
	Actions []string `json:"actions"`
	// Requests is the number of requests, DryRuns the number of dry runs among them.
	Requests int64 `json:"requests"`
	DryRuns  int64 `json:"dryRuns"`
	// Clients and Objects count different clients and different named objects. If AtLeast
	// is true, there may be more.
	Clients int  `json:"clients"`
	Objects int  `json:"objects"`
	AtLeast bool `json:"atLeast"`
	// Unnamed is the number of requests without an object name, such as requests with
	// generateName and deletions of collections.
	Unnamed int64 `json:"unnamed"`
	// Namespaces has some of the namespaces of the objects.
	Namespaces []string `json:"namespaces"`
	First      string   `json:"first"`
	// Last is the time of the last request. Message and AuditID are from this request.
	Last    string `json:"last"`
	Message string `json:"message"`
	AuditID string `json:"auditID"`
	// Expressions has the expressions of the policy that failed. The log may not show all
	// of them.
	Expressions []DenialExpression `json:"expressions"`
	// Rows has the requests by client and object. Unlisted is the number of requests that
	// are not in Rows.
	Rows     []DenialRow `json:"rows"`
	Unlisted int64       `json:"unlisted"`

	at denial.Event
}

// DenialExpression is an expression that failed.
type DenialExpression struct {
	// Index is the index of the expression in spec.validations.
	Index    int   `json:"index"`
	Requests int64 `json:"requests"`
	// Message is the message of the last failure.
	Message string `json:"message"`
}

// DenialRow has the requests of one client for one object.
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

// PodSecurity has the requests in one namespace with the same result of Pod Security.
type PodSecurity struct {
	Namespace string `json:"namespace"`
	// Enforced is the level that the server enforced. It is empty for exempt requests and
	// for errors.
	Enforced string `json:"enforced"`
	// Exempt is the reason for an exemption: user, namespace or runtimeClass. It is empty
	// for other requests.
	Exempt string `json:"exempt"`
	// Error is true if the labels of the namespace, or the object, could not be read.
	Error    bool   `json:"error"`
	Requests int64  `json:"requests"`
	First    string `json:"first"`
	Last     string `json:"last"`
}

// WebhookCalls counts the calls of a mutating webhook.
type WebhookCalls struct {
	Configuration string `json:"configuration"`
	Webhook       string `json:"webhook"`
	// Requests is the number of requests for which the webhook was called. Mutated is the
	// number of these requests whose object it changed.
	Requests int64  `json:"requests"`
	Mutated  int64  `json:"mutated"`
	First    string `json:"first"`
	Last     string `json:"last"`
}

const policyRule = "policyviolation"

// privileged is the level that applies to a namespace without labels.
const privileged = "privileged:latest"

// onlyAdmission returns a copy of a report that has only the data about admission.
func onlyAdmission(r *tally.Report) *tally.Report {
	out := *r
	out.Groups, out.Clients, out.Conflicts, out.Refused, out.Bodies, out.Shared = nil, nil, nil, nil, nil, nil
	out.OpenWatches = 0
	return &out
}

// admission sets Document.Admission.
func (d *Document) admission(r *denial.Report) {
	a := &d.Admission
	a.Denials, a.PodSecurity, a.Webhooks = []Denial{}, []PodSecurity{}, []WebhookCalls{}
	if d.deprecatedOnly || r == nil {
		return
	}
	for _, x := range slices.SortedStableFunc(slices.Values(r.Denials), func(x, y *denial.Denial) int {
		return cmp.Or(cmp.Compare(x.Outcome, y.Outcome), cmp.Compare(y.Requests, x.Requests))
	}) {
		a.Denials = append(a.Denials, makeDenial(x))
	}
	for _, e := range r.Evaluations {
		a.PodSecurity = append(a.PodSecurity, PodSecurity{e.Namespace, e.Enforced, e.Exempt, e.Error, e.Requests, timeText(e.First), timeText(e.Last)})
	}
	for _, u := range r.Webhooks {
		a.Webhooks = append(a.Webhooks, WebhookCalls{u.Configuration, u.Webhook, u.Requests, u.Mutated, timeText(u.First), timeText(u.Last)})
	}
}

func makeDenial(x *denial.Denial) Denial {
	d := Denial{
		Outcome: x.Outcome.String(), Kind: x.Kind.String(), Policy: x.Policy, Binding: x.Binding, Namespace: x.Namespace, Actions: []string{},
		Requests: x.Requests, DryRuns: x.DryRuns, AtLeast: x.Unlisted > 0, Unnamed: x.Unnamed, Unlisted: x.Unlisted,
		First: timeText(x.First), Last: timeText(x.Last.Stamp), Message: x.Last.Message, AuditID: x.Last.AuditID,
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
			namespace = "" // in an audit event about a Namespace, the namespace is its own name
		}
		d.Rows = append(d.Rows, DenialRow{
			r.User, r.Agent, (&tally.API{Group: r.Group, Version: r.Version}).GroupVersion(), r.Resource, r.Subresource, namespace, r.Name,
			r.Requests, r.DryRuns, timeText(r.First), timeText(r.Last.Stamp), r.Last.Message, r.Last.AuditID,
		})
	}
	d.Clients, d.Objects = len(clients), len(objects)
	d.Namespaces = slices.Sorted(maps.Keys(namespaces))
	d.Namespaces = orEmpty(d.Namespaces[:min(len(d.Namespaces), maxNames)])
	return d
}

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

// denialFindings adds a finding for each reason that would deny requests.
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

func (d *Denial) severity() rules.Severity {
	if d.Kind == denial.FailedOpen.String() {
		return rules.Info
	}
	return rules.Warning
}

// summary returns a text such as "3 requests (1 dry run) of 2 clients to 1 object".
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

// condition returns a text such as "would be denied if namespace shop enforced Pod
// Security baseline".
func (d *Denial) condition() string {
	switch d.Kind {
	case "PodSecurity", "PodSecurityTemplate":
		return fmt.Sprintf("would be denied if namespace %s enforced Pod Security %s", d.Namespace, d.Policy)
	case "FailedOpen":
		return fmt.Sprintf("would be denied if webhook %s had failurePolicy Fail: it could not be called", d.Policy)
	}
	return fmt.Sprintf("would be denied if binding %s of %s %s had the action Deny", d.Binding, d.Kind, d.Policy)
}

// period returns a text with the times of the first and last request. end is the time of
// the last event in the logs.
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

// quoted returns the message of the last request after a colon, or "" without a message.
func (d *Denial) quoted() string {
	if d.Message == "" {
		return ""
	}
	return ": " + d.Message
}
