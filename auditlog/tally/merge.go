package tally

import (
	"fmt"

	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Merge adds the counts of a state. If the state has other settings than the
// tally, or is damaged, Merge adds nothing and returns an error.
func (t *Tally) Merge(s *State) error {
	if err := s.Config.agree(t.config()); err != nil {
		return err
	}
	if err := s.check(); err != nil {
		return err
	}
	t.merge(s)
	return nil
}

func (t *Tally) merge(s *State) {
	t.requests += s.Requests
	t.copies += s.Copies
	t.stages += s.Stages
	t.filtered += s.Filtered
	t.first, t.last = earliest(t.first, s.First), max(t.last, s.Last)
	t.server = max(t.server, s.Server)
	t.overflow.Clients += s.Overflow.Clients
	t.overflow.Groups += s.Overflow.Groups
	t.overflow.Refusals += s.Overflow.Refusals
	t.overflow.Forgotten += s.Overflow.Forgotten
	t.overflow.Objects += s.Overflow.Objects
	clients := make([]*Client, len(s.Clients))
	for i := range s.Clients {
		clients[i] = t.mergeClient(&s.Clients[i], i == 0)
	}
	apis := make([]*API, len(s.APIs))
	for i, a := range s.APIs {
		if i == 0 {
			apis[i] = t.apiList[0]
			continue
		}
		n := &API{Group: a.Group, Version: a.Version, Resource: a.Resource, Subresource: a.Subresource, Known: lookup(a.Group, a.Version, a.Resource)}
		n.old = t.isOld(n)
		apis[i] = t.api(n)
	}
	for _, u := range s.Uses {
		if mine := t.useOf(clients[u.Client], apis[u.API]); mine != nil {
			mine.reads, mine.lists, mine.writes = mine.reads+u.Reads, mine.lists+u.Lists, mine.writes+u.Writes
		}
	}
	for i := range s.Groups {
		t.mergeGroup(t.groups, &s.Groups[i], clients, apis)
	}
	for i := range s.Maybe {
		t.mergeGroup(t.maybe, &s.Maybe[i], clients, apis)
	}
	for _, o := range s.OldCRs {
		t.markOld(apis[o.API], o.Removed)
	}
	for _, id := range s.Sample {
		t.sample.add(id)
	}
	for _, id := range s.Ended {
		t.markFinished(id)
	}
	for i := range s.Open {
		t.mergeOpen(&s.Open[i], clients, apis)
	}
	for _, c := range s.Conflicts {
		t.conflictWith(clients[c.Client], apis[c.API], c.Manager, c.Field, c.Count)
	}
	for _, r := range s.Refused {
		t.refusedWith(clients[r.Client], r.Kind, r.Text, r.Count)
	}
	for i := range s.Bodies {
		b := &s.Bodies[i]
		t.body(clients[b.Client], apis[b.API], b.Finding, b.Count, b.At, b.Objects)
	}
	t.denials.Merge(s.Denials, s.Requests)
	if t.cfg.Live {
		t.objects.restore(s.Objects, clients)
	}
}

// Restore returns a tally with the counts of a state. The state can have any
// filter. If it was made for another target, Restore returns an error.
func Restore(s *State, target lifecycle.Target) (*Tally, error) {
	t := New(Config{Target: target, Keep: true})
	mine := t.config()
	mine.Filter, mine.Bodies = s.Config.Filter, s.Config.Bodies
	if err := s.Config.agree(mine); err != nil {
		return nil, err
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	t.merge(s)
	return t, nil
}

// check returns an error if the state refers to missing entries. A state from a
// file may be damaged.
func (s *State) check() error {
	if len(s.Clients) == 0 || len(s.APIs) == 0 {
		return fmt.Errorf("the state is damaged: it has no clients or no APIs")
	}
	ok, valid := true, true
	ref := func(client, api int) {
		ok = ok && client >= 0 && client < len(s.Clients) && api >= 0 && api < len(s.APIs)
	}
	for _, u := range s.Uses {
		ref(u.Client, u.API)
	}
	for _, groups := range [...][]stateGroup{s.Groups, s.Maybe} {
		for i := range groups {
			g := &groups[i]
			ref(g.Client, g.API)
			valid = valid && g.Times.valid()
		}
	}
	for _, o := range s.OldCRs {
		ref(0, o.API)
	}
	for _, o := range s.Open {
		ref(o.Client, o.API)
	}
	for _, c := range s.Conflicts {
		ref(c.Client, c.API)
	}
	for _, r := range s.Refused {
		ref(r.Client, 0)
	}
	for _, o := range s.Objects {
		ref(o.Reader, 0)
	}
	for _, b := range s.Bodies {
		ref(b.Client, b.API)
	}
	if !ok {
		return fmt.Errorf("the state is damaged: it names a client or an API that it does not have")
	}
	if !valid {
		return fmt.Errorf("the state is damaged: the times of its requests are none")
	}
	if s.Denials != nil {
		return s.Denials.Check()
	}
	return nil
}

func (t *Tally) mergeClient(s *stateClient, others bool) *Client {
	c := t.list[0]
	if !others {
		c = t.client(&auditlog.Client{
			User: s.User, Impersonated: s.Impersonated, Agent: s.Agent, SourceIP: s.SourceIP, LastIP: s.LastIP, Pod: s.Pod, Groups: s.Groups,
		})
	}
	c.add(&s.Counts)
	if s.Unnamed != nil {
		c.unnamed.earlier(*s.Unnamed)
		c.UnnamedAt = c.unnamed.Place
	}
	for name, n := range s.Managers {
		c.manage(name, n)
	}
	return c
}

func (t *Tally) mergeGroup(into map[groupKey]*Group, s *stateGroup, clients []*Client, apis []*API) {
	c, a := clients[s.Client], apis[s.API]
	g := t.group(into, groupKey{c.id, a.id, s.Verb, int16(s.Code), s.Namespace, s.Name}, c, a, s.Removed, s.Count)
	if g == nil {
		return
	}
	g.Count += s.Count
	g.Derived += s.Derived
	g.Rejected += s.Rejected
	g.First, g.Last = earliest(g.First, s.First), max(g.Last, s.Last)
	g.Times.Merge(&s.Times)
	g.at.earlier(s.At)
	for _, e := range s.Examples {
		g.example(e)
	}
}

func (t *Tally) mergeOpen(s *stateOpen, clients []*Client, apis []*API) {
	r := record{
		request: s.Request, object: s.Object, stamp: s.At.Stamp, client: clients[s.Client].Client, api: apis[s.API], code: s.Code,
		verb: s.Verb, stage: s.Stage, flags: s.Flags,
	}
	if s.Detail {
		r.detail = &detail{auditID: s.AuditID, namespace: s.Namespace, name: s.Name, removed: s.Removed}
	}
	t.begin(&r, s.At.Place)
}

// earliest returns the earlier of two times; 0 means unknown.
func earliest(a, b int64) int64 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}
