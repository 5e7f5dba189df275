package webhook

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"

	"github.com/kubevet/kubevet/rules/apiserver"
)

// Matches decides whether the server asks a webhook about an object:
// ShouldCallHook of generic/webhook.go. Conditions in CEL are not evaluated.
func (h *Hook) Matches(o *Object) Match {
	if o.exempt {
		return No
	}
	match := min(h.selectsNamespace(o), h.selectsObject(o))
	if match == No {
		return No
	}
	match = min(match, h.ruled(o))
	if h.conditional {
		match = min(match, May)
	}
	return match
}

// ruled is the best match of a rule with a form of the object.
func (h *Hook) ruled(o *Object) Match {
	forms := o.forms
	if !h.equivalent {
		forms = forms[:1]
	}
	match := No
	for i := range h.rules {
		for _, form := range forms {
			if match = max(match, h.rules[i].matches(o, form)); match == Yes {
				return Yes
			}
		}
	}
	return match
}

// selectsNamespace is MatchNamespaceSelector: what is in no namespace is always
// selected, and a Namespace by its own labels.
func (h *Hook) selectsNamespace(o *Object) Match {
	if len(h.namespaces.requirements) == 0 || o.Scope == ScopeCluster && !o.isNamespace() {
		return Yes
	}
	match := Yes
	for i, labels := range o.spaces {
		if one := h.namespaces.matches(labels, true); i == 0 {
			match = one
		} else if one != match {
			return May
		}
	}
	if len(o.spaces) == 0 {
		match = h.namespaces.matches(o.base, false)
	}
	if match == No && o.Scope == ScopeUnknown {
		return May
	}
	return match
}

// selectsObject is MatchObjectSelector: by the labels that the object gets, or
// on an update by those that it had.
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

// Hooks are the webhooks of a server, in the order in which it asks them.
type Hooks struct {
	mutating, validating hookList
}

// NewHooks puts configurations that exist at a server in its order: by their
// names. Of several with one name, as for several clusters, nobody knows which
// is there; a request counts as refused only if each of them refuses it.
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

// BlockDryRun reports whether any webhook does not support a dry-run.
func (hs *Hooks) BlockDryRun() bool {
	return hs != nil && len(hs.mutating.named)+len(hs.validating.named) > 0
}

// Refusal is what a server answers to a dry-run that meets a webhook without
// support for it.
type Refusal struct {
	apiserver.Cause
	// Mutating says when: before validation, with none of the warnings that
	// follow, or else as the last thing of all.
	Mutating bool
	// Configuration is the name of the webhook's configuration.
	Configuration string
	Hook          *Hook
}

// DryRun gives the refusal of a dry-run; nil where there is none, or where it
// depends on what is not known.
//
// Mutating webhooks are asked one after the other, so that the first is named.
// Validating ones are asked at once and the first answer counts: the text is
// inexact where they could name another one.
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
	unsure := false // another webhook could be named
	for _, place := range l.candidates(o) {
		if found != nil && unsure {
			break // nothing changes any more
		}
		variants := l.named[place]
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
			break // the others are not asked
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

// blocking gives the first webhook of a configuration that refuses a dry-run of
// the object, and whether another one may be named in its place.
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
