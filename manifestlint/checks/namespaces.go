package checks

import (
	"maps"
	"strings"

	"github.com/kubevet/kubevet/manifestlint/objectcontext"
	"github.com/kubevet/kubevet/rules/apiserver/webhook"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// namespaces are the labels of the Namespaces of a set by name, one map for
// each Namespace object: a repository often holds one name several times, for
// a development and a production cluster.
type namespaces map[string][]map[string]string

func newNamespaces(context []objectcontext.Object) namespaces {
	all := namespaces{}
	var texts webhook.Texts
	for i := range context {
		o := &context[i]
		if o.Kind != "Namespace" || o.APIVersion != "v1" || o.Name == "" {
			continue
		}
		all.add(o.Name, labelsOf(o.Body(), &texts))
	}
	return all
}

// add adds labels, unless they are there already.
func (n namespaces) add(name string, labels map[string]string) {
	for _, known := range n[name] {
		if maps.Equal(known, labels) {
			return
		}
	}
	n[name] = append(n[name], labels)
}

// labelsOf gives an object's labels, in texts of their own; never nil.
func labelsOf(root *wire.Value, texts *webhook.Texts) map[string]string {
	labels := map[string]string{}
	if v := root.At("metadata", "labels"); v != nil {
		for _, f := range v.Fields {
			labels[texts.Of(f.Name)] = texts.Of(f.Value.StringOr(""))
		}
	}
	return labels
}

// NamespaceLabels gives the labels of a namespace that the set has a Namespace
// object of. Where it has several of one name, they count only if they say the
// same of pod security, and then the labels are those that all of them have:
// nobody knows which of them is in the cluster that an object goes to.
func (s *Set) NamespaceLabels(name string) (map[string]string, bool) {
	if s == nil || len(s.namespaces[name]) == 0 {
		return nil, false
	}
	if all := s.namespaces[name]; len(all) == 1 {
		return all[0], true
	}
	labels := s.sharedLabels[name]
	return labels, labels != nil
}

// agreed are the labels of NamespaceLabels of the names that several Namespaces
// have: many objects may ask for them.
func (n namespaces) agreed() map[string]map[string]string {
	var agreed map[string]map[string]string
	for name, all := range n {
		if len(all) < 2 {
			continue
		}
		if labels, ok := agreedLabels(all); ok {
			if agreed == nil {
				agreed = map[string]map[string]string{}
			}
			agreed[name] = labels
		}
	}
	return agreed
}

// agreedLabels gives the labels that several have, if they say the same of pod
// security; never nil then.
func agreedLabels(all []map[string]string) (map[string]string, bool) {
	shared := maps.Clone(all[0])
	for _, labels := range all[1:] {
		for k, v := range shared {
			if other, ok := labels[k]; !ok || other != v {
				if strings.HasPrefix(k, podSecurityPrefix) {
					return nil, false
				}
				delete(shared, k)
			}
		}
		for k := range labels {
			if _, ok := all[0][k]; !ok && strings.HasPrefix(k, podSecurityPrefix) {
				return nil, false
			}
		}
	}
	return shared, true
}
