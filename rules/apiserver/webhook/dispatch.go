package webhook

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/policy"
)

// Matches reports whether the server calls a webhook for an object. The result is
// May if a match condition cannot be evaluated, because the server may then
// refuse the request. Source: ShouldCallHook in generic/webhook.go.
func (h *Hook) Matches(o *Object) Match {
	if o.exempt {
		return No
	}
	match := min(h.selectsNamespace(o), h.selectsObject(o))
	if match == No {
		return No
	}
	ruled, form := h.matchRules(o)
	if match = min(match, ruled); match != No && h.conditions != nil {
		match = min(match, h.matchConditions(o, form))
	}
	return match
}

// matchConditions evaluates the match conditions. v is the version in which the
// webhook gets the object.
func (h *Hook) matchConditions(o *Object, v groupVersion) Match {
	if o.policies == nil {
		return May
	}
	kind := schema.GroupVersionKind{Group: v.group, Version: v.version, Kind: o.Kind}
	switch outcome, _ := h.conditions.Match(o.policies, o.attributes, kind); outcome {
	case policy.Called:
		return Yes
	case policy.Skipped:
		return No
	}
	return May
}

// matchRules reports whether the rules match the object, and returns the version
// that they select. The object's own version is tried first.
func (h *Hook) matchRules(o *Object) (Match, groupVersion) {
	forms := o.versions
	if !h.equivalent {
		forms = forms[:1]
	}
	best, selected := No, forms[0]
	for _, form := range forms {
		for i := range h.rules {
			match := h.rules[i].matches(o, form)
			if match > best {
				best, selected = match, form
			}
			if best == Yes {
				return best, selected
			}
		}
	}
	return best, selected
}

// selectsNamespace reports whether the webhook's namespaceSelector matches an
// object. It uses the labels of the object's namespace. A Namespace has its own
// labels. Objects without a namespace always match. Source:
// MatchNamespaceSelector.
func (h *Hook) selectsNamespace(o *Object) Match {
	if len(h.namespaces.requirements) == 0 || o.Scope == ScopeCluster && !o.isNamespace() {
		return Yes
	}
	match := Yes
	for i, labels := range o.namespaceLabels {
		if result := h.namespaces.matches(labels, true); i == 0 {
			match = result
		} else if result != match {
			return May
		}
	}
	if len(o.namespaceLabels) == 0 {
		match = h.namespaces.matches(o.baseLabels, false)
	}
	if match == No && o.Scope == ScopeUnknown {
		return May
	}
	return match
}

// selectsObject reports whether the webhook's objectSelector matches the labels
// of an object. On update, one match is enough: of the new or of the stored
// object. Source: MatchObjectSelector.
func (h *Hook) selectsObject(o *Object) Match {
	if len(h.objects.requirements) == 0 {
		return Yes
	}
	match := h.objects.matches(o.labels, true)
	if o.oldLabels != nil {
		match = max(match, h.objects.matches(o.oldLabels, true))
	}
	return match
}

// Hooks are the webhooks of a server in the order in which it calls them.
type Hooks struct {
	mutating, validating hookList
}

// NewHooks returns the webhooks of configurations. It sorts configurations by
// name. If several configurations have the same name, they may be for different
// clusters, and it is unknown which of them the server has. A request then counts
// as refused only if each of them refuses it.
func NewHooks(all []*Configuration) *Hooks {
	sorted := slices.SortedStableFunc(slices.Values(all), func(a, b *Configuration) int { return cmp.Compare(a.Name, b.Name) })
	var mutating, validating []*Configuration
	for _, c := range sorted {
		if c.Mutating {
			mutating = append(mutating, c)
		} else {
			validating = append(validating, c)
		}
	}
	return &Hooks{newHookList(mutating), newHookList(validating)}
}

// Conditional reports whether any webhook that does not support dry runs has match
// conditions.
func (hs *Hooks) Conditional() bool {
	if hs == nil {
		return false
	}
	for _, list := range []*hookList{&hs.mutating, &hs.validating} {
		for _, configurations := range list.byName {
			for _, c := range configurations {
				if slices.ContainsFunc(c.Hooks, func(h *Hook) bool { return h.conditions != nil && h.BlocksDryRun() }) {
					return true
				}
			}
		}
	}
	return false
}

// BlockDryRun reports whether any webhook does not support dry runs.
func (hs *Hooks) BlockDryRun() bool {
	return hs != nil && len(hs.mutating.byName)+len(hs.validating.byName) > 0
}

// Refusal is a server's answer to a dry run because of a webhook that does not
// support dry runs.
type Refusal struct {
	apiserver.Cause
	// Mutating is set if a mutating webhook causes the refusal. The server sends
	// this refusal before validation and its warnings. It sends the refusal of a
	// validating webhook last.
	Mutating bool
	// Configuration is the name of the webhook's configuration.
	Configuration string
	Hook          *Hook
}

// DryRun returns the refusal of a dry run. It returns nil if the server accepts
// the dry run, or if the answer is uncertain.
//
// The server calls mutating webhooks one after the other. The first one that does
// not support dry runs causes the refusal. The server calls all validating
// webhooks at the same time, and the first answer counts. If several may refuse,
// Cause.Inexact is set, because the server's text may name another webhook.
func (hs *Hooks) DryRun(o *Object) *Refusal {
	if hs == nil || o == nil {
		return nil
	}
	if r := hs.mutating.refusal(o, true); r != nil {
		return r
	}
	return hs.validating.refusal(o, false)
}

func (l *hookList) refusal(o *Object, mutating bool) *Refusal {
	var found *Refusal
	unsure := false // whether the server may name another webhook
	for _, place := range l.candidates(o) {
		if found != nil && unsure {
			break // the result cannot change any more
		}
		variants := l.byName[place]
		var named *Hook
		agreed := true
		for i, c := range variants {
			h, other := blocking(c, o, mutating)
			unsure = unsure || other || h != nil && found != nil && h.Name != found.Hook.Name
			switch {
			case i == 0:
				named = h
			case h == nil || named == nil || h.Name != named.Name:
				agreed = false
				unsure = unsure || h != nil || named != nil
			}
		}
		if found != nil || named == nil || !agreed {
			continue
		}
		found = &Refusal{Mutating: mutating, Configuration: variants[0].Name, Hook: named}
		if mutating {
			break // the server does not call the other webhooks
		}
	}
	if found != nil {
		found.Cause = apiserver.Cause{
			Text:    "admission webhook " + strconv.Quote(found.Hook.Name) + " does not support dry run",
			Code:    http.StatusBadRequest,
			Inexact: unsure,
		}
	}
	return found
}

// blocking returns the first webhook of a configuration that refuses a dry run of
// the object. unsure is set if the server may name another webhook of the
// configuration.
func blocking(c *Configuration, o *Object, mutating bool) (first *Hook, unsure bool) {
	for _, h := range c.Hooks {
		if !h.BlocksDryRun() || first != nil && h.Name == first.Name {
			continue
		}
		switch h.Matches(o) {
		case May:
			unsure = true
		case Yes:
			if first != nil {
				return first, true
			}
			if first = h; mutating {
				return first, unsure
			}
		}
	}
	return first, unsure
}
