package tally

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Dimension is a property by which requests to old APIs can be grouped.
type Dimension string

// These are the dimensions for tables.
const (
	ByRelease     Dimension = "release" // the first release without the API
	ByAPI         Dimension = "api"     // group/version and resource
	BySubresource Dimension = "subresource"
	ByVerb        Dimension = "verb"
	ByCode        Dimension = "code" // the HTTP status
	ByUser        Dimension = "user"
	ByGroups      Dimension = "groups"    // the groups of the user
	ByAgent       Dimension = "agent"     // the program, without its version
	ByUserAgent   Dimension = "useragent" // the whole User-Agent header
	BySourceIP    Dimension = "sourceip"
	ByPod         Dimension = "pod"
	ByNamespace   Dimension = "namespace"
	ByObject      Dimension = "object" // namespace and name
)

// dimensions has all dimensions.
var dimensions = []Dimension{
	ByRelease, ByAPI, BySubresource, ByVerb, ByCode, ByUser, ByGroups, ByAgent, ByUserAgent, BySourceIP, ByPod, ByNamespace, ByObject,
}

// Dimensions returns all dimensions in the order of the columns.
func Dimensions() []Dimension { return slices.Clone(dimensions) }

// DefaultDimensions returns the columns that show which client must stop using
// which API before which release.
func DefaultDimensions() []Dimension { return []Dimension{ByRelease, ByAPI, ByUser, ByAgent} }

// ParseDimensions parses names such as "user" and "api". An error lists all
// dimensions.
func ParseDimensions(words []string) ([]Dimension, error) {
	var out []Dimension
	for _, w := range words {
		d := Dimension(strings.ToLower(strings.TrimSpace(w)))
		if !slices.Contains(dimensions, d) {
			all := make([]string, len(dimensions))
			for i := range dimensions {
				all[i] = string(dimensions[i])
			}
			return nil, fmt.Errorf("cannot group by %q: want %s", w, strings.Join(all, ", "))
		}
		if !slices.Contains(out, d) {
			out = append(out, d)
		}
	}
	return out, nil
}

// of returns the value of a group in the dimension.
func (d Dimension) of(g *Group) string {
	switch d {
	case ByRelease:
		return g.Removed
	case ByAPI:
		return g.API.GroupVersion() + " " + g.API.Resource
	case BySubresource:
		return g.API.Subresource
	case ByVerb:
		return g.Verb.String()
	case ByCode:
		if g.Code == 0 {
			return ""
		}
		return fmt.Sprint(g.Code)
	case ByUser:
		return g.Client.Who()
	case ByGroups:
		return strings.Join(g.Client.Groups, ",")
	case ByAgent:
		return g.Client.Program
	case ByUserAgent:
		return g.Client.Agent
	case BySourceIP:
		return g.Client.SourceIP
	case ByPod:
		return g.Client.Pod
	case ByNamespace:
		return g.Namespace
	case ByObject:
		if g.Namespace == "" {
			return g.Name
		}
		return g.Namespace + "/" + g.Name
	}
	return ""
}

// Row has the counts of all groups with the same values in some dimensions.
type Row struct {
	// Values are the values in the dimensions, in the order of the dimensions.
	Values []string
	// Count, Derived, Rejected, Open, First, Last, Times and AuditIDs have the
	// same meaning as in Group.
	Count, Derived, Rejected, Open int64
	First, Last                    int64
	Times                          Times
	AuditIDs                       []string
	// At is the position of the earliest event.
	At Place
	// Removed is the first release that removes one of the row's APIs.
	Removed string
	// Gone is set if any minor of the target does not serve the API.
	Gone bool
	// Wildcard is set if all clients of the row read all resources.
	Wildcard bool
	// APIs are the requested APIs. Replacements are the APIs that replace them.
	// Each list has at most maxListed elements.
	APIs, Replacements []string
}

const maxListed = 8

// Rows groups the requests to old APIs by dimensions. It sorts the rows, first
// by whether a client needs the old API, then by the release that removes the
// API, and then by count.
func (r *Report) Rows(by []Dimension) []Row {
	index := map[string]*Row{}
	var rows []*Row
	for _, g := range r.Groups {
		values := make([]string, len(by))
		for i, d := range by {
			values[i] = d.of(g)
		}
		key := strings.Join(values, "\x00")
		row := index[key]
		if row == nil {
			row = &Row{Values: values, Removed: g.Removed, Wildcard: true}
			index[key] = row
			rows = append(rows, row)
		}
		row.Count += g.Count
		row.Derived += g.Derived
		row.Rejected += g.Rejected
		row.Open += g.Open
		if g.First != 0 && (row.First == 0 || g.First < row.First) {
			row.First, row.At = g.First, g.At
		} else if row.At.Input == "" {
			row.At = g.At
		}
		row.Last = max(row.Last, g.Last)
		row.Times.Merge(&g.Times)
		for _, id := range g.AuditIDs {
			if len(row.AuditIDs) < maxExamples {
				row.AuditIDs = append(row.AuditIDs, id)
			}
		}
		if compareReleases(g.Removed, row.Removed) < 0 {
			row.Removed = g.Removed
		}
		row.Gone = row.Gone || g.RemovedAt != 0
		row.Wildcard = row.Wildcard && r.Wildcard[g.Client]
		row.APIs = list(row.APIs, g.API.GroupVersion()+" "+g.API.Resource)
		row.Replacements = list(row.Replacements, r.Replacement(g.API))
	}
	out := make([]Row, len(rows))
	for i := range rows {
		out[i] = *rows[i]
	}
	slices.SortStableFunc(out, func(a, b Row) int {
		return cmp.Or(
			compareBool(a.Wildcard, b.Wildcard),
			compareReleases(a.Removed, b.Removed),
			cmp.Compare(b.Count, a.Count),
			slices.Compare(a.Values, b.Values),
		)
	})
	return out
}

// list adds a word to a list without duplicates, up to maxListed words.
func list(words []string, w string) []string {
	if w == "" || len(words) >= maxListed || slices.Contains(words, w) {
		return words
	}
	return append(words, w)
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// Replacement returns the API that replaces an API in the target's newest
// minor; "" if unknown.
func (r *Report) Replacement(a *API) string {
	if a.Known.IsZero() {
		return ""
	}
	to := r.Target.Range.To
	if to == 0 {
		to = lifecycle.Newest
	}
	if n, ok := a.Known.ReplacementAt(to, r.Target); ok {
		return n.String()
	}
	if n, ok := a.Known.Successor(); ok {
		return n.String()
	}
	return ""
}
