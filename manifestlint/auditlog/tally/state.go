package tally

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/manifestlint/auditlog"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// State is what was counted, in a form that can be kept and added to other
// states. The same counts make the same state, whatever the order in which logs
// were read or states were merged; encoding/json writes it in one way only.
//
// Requests that have begun and not ended stay undecided in it, so that their
// ends may be in the next log. What a state cannot undo any more is that another
// one counted the same events: states are to be made of different logs. Shared
// tells if they are not.
type State struct {
	// Config says what was counted. Only states of one Config can be merged.
	Config StateConfig `json:"config"`

	Requests int64           `json:"requests"`
	Copies   int64           `json:"copies"`
	Stages   int64           `json:"stages"`
	Filtered int64           `json:"filtered"`
	First    int64           `json:"first"`
	Last     int64           `json:"last"`
	Server   lifecycle.Minor `json:"server"`
	Overflow Overflow        `json:"overflow"`

	// Clients and APIs are named by their place in the lists below.
	Clients []stateClient `json:"clients"`
	APIs    []stateAPI    `json:"apis"`

	Uses      []stateUse      `json:"uses"`
	Groups    []stateGroup    `json:"groups"`
	Maybe     []stateGroup    `json:"maybe"`
	OldCRs    []stateOld      `json:"oldCustomResources"`
	Open      []stateOpen     `json:"open"`
	Ended     []uint64        `json:"ended"`
	Conflicts []stateConflict `json:"conflicts"`
	Refused   []stateRefused  `json:"refused"`
	Bodies    []stateBody     `json:"bodies"`

	// Sample is what Shared goes by.
	Sample []uint64 `json:"sample"`
}

// StateConfig is what states must have in common.
type StateConfig struct {
	// Target is the cluster that APIs are judged against, Verdicts a fingerprint
	// of what it makes of them, by its settings and by what this kubevet knows;
	// Filter what was left out, "" for nothing; Bodies whether the objects that
	// clients sent were judged.
	Target   string `json:"target"`
	Verdicts string `json:"verdicts"`
	Filter   string `json:"filter"`
	Bodies   bool   `json:"bodies"`
}

type (
	stateClient struct {
		User         string   `json:"user"`
		Impersonated string   `json:"impersonated,omitempty"`
		Agent        string   `json:"agent"`
		SourceIP     string   `json:"sourceIP,omitempty"`
		LastIP       string   `json:"lastIP,omitempty"`
		Pod          string   `json:"pod,omitempty"`
		Groups       []string `json:"groups,omitempty"`
		Counts
		Unnamed  *mark            `json:"unnamedAt,omitempty"`
		Managers map[string]int64 `json:"managers,omitempty"`
	}
	stateAPI struct {
		Group       string `json:"group"`
		Version     string `json:"version"`
		Resource    string `json:"resource"`
		Subresource string `json:"subresource,omitempty"`
	}
	stateUse struct {
		Client int    `json:"client"`
		API    int    `json:"api"`
		Reads  uint32 `json:"reads,omitempty"`
		Lists  uint32 `json:"lists,omitempty"`
		Writes uint32 `json:"writes,omitempty"`
	}
	stateGroup struct {
		Client    int       `json:"client"`
		API       int       `json:"api"`
		Verb      Verb      `json:"verb"`
		Code      int       `json:"code"`
		Namespace string    `json:"namespace,omitempty"`
		Name      string    `json:"name,omitempty"`
		Removed   string    `json:"removed,omitempty"`
		Count     int64     `json:"count"`
		Derived   int64     `json:"derived,omitempty"`
		First     int64     `json:"first,omitempty"`
		Last      int64     `json:"last,omitempty"`
		At        mark      `json:"at"`
		Examples  []example `json:"examples,omitempty"`
	}
	stateOld struct {
		API     int    `json:"api"`
		Removed string `json:"removed"`
	}
	stateOpen struct {
		Request   uint64         `json:"request"`
		Object    uint64         `json:"object,omitempty"`
		Client    int            `json:"client"`
		API       int            `json:"api"`
		Verb      Verb           `json:"verb"`
		Stage     auditlog.Stage `json:"stage"`
		Code      int16          `json:"code"`
		Flags     flags          `json:"flags,omitempty"`
		AuditID   string         `json:"auditID,omitempty"`
		Namespace string         `json:"namespace,omitempty"`
		Name      string         `json:"name,omitempty"`
		Removed   string         `json:"removed,omitempty"`
		Detail    bool           `json:"detail,omitempty"`
		At        mark           `json:"at"`
	}
	stateConflict struct {
		Client  int    `json:"client"`
		API     int    `json:"api"`
		Manager string `json:"manager"`
		Field   string `json:"field"`
		Count   int64  `json:"count"`
	}
	stateRefused struct {
		Client int     `json:"client"`
		Kind   Refusal `json:"kind"`
		Text   string  `json:"text"`
		Count  int64   `json:"count"`
	}
	stateBody struct {
		Client  int           `json:"client"`
		API     int           `json:"api"`
		Finding rules.Finding `json:"finding"`
		Count   int64         `json:"count"`
		At      mark          `json:"at"`
		Objects []string      `json:"objects"`
	}
)

