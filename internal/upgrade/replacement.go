package upgrade

import "github.com/kubevet/kubevet/rules/lifecycle"

// replacement returns a text that says what to use instead of an API, and from which
// release on. It prefers an API that is served before the removal. It returns "" if
// nothing replaces the API.
func (u Upgrade) replacement(api lifecycle.API) string {
	way := lifecycle.Target{Range: lifecycle.Range{From: u.From, To: u.To}}
	served := func(a lifecycle.API, m lifecycle.Minor) bool {
		return a.State(m, lifecycle.Target{}) == lifecycle.Served
	}
	last := u.To // the last release that serves the API
	if gone := api.RemovedMinors(way) & u.steps(); gone != 0 {
		last = max(gone.Oldest()-1, u.From)
	}
	final, _ := api.ReplacementAt(u.To, way)
	if next, ok := api.Successor(); ok && (final.IsZero() || served(next, u.To)) {
		final = next
	}
	if final.IsZero() {
		return ""
	}
	if served(final, u.From) {
		return final.String()
	}
	from := u.From + 1
	for from <= lifecycle.Newest && !served(final, from) {
		from++
	}
	if from > lifecycle.Newest {
		return final.String()
	}
	now, ok := api.ReplacementAt(last, way)
	switch {
	case ok && now != final && now != api && served(now, u.From) && now.Kind() == final.Kind() && now.Group() == final.Group():
		return now.String() + ", and " + final.Version() + " from " + from.String() + " on"
	case ok && now != final && now != api && served(now, u.From):
		return now.String() + ", and " + final.String() + " from " + from.String() + " on"
	}
	return final.String() + ", from " + from.String() + " on"
}
