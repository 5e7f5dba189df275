package tally

import (
	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// groupKey identifies a group.
type groupKey struct {
	client, api     uint32
	verb            Verb
	code            int16
	namespace, name string
}

// Group has equal requests of one client for one object of a removed or
// deprecated API.
type Group struct {
	Client *Client
	API    *API
	Verb   Verb
	// Code is the HTTP status; 0 for a request that has not ended.
	Code            int
	Namespace, Name string
	// Removed is the first release without the API, such as "1.25"; "" if no removal is planned.
	Removed string
	// RemovedAt and DeprecatedAt are the releases of the target in which the
	// API is removed and deprecated. Both are empty for a custom resource,
	// because only an annotation says that it is deprecated.
	RemovedAt, DeprecatedAt lifecycle.Minors
	// Count is the number of requests. Derived is the number of requests that
	// the server did not mark as deprecated: open watches, refused requests,
	// and requests to an API that only the target deprecates.
	Count, Derived int64
	// Rejected is the number of requests with the response 404 because the
	// server does not serve the API.
	Rejected int64
	// Open is the number of requests that have not ended: open watches.
	Open int64
	// First and Last are the times of the first and the last request, in microseconds since 1970.
	First, Last int64
	// Times are the times of the requests.
	Times Times
	// At is the position of the earliest event. AuditIDs are the IDs of a few
	// of the earliest requests. Tally.Report sets both.
	At       Place
	AuditIDs []string

	at       mark
	examples []example
}

// maxExamples is the largest number of audit IDs of a group.
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
			t.markOld(a, removed)
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
	g := t.group(into, groupKey{c.id, a.id, r.verb, r.code, r.detail.namespace, r.detail.name}, c, a, removed, 1)
	if g == nil {
		return
	}
	g.Count++
	if !annotated {
		g.Derived++
	}
	if r.flags&flagUnserved != 0 {
		g.Rejected++
	}
	if r.stage == auditlog.StageResponseStarted {
		g.Open++
	}
	if r.stamp != 0 {
		g.First = earliest(g.First, r.stamp)
		g.Last = max(g.Last, r.stamp)
		g.Times.Add(r.stamp, 1)
	}
	g.at.earlier(mark{r.stamp, t.place(r)})
	g.example(example{r.stamp, r.detail.auditID})
}

// group returns the group with a key, which is added if it is new. If there are
// MaxGroups groups, it returns a group for all objects instead. If there are
// twice as many, it adds no group and may return nil.
func (t *Tally) group(into map[groupKey]*Group, key groupKey, c *Client, a *API, removed string, requests int64) *Group {
	if g := into[key]; g != nil {
		return g
	}
	if len(into) >= t.cfg.MaxGroups {
		t.overflow.Groups += requests
		key.namespace, key.name = "", ""
		if g := into[key]; g != nil || len(into) >= 2*t.cfg.MaxGroups {
			return g
		}
	}
	v := t.verdict(a)
	g := &Group{
		Client: c, API: a, Verb: key.verb, Code: int(key.code), Namespace: key.namespace, Name: key.name,
		Removed: removed, RemovedAt: v.removed, DeprecatedAt: v.deprecated,
	}
	into[key] = g
	return g
}

// markOld records that the server marked a custom resource as deprecated.
// removed is the release that removes it; "" if unknown. If events have
// different releases, the earliest one is kept.
func (t *Tally) markOld(a *API, removed string) {
	if known, is := t.oldCRs[a.id]; !is || compareReleases(removed, known) < 0 {
		t.oldCRs[a.id] = removed
	}
}
