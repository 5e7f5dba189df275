package checks

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/policydefinition"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// checkPolicy reports a policy that can match no object, or whose paramKind
// does not exist.
func (c *policyCheck) checkPolicy() {
	const rulesPath = "spec.matchConstraints.resourceRules"
	c.checkServed(c.spec.At("matchConstraints", "resourceRules"), rulesPath)
	c.checkSelectors("spec.matchConstraints", c.spec.Get("matchConstraints"))
	for i, m := range c.spec.Get("matchConditions").Elements() {
		at := m.Get("expression")
		if value, ok := policydefinition.Constant(c.minors.Newest(), at.StringOr("")); ok && !value {
			c.report(rules.Warning, at, fmt.Sprintf("spec.matchConditions[%d].expression", i), c.minors, "the condition is always false: the policy never applies")
		}
	}
	if kind := c.spec.Get("paramKind"); !kind.IsNull() {
		c.checkParams(kind)
	}
	name := policyName{c.Object.Kind, c.Object.Name}
	if c.set != nil && c.Object.Name != "" && c.set.policies.bindings[kindInFolder{name.kind, path.Dir(c.File())}] && !c.set.policies.boundPolicies[name] {
		c.report(rules.Info, nil, "", c.minors, "no %sBinding in the files checked binds the policy, unlike others of this folder: it has no effect", name.kind)
	}
}

// checkServed reports resources in rules that no server of the target serves,
// and as an info those that only some servers serve.
func (c *policyCheck) checkServed(list *wire.Value, path string) {
	type key struct{ rule, item int }
	missing := map[key]lifecycle.Minors{}
	for m := range c.newestFirst {
		for i, r := range list.Elements() {
			lacking, _ := c.resources(m).Unserved(r)
			for _, item := range lacking {
				k := key{i, slices.Index(r.Get("resources").Elements(), item)}
				missing[k] = missing[k].With(m)
			}
		}
	}
	for i, r := range list.Elements() {
		for j, item := range r.Get("resources").Elements() {
			minors := missing[key{i, j}]
			if minors == 0 {
				continue
			}
			severity := rules.Info
			if minors == c.minors {
				severity = rules.Warning
			}
			c.report(severity, item, fmt.Sprintf("%s[%d].resources[%d]", path, i, j), minors,
				"the target serves no resource %q in %s: the rule never matches it", item.StringOr(""), inGroups(r))
		}
	}
}

// inGroups returns the groups and versions of a rule as text.
func inGroups(r *wire.Value) string {
	var all []string
	for _, g := range r.Get("apiGroups").Strings() {
		for _, v := range r.Get("apiVersions").Strings() {
			if g == "" {
				all = append(all, v)
			} else {
				all = append(all, g+"/"+v)
			}
		}
	}
	if len(all) > 3 {
		return fmt.Sprintf("the rule's %d groups and versions", len(all))
	}
	return strings.Join(all, ", ")
}

// checkSelectors reports selectors that no object can match at once. resources
// are the matchResources of a policy and of its binding; an object must match
// all of them.
func (c *policyCheck) checkSelectors(path string, resources ...*wire.Value) {
	for _, field := range []string{"namespaceSelector", "objectSelector"} {
		var selectors []*wire.Value
		for _, r := range resources {
			selectors = append(selectors, r.Get(field))
		}
		key := policydefinition.Contradiction(selectors...)
		if key == "" {
			continue
		}
		subject := "the selector contradicts itself"
		if len(resources) > 1 && policydefinition.Contradiction(selectors[0]) == "" {
			subject = "the selector contradicts that of the policy"
		}
		c.report(rules.Warning, selectors[0], path+"."+field, c.minors, "%s about label %q: no object matches", subject, key)
	}
}

// checkParams reports a paramKind that no server of the target serves.
func (c *policyCheck) checkParams(kind *wire.Value) {
	var missing lifecycle.Minors
	apiVersion, name := kind.Get("apiVersion").StringOr(""), kind.Get("kind").StringOr("")
	for m := range c.newestFirst {
		if serves, known := c.resources(m).Serves(apiVersion, name); known && !serves {
			missing = missing.With(m)
		}
	}
	if missing != 0 {
		c.report(rules.Warning, kind, "spec.paramKind", missing,
			"the target serves no kind %s in %s: the policy cannot be evaluated, and its failurePolicy decides", name, apiVersion)
	}
}

// checkBinding reports a binding that can match no object, or whose params do
// not exist.
func (c *policyCheck) checkBinding() {
	at := c.spec.Get("policyName")
	resources := c.spec.Get("matchResources")
	kind := strings.TrimSuffix(c.Object.Kind, "Binding")
	c.checkServed(resources.Get("resourceRules"), "spec.matchResources.resourceRules")
	var found []*wire.Value
	if c.set != nil {
		found = c.set.policies.specs[policyName{kind, at.StringOr("")}]
	}
	if len(found) != 1 || hasTemplate(found[0], 0) {
		c.checkSelectors("spec.matchResources", resources)
		if c.set != nil && len(found) == 0 && at.StringOr("") != "" {
			c.report(rules.Info, at, "spec.policyName", c.minors, "no %s %q is in the files checked: without it, the binding has no effect", kind, at.Text)
		}
		return
	}
	spec := found[0]
	c.checkSelectors("spec.matchResources", resources, spec.Get("matchConstraints"))
	ref := c.spec.Get("paramRef")
	switch hasKind := !spec.Get("paramKind").IsNull(); {
	case hasKind && ref.IsNull() && policydefinition.ReadsParams(spec):
		c.report(rules.Warning, at, "spec.policyName", c.minors,
			"the policy has a paramKind and the binding no paramRef: params is null, and expressions that read its fields fail")
	case !hasKind && !ref.IsNull():
		c.report(rules.Warning, ref, "spec.paramRef", c.minors, "the policy has no paramKind: the server ignores paramRef")
	}
}
