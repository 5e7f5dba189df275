package tally

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// State returns the counts of the tally, which can continue afterwards. The
// tally needs Config.Keep. The state shares no memory with the tally.
func (t *Tally) State() *State {
	for _, b := range sortedOpen(t.open) { // a client may have no other requests than this one
		t.client(b.client)
		t.api(b.api)
	}
	s := &State{
		Config:   t.config(),
		Requests: t.requests, Copies: t.copies, Stages: t.stages, Filtered: t.filtered, First: t.first, Last: t.last,
		Server: t.server, Overflow: t.overflow,
	}
	s.Overflow.Forgotten += t.seen.forgotten
	s.Overflow.Objects += t.objects.forgotten
	s.Denials = t.denials.State()
	clients, apis := s.number(t)
	for _, c := range t.list {
		for _, u := range c.uses {
			s.Uses = append(s.Uses, stateUse{clients[c.id], apis[u.api], u.reads, u.lists, u.writes})
		}
	}
	slices.SortFunc(s.Uses, func(a, b stateUse) int { return cmp.Or(cmp.Compare(a.Client, b.Client), cmp.Compare(a.API, b.API)) })
	s.Groups, s.Maybe = groupStates(t.groups, clients, apis), groupStates(t.maybe, clients, apis)
	for a, removed := range t.oldCRs {
		s.OldCRs = append(s.OldCRs, stateOld{apis[a], removed})
	}
	slices.SortFunc(s.OldCRs, func(a, b stateOld) int { return cmp.Compare(a.API, b.API) })
	for _, b := range t.open {
		o := stateOpen{
			Request: b.request, Object: b.object, Client: clients[t.client(b.client).id], API: apis[t.api(b.api).id], Verb: b.verb,
			Stage: b.stage, Code: b.code, Flags: b.flags, At: mark{b.stamp, b.at},
		}
		if d := b.detail; d != nil {
			o.Detail, o.AuditID, o.Namespace, o.Name, o.Removed = true, d.auditID, d.namespace, d.name, d.removed
		}
		s.Open = append(s.Open, o)
	}
	slices.SortFunc(s.Open, func(a, b stateOpen) int { return cmp.Compare(a.Request, b.Request) })
	s.Sample = slices.Clone(t.sample)
	s.Ended = slices.Sorted(maps.Keys(t.finished))
	for k, c := range t.conflicts {
		s.Conflicts = append(s.Conflicts, stateConflict{clients[k.client], apis[k.api], k.manager, k.field, c.Count})
	}
	slices.SortFunc(s.Conflicts, func(a, b stateConflict) int {
		return cmp.Or(cmp.Compare(a.Client, b.Client), cmp.Compare(a.API, b.API), strings.Compare(a.Manager, b.Manager), strings.Compare(a.Field, b.Field))
	})
	for k, r := range t.refused {
		s.Refused = append(s.Refused, stateRefused{clients[k.client], k.kind, k.text, r.Count})
	}
	slices.SortFunc(s.Refused, func(a, b stateRefused) int {
		return cmp.Or(cmp.Compare(a.Client, b.Client), cmp.Compare(a.Kind, b.Kind), strings.Compare(a.Text, b.Text))
	})
	for k, b := range t.sent {
		s.Bodies = append(s.Bodies, stateBody{clients[k.client], apis[k.api], b.Finding, b.Count, b.at, slices.Clone(b.Objects)})
	}
	slices.SortFunc(s.Bodies, func(a, b stateBody) int {
		return cmp.Or(cmp.Compare(a.Client, b.Client), cmp.Compare(a.API, b.API), strings.Compare(a.Finding.Rule, b.Finding.Rule),
			strings.Compare(a.Finding.Path, b.Finding.Path), strings.Compare(a.Finding.Message, b.Finding.Message))
	})
	if t.cfg.Live {
		s.Objects = t.objects.state(t.last, clients)
	}
	return s
}

// number sorts clients and APIs, and returns their positions in the state by
// ID. The entries for requests beyond the limits come first.
func (s *State) number(t *Tally) (clients, apis []int) {
	order := slices.SortedFunc(slices.Values(t.list[1:]), compareClients)
	order = append([]*Client{t.list[0]}, order...)
	clients = make([]int, len(t.list))
	for i, c := range order {
		clients[c.id] = i
		k := stateClient{
			User: c.User, Impersonated: c.Impersonated, Agent: c.Agent, SourceIP: c.SourceIP, LastIP: c.LastIP, Pod: c.Pod, Groups: c.Groups,
			Counts: c.Counts, Managers: maps.Clone(c.Managers),
		}
		if c.unnamed.Place != (Place{}) {
			k.Unnamed = &c.unnamed
		}
		s.Clients = append(s.Clients, k)
	}
	named := slices.SortedFunc(slices.Values(t.apiList[1:]), compareAPIs)
	named = append([]*API{t.apiList[0]}, named...)
	apis = make([]int, len(t.apiList))
	for i, a := range named {
		apis[a.id] = i
		s.APIs = append(s.APIs, stateAPI{a.Group, a.Version, a.Resource, a.Subresource})
	}
	return clients, apis
}

// sortedOpen returns the open requests in the order in which they began.
func sortedOpen(open map[uint64]begun) []begun {
	return slices.SortedFunc(maps.Values(open), func(a, b begun) int {
		return cmp.Or(a.mark().compare(b.mark()), cmp.Compare(a.request, b.request))
	})
}

func compareAPIs(a, b *API) int {
	return cmp.Or(strings.Compare(a.Group, b.Group), strings.Compare(a.Version, b.Version), strings.Compare(a.Resource, b.Resource), strings.Compare(a.Subresource, b.Subresource))
}

func groupStates(groups map[groupKey]*Group, clients, apis []int) []stateGroup {
	var all []stateGroup
	for k, g := range groups {
		all = append(all, stateGroup{
			Client: clients[k.client], API: apis[k.api], Verb: k.verb, Code: int(k.code), Namespace: k.namespace, Name: k.name,
			Removed: g.Removed, Count: g.Count, Derived: g.Derived, Rejected: g.Rejected, First: g.First, Last: g.Last,
			Times: g.Times.clone(), At: g.at, Examples: slices.Clone(g.examples),
		})
	}
	slices.SortFunc(all, func(a, b stateGroup) int {
		return cmp.Or(cmp.Compare(a.Client, b.Client), cmp.Compare(a.API, b.API), cmp.Compare(a.Verb, b.Verb), cmp.Compare(a.Code, b.Code),
			strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name))
	})
	return all
}
