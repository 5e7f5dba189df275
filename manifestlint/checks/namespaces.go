package checks

import (
	"maps"
	"strings"

	"github.com/kubevet/kubevet/manifestlint/objectcontext"
	"github.com/kubevet/kubevet/rules/apiserver/webhook"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// namespaces has the labels of the Namespace objects, by name. A repository
// often has several Namespaces with one name, such as for a development cluster
// and for production.
type namespaces map[string][]map[string]string

// maxLabelSets is the largest number of different label sets of one name. If
// there are more, the labels count as unknown. Checking each object of the
// namespace with all of them would take too long.
const maxLabelSets = 50

// newNamespaces returns the labels of the Namespaces among the context objects.
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
	maps.DeleteFunc(all, func(_ string, sets []map[string]string) bool { return len(sets) > maxLabelSets })
	return all
}

// add adds a label set, unless the name has an equal set or too many sets.
func (n namespaces) add(name string, labels map[string]string) {
	if len(n[name]) > maxLabelSets {
		return
	}
	for _, known := range n[name] {
		if maps.Equal(known, labels) {
			return
		}
	}
	n[name] = append(n[name], labels)
}

// labelsOf returns a copy of an object's labels, which is never nil.
func labelsOf(root *wire.Value, texts *webhook.Texts) map[string]string {
	labels := map[string]string{}
	if v := root.At("metadata", "labels"); v != nil {
		for _, f := range v.Fields {
			labels[texts.Of(f.Name)] = texts.Of(f.Value.StringOr(""))
		}
	}
	return labels
}

// NamespaceLabels returns the labels of the set's Namespace with this name. If
// several objects have the name, it returns the labels that all of them have,
// because it is unknown which one the cluster has. It returns false if there
// is no such Namespace, or if the pod security labels of the objects differ.
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

// commonLabels computes NamespaceLabels for each name that several Namespaces
// have. The results are kept, because many objects need them.
func (n namespaces) commonLabels() map[string]map[string]string {
	var agreed map[string]map[string]string
	for name, all := range n {
		if len(all) < 2 {
			continue
		}
		if labels, ok := intersectLabels(all); ok {
			if agreed == nil {
				agreed = map[string]map[string]string{}
			}
			agreed[name] = labels
		}
	}
	return agreed
}

// intersectLabels returns the common labels of several Namespaces. ok is false
// if their pod security labels differ.
func intersectLabels(all []map[string]string) (shared map[string]string, ok bool) {
	shared = maps.Clone(all[0])
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
