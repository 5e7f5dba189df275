package tally

import (
	"path"
	"slices"
	"strings"
	"time"

	"github.com/kubevet/kubevet/auditlog"
)

// Filter says which requests are counted. A list that is empty keeps all; of
// several lists, a request must match each. Patterns are those of path.Match,
// but a star matches slashes too.
type Filter struct {
	// Users, Groups, Agents (as sent, or folded), SourceIPs and Pods are about
	// the client.
	Users, Groups, Agents, SourceIPs, Pods []string
	// Verbs are about the request, as audit logs name them.
	Verbs []string
	// APIs are about the requested API: "policy/v1beta1", "poddisruptionbudgets"
	// or "policy/v1beta1 poddisruptionbudgets/status".
	APIs []string
	// Namespaces and Names are about the object.
	Namespaces, Names []string
	// Since and Until bound the time, Until exclusive; the zero time does not.
	Since, Until time.Time
}

// Narrows reports whether the filter keeps some requests only, apart from what
// it does with their time.
func (f *Filter) Narrows() bool {
	return slices.ContainsFunc(f.patterns(), func(list []string) bool { return len(list) > 0 })
}

func (f *Filter) patterns() [][]string {
	return [][]string{f.Users, f.Groups, f.Agents, f.SourceIPs, f.Pods, f.Verbs, f.APIs, f.Namespaces, f.Names}
}

// String names the patterns, "" for a filter that does not narrow. Times are
// not among them.
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

// PatternError names a pattern that is malformed.
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

// KeepsObject reports whether the filter keeps a request at a time, in
// microseconds since 1970. It ignores the conditions about the client and its
// method: a comparison of all clients of an object needs all of them.
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

// KeepsClient reports whether the filter keeps the requests of a user's
// program, as far as it looks at those two.
func (f *Filter) KeepsClient(user, agent string) bool {
	return match(f.Users, func() []string { return []string{user} }) && match(f.Agents, func() []string { return []string{agent} })
}

// names are the ways to name an API in a pattern.
func names(a *API) []string {
	return []string{a.GroupVersion(), a.Resource, a.String(), a.GroupVersion() + " " + a.Resource}
}

// match reports whether one of the texts matches one of the patterns, or there
// are no patterns.
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

// flat hides slashes from path.Match.
func flat(s string) string { return strings.ReplaceAll(s, "/", "\x01") }
