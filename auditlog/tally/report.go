package tally

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/auditlog/denial"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Report is the result of a tally. Its lists are sorted. The same logs have the
// same report.
type Report struct {
	// Requests is the number of counted requests. Copies is the number of
	// further events for counted requests. Stages is the number of events of
	// earlier stages. Filtered is the number of requests that the filter
	// excluded.
	Requests, Copies, Stages, Filtered int64
	// OpenWatches is the number of requests that had not ended.
	OpenWatches int64
	// First and Last are the times of the first and the last request, in microseconds since 1970; 0
	// if no event has a time.
	First, Last int64
	// Server is the minor of the server that wrote the log; 0 if unknown.
	Server lifecycle.Minor
	// Target has the minors for which APIs were checked.
	Target lifecycle.Target

	Groups    []*Group
	Clients   []*Client
	Conflicts []*Conflict
	Refused   []*Refused
	// Bodies are the findings in the objects that clients sent.
	Bodies []*Body
	// Denials has the decisions of admission control.
	Denials *denial.Report
	// Shared are the field managers that the server derives for several
	// clients.
	Shared []Shared
	// Wildcard has the clients that read all resources. They also read old
	// APIs, but do not need them.
	Wildcard map[*Client]bool
	Overflow Overflow

	apiList []*API // for APIsOf
}

// Shared is a field manager that the server derives for clients of several
// users.
type Shared struct {
	Manager string
	Clients []*Client
}

// Report returns the report and ends the tally. No records can be added
// afterwards.
func (t *Tally) Report() *Report {
	t.finish()
	r := &Report{
		Requests: t.requests, Copies: t.copies, Stages: t.stages, Filtered: t.filtered, OpenWatches: t.watching,
		First: t.first, Last: t.last, Server: t.server, Target: t.cfg.Target, Overflow: t.overflow,
		apiList: t.apiList,
	}
	for _, g := range t.groups {
		g.At, g.AuditIDs = g.at.Place, nil
		for _, e := range g.examples {
			g.AuditIDs = append(g.AuditIDs, e.AuditID)
		}
	}
	r.Groups = slices.SortedFunc(maps.Values(t.groups), compareGroups)
	for i, c := range t.list {
		if i > 0 || c.Requests > 0 {
			r.Clients = append(r.Clients, c)
		}
	}
	slices.SortFunc(r.Clients, compareClients)
	r.Conflicts = slices.SortedFunc(maps.Values(t.conflicts), func(a, b *Conflict) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), compareClients(a.Client, b.Client), strings.Compare(a.API.String(), b.API.String()),
			strings.Compare(a.Manager, b.Manager), strings.Compare(a.Field, b.Field))
	})
	r.Refused = slices.SortedFunc(maps.Values(t.refused), func(a, b *Refused) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(b.Count, a.Count), compareClients(a.Client, b.Client), strings.Compare(a.Text, b.Text))
	})
	r.Bodies = t.sortedBodies()
	r.Denials = t.denials.Report()
	r.Shared = shared(r.Clients)
	r.Wildcard = t.wildcards()
	return r
}

func compareClients(a, b *Client) int {
	if a == b {
		return 0
	}
	if n := cmp.Or(strings.Compare(a.Who(), b.Who()), strings.Compare(a.Agent, b.Agent), strings.Compare(a.SourceIP, b.SourceIP)); n != 0 {
		return n
	}
	return strings.Compare(identity(a.Client), identity(b.Client))
}

func compareGroups(a, b *Group) int {
	if a.Removed != b.Removed {
		if n := compareReleases(a.Removed, b.Removed); n != 0 {
			return n
		}
	}
	if a.API != b.API {
		if n := strings.Compare(a.API.String(), b.API.String()); n != 0 {
			return n
		}
	}
	return cmp.Or(
		compareClients(a.Client, b.Client),
		cmp.Compare(a.Verb, b.Verb), cmp.Compare(a.Code, b.Code),
		strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name),
	)
}

// compareReleases compares two releases. "" is after all releases.
func compareReleases(a, b string) int {
	am, aerr := lifecycle.ParseMinor(a)
	bm, berr := lifecycle.ParseMinor(b)
	switch {
	case aerr != nil && berr != nil:
		return strings.Compare(a, b)
	case aerr != nil:
		return 1
	case berr != nil:
		return -1
	}
	return cmp.Compare(am, bm)
}

// shared returns the managers that several users share. A user with several
// programs, addresses or versions counts as one user.
func shared(clients []*Client) []Shared {
	by := map[string][]*Client{}
	for _, c := range clients {
		if c.Unnamed > 0 && c.Derived != "" {
			by[c.Derived] = append(by[c.Derived], c)
		}
	}
	var out []Shared
	for _, m := range slices.Sorted(maps.Keys(by)) {
		users := map[string]bool{}
		for _, c := range by[m] {
			users[c.Who()] = true
		}
		if len(users) > 1 {
			out = append(out, Shared{m, by[m]})
		}
	}
	return out
}

// wildcardResources is the smallest number of different resources that a
// wildcard reader reads.
const wildcardResources = 15

// collectors are the components of Kubernetes that read all resources which the
// server offers.
var collectors = []string{
	"generic-garbage-collector", "namespace-controller", "resourcequota-controller",
	"metadata-informers", "discovery", "storage-version-migrator",
}

// wildcards returns the clients that read all resources that exist, such as the
// garbage collector. Such a client does not need an old API. The components in
// collectors are such clients. Any other client is one if all of these are
// true:
//
//   - It writes nothing.
//   - It lists or watches at least wildcardResources different resources.
//   - For each old API that it reads, it also reads another version.
func (t *Tally) wildcards() map[*Client]bool {
	out := map[*Client]bool{}
	for _, c := range t.list {
		if len(c.uses) > 0 && (collector(c) || t.readsAll(c)) {
			out[c] = true
		}
	}
	return out
}

// readsAll reports whether a client meets the three conditions of wildcards.
func (t *Tally) readsAll(c *Client) bool {
	if len(c.uses) < wildcardResources {
		return false
	}
	resources, versions := map[string]bool{}, map[string]int{}
	var old []*API
	for _, u := range c.uses {
		a := t.apiList[u.api]
		if a.Resource == "" {
			continue
		}
		if u.writes > 0 {
			return false
		}
		if u.lists == 0 {
			continue
		}
		resources[a.Group+"/"+a.Resource] = true
		versions[a.Resource]++
		_, cr := t.oldCRs[a.id]
		if t.isOld(a) || cr {
			old = append(old, a)
		}
	}
	if len(resources) < wildcardResources || len(old) == 0 {
		return false
	}
	return !slices.ContainsFunc(old, func(a *API) bool { return versions[a.Resource] < 2 })
}

// collector reports whether a client is a part of Kubernetes that reads all resources.
func collector(c *Client) bool {
	system := strings.HasPrefix(c.User, "system:serviceaccount:kube-system:") || c.User == "system:kube-controller-manager"
	if !system {
		return false
	}
	for _, name := range collectors {
		if strings.HasSuffix(c.Program, "/"+name) || c.User == "system:serviceaccount:kube-system:"+name {
			return true
		}
	}
	return false
}
