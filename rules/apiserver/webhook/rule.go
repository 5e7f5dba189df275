package webhook

import (
	"slices"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// rule is a RuleWithOperations of a webhook.
type rule struct {
	operations, groups, versions, resources []string
	scope                                   string
}

func readRule(v *wire.Value) rule {
	return rule{
		operations: v.Get("operations").Strings(),
		groups:     v.Get("apiGroups").Strings(),
		versions:   v.Get("apiVersions").Strings(),
		resources:  v.Get("resources").Strings(),
		scope:      v.Get("scope").StringOr("*"),
	}
}

// matches reports whether a rule selects an object in the group and version v.
// Source: Matcher in predicates/rules/rules.go.
func (r *rule) matches(o *Object, v groupVersion) Match {
	operation := "CREATE"
	if o.Update {
		operation = "UPDATE"
	}
	if !containsOrWildcard(r.operations, operation) || !containsOrWildcard(r.groups, v.group) || !containsOrWildcard(r.versions, v.version) {
		return No
	}
	return min(r.inScope(o), r.selectsResource(o))
}

func containsOrWildcard(list []string, item string) bool {
	return slices.Contains(list, "*") || slices.Contains(list, item)
}

func (r *rule) inScope(o *Object) Match {
	switch {
	case r.scope == "*":
		return Yes
	case r.scope != "Namespaced" && r.scope != "Cluster":
		return No
	case o.Scope == ScopeUnknown:
		return May
	case (o.Scope == ScopeNamespaced) == (r.scope == "Namespaced"):
		return Yes
	}
	return No
}

// selectsResource reports whether the rule selects the object's resource itself,
// not only subresources.
func (r *rule) selectsResource(o *Object) Match {
	match := No
	for _, resource := range r.resources {
		name, sub, _ := strings.Cut(resource, "/")
		if sub != "" && sub != "*" {
			continue
		}
		switch {
		case name == "*" || o.Resource != "" && name == o.Resource:
			return Yes
		case o.Resource == "" && mayBePlural(name, o.Kind):
			match = May
		}
	}
	return match
}

// mayBePlural reports whether a resource may be the plural of a kind whose
// definition is unknown. The plural usually begins like the kind in lower case.
func mayBePlural(resource, kind string) bool {
	stem := strings.ToLower(kind)
	if len(stem) > 3 {
		stem = stem[:3]
	}
	return strings.HasPrefix(resource, stem)
}
