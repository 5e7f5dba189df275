package auditreport

import (
	"fmt"
	"strings"

	"github.com/kubevet/kubevet/auditlog/denial"
	"github.com/kubevet/kubevet/rules"
)

// News is a new finding in a growing log.
type News struct {
	// Time is the time of the event that caused the finding: the first use of an API, the
	// last reversal of a fight, or the last event of other findings.
	Time     string         `json:"time"`
	Rule     string         `json:"rule"`
	Severity rules.Severity `json:"severity"`
	// Message is the message of the finding. It has no count of requests, because the
	// count changes with every request.
	Message string           `json:"message"`
	Object  *rules.ObjectRef `json:"object,omitempty"`
	// Key identifies the finding in this and in later documents.
	Key string `json:"-"`
}

// News returns the findings in the order of the document. It leaves out the use of APIs by
// clients that read all resources.
func (d *Document) News() []News {
	out := d.newUses()
	subjects := d.subjects()
	// Findings about APIs come first in d.Findings. The other findings have the order of
	// subjects.
	findings := d.Findings[max(0, len(d.Findings)-len(subjects)):]
	for i, f := range findings {
		s := subjects[i]
		out = append(out, News{Time: s.time, Rule: f.Rule, Severity: f.Severity, Message: f.Message, Object: f.Object, Key: newsKey(f.Rule, s.key...)})
	}
	return out
}

// subject identifies a finding that is not about an API. It does not depend on counts.
type subject struct {
	time string
	key  []string
}

// subjects returns a subject for each finding that is not about an API, in the order of
// Document.findings.
func (d *Document) subjects() []subject {
	var out []subject
	for i := range d.Bodies {
		x := &d.Bodies[i]
		out = append(out, subject{d.Summary.Last, []string{x.User, x.Agent, x.API, x.Path, x.Message}})
	}
	for i := range d.Clients {
		if c := &d.Clients[i]; c.Unnamed > 0 {
			out = append(out, subject{c.Last, []string{c.User, c.Agent}})
		}
	}
	for i := range d.Admission.Denials {
		if x := &d.Admission.Denials[i]; x.Outcome == denial.Passed.String() {
			out = append(out, subject{x.Last, []string{x.Kind, x.Policy, x.Binding, x.Namespace}})
		}
	}
	object := func(o FightObject) []string { return []string{o.Group, o.Resource, o.Namespace, o.Name} }
	for i := range d.Fights {
		out = append(out, subject{d.Fights[i].Last, object(d.Fights[i].Object)})
	}
	for i := range d.Leftovers {
		l := &d.Leftovers[i]
		out = append(out, subject{l.Last, append(object(l.Object), l.Manager, l.Update)})
	}
	return out
}

// newsKey joins the parts of a key. Parts may have any characters, so they are quoted.
func newsKey(rule string, parts ...string) string {
	return fmt.Sprintf("%s %q", rule, parts)
}

// newUses returns the news about clients that use deprecated or removed APIs.
func (d *Document) newUses() []News {
	var out []News
	for i := range d.uses {
		r := &d.uses[i]
		if r.Wildcard {
			continue
		}
		user, agent, api := r.values[useUser], r.values[useAgent], r.values[useAPI]
		n := News{
			Time: r.First, Rule: "deprecatedapi", Severity: rules.Warning,
			Message: fmt.Sprintf("%s (%s) uses %s, which is deprecated", user, orNone(agent), api),
		}
		if r.Gone {
			n.Rule, n.Severity = "removedapi", rules.Error
			n.Message = fmt.Sprintf("%s (%s) uses %s, which the target does not serve", user, orNone(agent), api)
		} else if r.Removed != "" {
			n.Message += " and gone in v" + r.Removed
		}
		if len(r.Replacements) > 0 {
			n.Message += "; use " + strings.Join(r.Replacements, " or ")
		}
		n.Key = newsKey("api", user, agent, api)
		out = append(out, n)
	}
	return out
}
