package tally

import (
	"path"
	"slices"
	"strings"
	"time"

	"github.com/kubevet/kubevet/auditlog"
)

// Filter selects the requests that are counted. An empty list selects all
// requests. A request must match all lists that are not empty. Patterns have
// the syntax of path.Match, but a star also matches slashes.
type Filter struct {
	// Users, Groups, Agents, SourceIPs and Pods are patterns for the client.
	// Agents match the User-Agent, or its program as FoldAgent returns it.
	Users, Groups, Agents, SourceIPs, Pods []string
	// Verbs are patterns for the request's verb in audit logs.
	Verbs []string
	// APIs are patterns for the requested API: "policy/v1beta1", "poddisruptionbudgets" or
	// "policy/v1beta1 poddisruptionbudgets/status".
	APIs []string
	// Namespaces and Names are patterns for the object.
	Namespaces, Names []string
	// Since and Until limit the time of requests. Until is exclusive. The zero
	// time means no limit.
	Since, Until time.Time
}

// Narrows reports whether the filter has any patterns. Limits of the time do
// not matter.
func (f *Filter) Narrows() bool {
	return slices.ContainsFunc(f.patterns(), func(list []string) bool { return len(list) > 0 })
}

func (f *Filter) patterns() [][]string {
	return [][]string{f.Users, f.Groups, f.Agents, f.SourceIPs, f.Pods, f.Verbs, f.APIs, f.Namespaces, f.Names}
}

// String lists the patterns. It returns "" for a filter without patterns. It
// does not list limits of the time.
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

// Check returns an error for the first malformed pattern.
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

// PatternError is the error for a malformed pattern.
type PatternError struct{ Pattern string }

func (e *PatternError) Error() string { return "malformed pattern " + e.Pattern }

// keeps reports whether the filter selects a request.
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

// KeepsObject reports whether the filter selects the object and the time of a
// request. at is in microseconds since 1970. KeepsObject ignores the patterns
// for the client and the verb, because a comparison of an object's clients
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

// KeepsClient reports whether the patterns for users and agents match a user
// and a program.
func (f *Filter) KeepsClient(user, agent string) bool {
	return match(f.Users, func() []string { return []string{user} }) && match(f.Agents, func() []string { return []string{agent} })
}

// names returns the names of an API that patterns can match.
func names(a *API) []string {
	return []string{a.GroupVersion(), a.Resource, a.String(), a.GroupVersion() + " " + a.Resource}
}

// match reports whether any of the texts matches any of the patterns. Without
// patterns, it returns true.
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