// config is what a state of the tally must agree in.
func (t *Tally) config() StateConfig {
	h := fnv.New64a()
	for a := range lifecycle.All() {
		v := judge(a, t.cfg.Target)
		fmt.Fprintln(h, a.GroupVersion(), a.Kind(), v.removed, v.deprecated)
	}
	return StateConfig{
		Target: t.cfg.Target.String(), Verdicts: fmt.Sprintf("%016x", h.Sum64()), Filter: t.cfg.Filter.String(), Bodies: t.cfg.Judge != nil,
	}
}

// State gives what has been counted so far. The tally must have been made to
// Keep; it can go on. Nothing in the state is the tally's own.
func (t *Tally) State() *State {
	for _, b := range sortedOpen(t.open) { // they may be all that is known of a client
		t.client(b.client)
		t.api(b.api)
	}
	s := &State{
		Config:   t.config(),
		Requests: t.requests, Copies: t.copies, Stages: t.stages, Filtered: t.filtered, First: t.first, Last: t.last,
		Server: t.server, Overflow: t.overflow,
	}
	s.Overflow.Forgotten += t.seen.forgotten
	clients, apis := s.number(t)
	for k, u := range t.used {
		s.Uses = append(s.Uses, stateUse{clients[k.client], apis[k.api], u.reads, u.lists, u.writes})
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
	return s
}

// number lists clients and APIs in an order of their own, and gives their
// places in it by their IDs. Those beyond the limits come first, if there are
// any.
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

// sortedOpen gives requests in the order in which they began.
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
			Removed: g.Removed, Count: g.Count, Derived: g.Derived, First: g.First, Last: g.Last, At: g.at, Examples: slices.Clone(g.examples),
		})
	}
	slices.SortFunc(all, func(a, b stateGroup) int {
		return cmp.Or(cmp.Compare(a.Client, b.Client), cmp.Compare(a.API, b.API), cmp.Compare(a.Verb, b.Verb), cmp.Compare(a.Code, b.Code),
			strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name))
	})
	return all
}

// Merge adds what a state counted. It fails, and adds nothing, if the state
// counted something else than the tally does, or is damaged.
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
		t.finish1(id)
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
}

// Restore makes a tally of a state, whatever was left out when it was made. It
// fails if the state was made for another target.
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

// agree fails if a state counted something else than a tally does.
func (c StateConfig) agree(want StateConfig) error {
	switch {
	case c == want:
		return nil
	case c.String() == want.String():
		return fmt.Errorf("the state was made with other feature gates or --runtime-config, or by another kubevet")
	}
	return fmt.Errorf("the state was made with %s, this run counts with %s", c, want)
}

// check holds that a state from a file names what it has.
func (s *State) check() error {
	if len(s.Clients) == 0 || len(s.APIs) == 0 {
		return fmt.Errorf("the state is damaged: it has no clients or no APIs")
	}
	ok := true
	ref := func(client, api int) {
		ok = ok && client >= 0 && client < len(s.Clients) && api >= 0 && api < len(s.APIs)
	}
	for _, u := range s.Uses {
		ref(u.Client, u.API)
	}
	for _, g := range s.Groups {
		ref(g.Client, g.API)
	}
	for _, g := range s.Maybe {
		ref(g.Client, g.API)
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
	for _, b := range s.Bodies {
		ref(b.Client, b.API)
	}
	if !ok {
		return fmt.Errorf("the state is damaged: it names a client or an API that it does not have")
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
	g.First, g.Last = earliest(g.First, s.First), max(g.Last, s.Last)
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

// String says what was counted, for a message.
func (c StateConfig) String() string {
	text := "--target " + c.Target
	if c.Filter != "" {
		text += " and filters (" + c.Filter + ")"
	}
	if !c.Bodies {
		text += " without a look at bodies"
	}
	return text
}

// earliest is the earlier of two times, of which 0 is none.
func earliest(a, b int64) int64 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}
