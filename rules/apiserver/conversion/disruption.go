package conversion

import "github.com/kubevet/kubevet/rules/apiserver/wire"

// emptyMatch is the key that servers add to empty selectors when they convert
// between v1beta1 and v1. An empty selector selects no pod in v1beta1, and all
// pods in v1.
const emptyMatch = "pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match"

// disruptionBudget converts a PodDisruptionBudget to policy/v1, where an empty
// selector selects all pods instead of none. Source: k8s.io/kubernetes
// pkg/apis/policy/v1beta1/conversion.go (1.21–1.24).
func disruptionBudget(d *draft, _ destination) {
	at := Fields("spec", "selector")
	selector := d.value(at)
	if selector.IsNull() || selector.Kind != wire.Map {
		return
	}
	labels, terms := selector.Get("matchLabels"), selector.Get("matchExpressions")
	none := func(v *wire.Value) bool { return v.IsNull() || len(v.Fields) == 0 && len(v.Items) == 0 }
	switch {
	case none(labels) && none(terms):
		d.set(at, object("matchExpressions", list(object("key", text(emptyMatch), "operator", text("Exists")))), "")
		d.note("An empty selector was for no pod in v1beta1 and is for all pods of the namespace in v1; what is written instead is the server's own word for none. Name the pods that are meant, or write {} for all.")
	case none(labels) && isMatchAll(terms):
		d.set(at, object(), "")
	default:
		// Servers remove the term with this key if there are other terms.
		for i := d.length(at.Field("matchExpressions")) - 1; i >= 0; i-- {
			if term := at.Field("matchExpressions").Item(i); d.value(term.Field("key")).StringOr("") == emptyMatch {
				d.remove(term)
			}
		}
	}
}

func isMatchAll(terms *wire.Value) bool {
	return len(terms.Items) == 1 && terms.Items[0].Get("key").StringOr("") == emptyMatch &&
		terms.Items[0].Get("operator").StringOr("") == "DoesNotExist"
}
