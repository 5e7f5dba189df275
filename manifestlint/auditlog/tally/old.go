package tally

import (
	"github.com/kubevet/kubevet/manifestlint/auditlog"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// groupKey tells groups apart.
type groupKey struct {
	client, api     uint32
	verb            Verb
	code            int16
	namespace, name string
}

// Group is how often one client sent one request to an API that is removed or
// deprecated, to one object.
type Group struct {
	Client *Client
	API    *API
	Verb   Verb
	// Code is the HTTP status, 0 where a request had not ended.
	Code            int
	Namespace, Name string
	// Removed is the release that no longer serves the API, such as "1.25";
	// "" where none is planned.
	Removed string
	// RemovedAt and DeprecatedAt are the target's minors at which the API is
	// one or the other. Both are empty for custom resources, which only an
	// annotation calls deprecated.
	RemovedAt, DeprecatedAt lifecycle.Minors
	// Count is the number of requests, Derived how many of them the server did
	// not annotate: open watches, refused ones, and those to APIs that are
	// deprecated in the target only.
	Count, Derived int64
	// Open is how many have not ended: watches that are still open.
	Open int64
	// First and Last are when the first and last were, in microseconds since
	// 1970.
	First, Last int64
	// At is where the first event in the order of the logs stands.
	At Place
	// AuditIDs are a few of them.
	AuditIDs []string
}

// maxExamples is how many audit IDs a group keeps.
const maxExamples = 3

// old counts a request to an API that is removed or deprecated.
func (t *Tally) old(c *Client, a *API, r *record) {
	if r.detail == nil {
		return
	}
	v := t.verdict(a)
	annotated := r.flags&flagDeprecated != 0
	into := t.groups
	removed := r.detail.removed
	switch {
	case annotated:
		if a.Known.IsZero() {
			t.oldCRs[a.id] = removed
		}
	case v.removed != 0 || v.deprecated != 0:
	case a.Known.IsZero() && a.Resource != "":
		into = t.maybe
	default:
		return
	}
	if removed == "" {
		removed = a.Removed()
	}
	key := groupKey{c.id, a.id, r.verb, r.code, r.detail.namespace, r.detail.name}
	g := into[key]
	if g == nil {
		if len(into) >= t.cfg.MaxGroups {
			t.overflow.Groups++
			key.namespace, key.name = "", ""
			if g = into[key]; g == nil && len(into) >= 2*t.cfg.MaxGroups {
				return
			}
		}
		if g == nil {
			g = &Group{
				Client: c, API: a, Verb: r.verb, Code: int(r.code), Namespace: key.namespace, Name: key.name,
				At: t.place(r), Removed: removed, RemovedAt: v.removed, DeprecatedAt: v.deprecated,
			}
			into[key] = g
		}
	}
	g.Count++
	if !annotated {
		g.Derived++
	}
	if r.stage == auditlog.StageResponseStarted {
		g.Open++
	}
	if r.stamp != 0 {
		if g.First == 0 || r.stamp < g.First {
			g.First = r.stamp
		}
		g.Last = max(g.Last, r.stamp)
	}
	if len(g.AuditIDs) < maxExamples {
		g.AuditIDs = append(g.AuditIDs, r.detail.auditID)
	}
}
