package webhook

import (
	"slices"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/policy"
)

// Texts stores each string once. The zero value is ready to use.
type Texts struct{ known map[string]string }

// Of returns a copy of s, the same copy for equal strings. Unlike s, the copy
// does not keep the text in memory of which s is a part.
func (t *Texts) Of(s string) string {
	if clone, ok := t.known[s]; ok {
		return clone
	}
	if t.known == nil {
		t.known = map[string]string{}
	}
	clone := strings.Clone(s)
	t.known[clone] = clone
	return clone
}

// Strip removes what NewHooks and Exists do not need: webhooks that support dry
// runs, and At. It copies the strings, so that the memory of the parsed text can
// be freed.
func (c *Configuration) Strip(t *Texts) {
	c.Name = t.Of(c.Name)
	c.Version = t.Of(c.Version)
	c.Hooks = slices.DeleteFunc(c.Hooks, func(h *Hook) bool { return !h.BlocksDryRun() })
	if len(c.Hooks) == 0 {
		c.Hooks = nil
	}
	for _, h := range c.Hooks {
		h.At, h.Name, h.SideEffects, h.Path = nil, t.Of(h.Name), t.Of(h.SideEffects), t.Of(h.Path)
		if list, ignore := h.conditions.Conditions(); list != nil {
			for i := range list {
				list[i] = policy.Condition{Name: t.Of(list[i].Name), Expression: t.Of(list[i].Expression)}
			}
			h.conditions = policy.NewConditions(list, ignore)
		}
		for i := range h.rules {
			r := &h.rules[i]
			r.scope = t.Of(r.scope)
			for _, list := range [...][]string{r.operations, r.groups, r.versions, r.resources} {
				t.replaceAll(list)
			}
		}
		for _, s := range [...]*selector{&h.namespaces, &h.objects} {
			for i := range s.requirements {
				q := &s.requirements[i]
				q.key, q.operator = t.Of(q.key), t.Of(q.operator)
				t.replaceAll(q.values)
			}
		}
	}
}

func (t *Texts) replaceAll(list []string) {
	for i := range list {
		list[i] = t.Of(list[i])
	}
}
