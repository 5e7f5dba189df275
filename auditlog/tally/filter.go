package tally

import (
	"path"
	"slices"
	"strings"
	"time"

	"github.com/kubevet/kubevet/auditlog"
)

// Filter selects the requests that are counted. An empty list selects all. A request must match
// every list. Patterns are those of path.Match, but a star also matches slashes.
type Filter struct {
	// Users, Groups, Agents (as sent, or folded), SourceIPs and Pods are patterns for the client.
	Users, Groups, Agents, SourceIPs, Pods []string
	// Verbs are patterns for the request's verb as in audit logs.
	Verbs []string
	// APIs are patterns for the requested API: "policy/v1beta1", "poddisruptionbudgets" or
	// "policy/v1beta1 poddisruptionbudgets/status".
	APIs []string
	// Namespaces and Names are patterns for the object.
	Namespaces, Names []string
	// Since and Until limit the time. Until is exclusive. The zero time is no limit.
	Since, Until time.Time
}

// Narrows reports whether the filter excludes requests by anything except their time.
func (f *Filter) Narrows() bool {
	return slices.ContainsFunc(f.patterns(), func(list []string) bool { return len(list) > 0 })
}

func (f *Filter) patterns() [][]string {
	return [][]string{f.Users, f.Groups, f.Agents, f.SourceIPs, f.Pods, f.Verbs, f.APIs, f.Namespaces, f.Names}
}

// String lists the patterns; it is "" for a filter that excludes nothing. Times are not listed.
func (f *Filter) String() string {
	var all []string
	for i, list := range f.patterns() {
		if len(list) > 0 {
			all = append(all, filterNames[i]+" "+strings.Join(list, ","))
		}
	}
	return strings.Join(all, "; ")
}

var filterNames = [...]string{"user", "group", "agent", "source IP", "pod", "verb", "API", "namespace", "name"}

// Check reports the first pattern that is malformed.
func (f *Filter) Check() error {
	for _, list := range f.patterns() {
		for _, p := range list {
			if _, err := path.Match(flat(p), ""); err != nil {
				return &PatternError{p}
			}
		}
	}
	return nil
}

// PatternError has a malformed pattern.
type PatternError struct{ Pattern string }

func (e *PatternError) Error() string { return "malformed pattern " + e.Pattern }

// keeps reports whether a request is counted.
func (f *Filter) keeps(e *auditlog.Event, r *record) bool {
	if !f.Since.IsZero() && r.stamp < f.Since.UnixMicro() || !f.Until.IsZero() && r.stamp >= f.Until.UnixMicro() {
		return false
	}
	c := e.Client
	return match(f.Users, func() []string { return []string{c.Who()} }) &&
		match(f.Groups, func() []string { return c.Groups }) &&
		match(f.Agents, func() []string { return []string{c.Agent, FoldAgent(c.Agent)} }) &&
		match(f.SourceIPs, func() []string { return []string{c.SourceIP} }) &&
		match(f.Pods, func() []string { return []string{c.Pod} }) &&
		match(f.Verbs, func() []string { return []string{r.verb.String()} }) &&
		match(f.APIs, func() []string { return names(r.api) }) &&
		match(f.Namespaces, func() []string { return []string{e.Ref.Namespace.String()} }) &&
		match(f.Names, func() []string { return []string{e.Ref.Name.String()} })
}

// KeepsObject reports whether the filter selects a request at a time, in microseconds since 1970.
// It ignores the conditions for the client and its method: a comparison of all clients of an object
// needs all their requests.
func (f *Filter) KeepsObject(e *auditlog.Event, at int64) bool {
	if !f.Since.IsZero() && at < f.Since.UnixMicro() || !f.Until.IsZero() && at >= f.Until.UnixMicro() {
		return false
	}
	return match(f.APIs, func() []string {
		return names(&API{Group: e.Ref.Group.String(), Version: e.Ref.Version.String(), Resource: e.Ref.Resource.String(), Subresource: e.Ref.Subresource.String()})
	}) &&
		match(f.Namespaces, func() []string { return []string{e.Ref.Namespace.String()} }) &&
		match(f.Names, func() []string { return []string{e.Ref.Name.String()} })
}

// KeepsClient reports whether the filter's conditions for users and agents select the requests of a
// user's program.
func (f *Filter) KeepsClient(user, agent string) bool {
	return match(f.Users, func() []string { return []string{user} }) && match(f.Agents, func() []string { return []string{agent} })
}

// names are the ways to name an API in a pattern.
func names(a *API) []string {
	return []string{a.GroupVersion(), a.Resource, a.String(), a.GroupVersion() + " " + a.Resource}
}

// match reports whether one of the texts matches one of the patterns. No patterns match every text.
func match(patterns []string, texts func() []string) bool {
	if len(patterns) == 0 {
		return true
	}
	for _, t := range texts() {
		for _, p := range patterns {
			if ok, _ := path.Match(flat(p), flat(t)); ok {
				return true
			}
		}
	}
	return false
}

// flat replaces slashes, so that path.Match treats them like other characters.
func flat(s string) string { return strings.ReplaceAll(s, "/", "\x01") }
