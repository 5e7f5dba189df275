package webhook

import (
	"slices"
	"strings"
)

// Texts holds strings once each. The zero value is ready.
type Texts struct{ known map[string]string }

// Of gives a string that is equal to s and no piece of a larger text.
func (t *Texts) Of(s string) string {
	if own, ok := t.known[s]; ok {
		return own
	}
	if t.known == nil {
		t.known = map[string]string{}
	}
	own := strings.Clone(s)
	t.known[own] = own
	return own
}

// Strip leaves of a configuration what NewHooks and Exists ask for, in texts of
// their own: the webhooks that do not support a dry-run, without At. The text
// that it was read from is then free.
func (c *Configuration) Strip(t *Texts) {
	c.Name = t.Of(c.Name)
	c.Version = t.Of(c.Version)
	c.Hooks = slices.DeleteFunc(c.Hooks, func(h *Hook) bool { return !h.BlocksDryRun() })
	if len(c.Hooks) == 0 {
		c.Hooks = nil
	}
	for _, h := range c.Hooks {
		h.At, h.Name, h.SideEffects, h.Path = nil, t.Of(h.Name), t.Of(h.SideEffects), t.Of(h.Path)
		for i := range h.rules {
			r := &h.rules[i]
			r.scope = t.Of(r.scope)
			for _, list := range [...][]string{r.operations, r.groups, r.versions, r.resources} {
				t.all(list)
			}
		}
		for _, s := range [...]*selector{&h.namespaces, &h.objects} {
			for i := range s.requirements {
				q := &s.requirements[i]
				q.key, q.operator = t.Of(q.key), t.Of(q.operator)
				t.all(q.values)
			}
		}
	}
}

func (t *Texts) all(list []string) {
	for i := range list {
		list[i] = t.Of(list[i])
	}
}
