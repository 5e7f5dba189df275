package auditreport

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/auditlog/tally"
)

// maxNames is the maximal number of user agents, and of addresses, to list for a client.
const maxNames = 5

// clients returns the clients of a report. All versions and addresses of a user's program
// are one client.
func clients(r *tally.Report) []Client {
	type key struct{ user, agent string }
	by := map[key]*Client{}
	times := map[key][2]int64{}
	var order []key
	for _, c := range r.Clients {
		if c.Creates+c.Updates+c.Patches+c.Deletes == 0 {
			continue
		}
		k := key{c.Who(), c.Program}
		x := by[k]
		if x == nil {
			x = &Client{User: k.user, Agent: k.agent, UserAgents: []string{}, SourceIPs: []string{}, Managers: map[string]int64{}, DerivedManager: c.Derived}
			by[k] = x
			order = append(order, k)
		}
		x.UserAgents = name(x.UserAgents, c.Agent)
		x.SourceIPs = name(x.SourceIPs, c.SourceIP)
		for _, p := range [...]struct {
			to   *int64
			from int64
		}{
			{&x.Requests, c.Requests}, {&x.Reads, c.Reads}, {&x.Creates, c.Creates}, {&x.Updates, c.Updates},
			{&x.Puts, c.Puts}, {&x.Patches, c.Patches}, {&x.Deletes, c.Deletes}, {&x.Writes, c.Writes},
			{&x.Named, c.Named}, {&x.Unnamed, c.Unnamed}, {&x.Applies, c.Applies}, {&x.MaybeApplies, c.MaybeApplies},
			{&x.Forced, c.Forced}, {&x.DryRuns, c.DryRuns}, {&x.DryRunsFailed, c.DryRunsFailed},
			{&x.AlreadyExists, c.AlreadyExists}, {&x.LockConflicts, c.LockConflicts},
			{&x.ManagerConflicts, c.ManagerConflicts}, {&x.OtherConflicts, c.OtherConflicts},
			{&x.ComparableWrites, c.Compared}, {&x.NoopWrites, c.Noops}, {&x.WritesAfterGet, c.AfterGet},
			{&x.ImpersonatedCalls, c.Impersonating},
		} {
			*p.to += p.from
		}
		if x.unnamedAt.Line == 0 {
			x.unnamedAt = c.UnnamedAt
		}
		for m, n := range c.Managers {
			x.Managers[m] += n
		}
		span := times[k]
		if c.First != 0 && (span[0] == 0 || c.First < span[0]) {
			span[0] = c.First
		}
		span[1] = max(span[1], c.Last)
		times[k] = span
	}
	out := make([]Client, 0, len(order))
	for _, k := range order {
		by[k].First, by[k].Last = timeText(times[k][0]), timeText(times[k][1])
		out = append(out, *by[k])
	}
	slices.SortStableFunc(out, func(a, b Client) int { return compare(b.Unnamed, a.Unnamed) })
	return out
}

func name(names []string, n string) []string {
	if n == "" || len(names) >= maxNames || slices.Contains(names, n) {
		return names
	}
	return append(names, n)
}

// managers returns a list of field managers as text. The most frequent comes first.
func managers(m map[string]int64) string {
	names := slices.Collect(maps.Keys(m))
	slices.SortFunc(names, func(a, b string) int {
		if c := compare(m[b], m[a]); c != 0 {
			return c
		}
		return strings.Compare(a, b)
	})
	if len(names) > 3 {
		names = append(names[:3], fmt.Sprintf("and %d more", len(m)-3))
	}
	return strings.Join(names, ", ")
}
