package podwarning

import (
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/validation"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// NodeLabel returns the warning about a deprecated node label, such as
// `deprecated since v1.14; use "kubernetes.io/arch" instead`. ok is false for
// other labels. 1.31 added the last three labels. Source:
// GetNodeLabelDeprecatedMessage in pkg/api/node/util.go (1.25–1.37), and
// pkg/api/pod/warnings.go (1.22–1.24).
func NodeLabel(m lifecycle.Minor, key string) (text string, ok bool) {
	switch key {
	case "beta.kubernetes.io/arch":
		return `deprecated since v1.14; use "kubernetes.io/arch" instead`, true
	case "beta.kubernetes.io/os":
		return `deprecated since v1.14; use "kubernetes.io/os" instead`, true
	case "failure-domain.beta.kubernetes.io/region":
		return `deprecated since v1.17; use "topology.kubernetes.io/region" instead`, true
	case "failure-domain.beta.kubernetes.io/zone":
		return `deprecated since v1.17; use "topology.kubernetes.io/zone" instead`, true
	case "beta.kubernetes.io/instance-type":
		return `deprecated since v1.17; use "node.kubernetes.io/instance-type" instead`, true
	}
	if m < 31 {
		return "", false
	}
	switch key {
	case "app.kubernetes.io/created-by":
		return "deprecated since v1.9", true
	case "scheduler.alpha.kubernetes.io/preferAvoidPods":
		return "deprecated since v1.22; use Taints and Tolerations instead", true
	case "node-role.kubernetes.io/master":
		return `use "node-role.kubernetes.io/control-plane" instead`, true
	}
	return "", false
}

// NodeSelectorTerm returns the warnings about deprecated keys in a
// NodeSelectorTerm. path is the path of term, such as
// "spec.nodeAffinity.required.nodeSelectorTerms[0]". If checkValues is set, it
// also warns about invalid label values, from 1.33 on. For a nil term it returns
// nil. Source: GetWarningsForNodeSelectorTerm in pkg/api/node/util.go
// (1.25–1.37).
func NodeSelectorTerm(m lifecycle.Minor, term *wire.Value, checkValues bool, path string) []apiserver.Warning {
	w := writer{Server: apiserver.Server{Minor: m}}
	w.nodeSelectorTerm(term, checkValues, path)
	return w.warnings
}

func (w *writer) nodeSelectorTerm(term *wire.Value, checkValues bool, path string) {
	checkValues = checkValues && w.Minor >= 33
	for i, e := range term.Get("matchExpressions").Elements() {
		key := e.Get("key")
		if text, ok := NodeLabel(w.Minor, key.StringOr("")); ok {
			w.warnField(apiserver.DeprecatedField, path+".matchExpressions"+wire.Index(i)+".key", key.Text+" is "+text, key)
		}
		if !checkValues {
			continue
		}
		for j, v := range e.Get("values").Elements() {
			value := v.StringOr("")
			for _, problem := range validation.LabelValue(w.Minor, value) {
				w.warnField(apiserver.Advice, path+".matchExpressions"+wire.Index(i)+".values"+wire.Index(j), value+" is invalid, "+problem, v)
			}
		}
	}
}
