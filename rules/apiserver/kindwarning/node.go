package kindwarning

import (
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/podwarning"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// node warns about deprecated or wrong fields of a Node. Source: nodeWarnings
// (1.33–1.37), fieldIsDeprecatedWarnings (1.27–1.32) and
// dynamicKubeletConfigIsDeprecatedWarning (1.22–1.26) in
// pkg/registry/core/node/strategy.go.
func (w *writer) node(obj *wire.Value) {
	spec := obj.Get("spec")
	if f := spec.Given("configSource"); f != nil && w.keepsConfigSource() {
		text := "the feature is removed"
		if w.Minor < 26 {
			text = "deprecated in v1.22, support removal is planned in v1.23"
		}
		w.warnField(apiserver.DeprecatedField, "spec.configSource", text, f.Key())
	}
	if w.Minor < 27 {
		return
	}
	if f := spec.Given("externalID"); f != nil && f.Value.StringOr("") != "" {
		w.warnField(apiserver.DeprecatedField, "spec.externalID", "this field is deprecated, and is unused by Kubernetes", f.Key())
	}
	if w.Minor < 33 {
		return
	}
	for i, v := range podCIDRs(spec) {
		w.cidr(v, "spec.podCIDRs"+wire.Index(i))
	}
}

// keepsConfigSource reports whether the server keeps spec.configSource: up to
// 1.25, and only if a gate is on. Upstream also keeps a stored field. Only
// servers up to 1.21 can have stored it, so this is ignored here. Source:
// dropDisabledFields.
func (w *writer) keepsConfigSource() bool {
	return w.Minor < 26 && w.Enabled("DynamicKubeletConfig")
}

// podCIDRs returns the address ranges of a node. If podCIDR and podCIDRs differ,
// the server uses podCIDR. Source: Convert_v1_NodeSpec_To_core_NodeSpec in
// pkg/apis/core/v1/conversion.go.
func podCIDRs(spec *wire.Value) []*wire.Value {
	cidr, all := spec.Get("podCIDR"), spec.Get("podCIDRs").Elements()
	if cidr.StringOr("") != "" && (len(all) == 0 || all[0].StringOr("") != cidr.Text) {
		return []*wire.Value{cidr}
	}
	return all
}

// runtimeClass warns about the node selector of a RuntimeClass. The server's text
// does not name the label. Source: GetWarningsForRuntimeClass in
// pkg/api/node/util.go (1.25–1.37).
func (w *writer) runtimeClass(obj *wire.Value) {
	if w.Minor < 25 {
		return
	}
	labels := obj.At("scheduling", "nodeSelector").Entries()
	for i := range labels {
		if text, ok := podwarning.NodeLabel(w.Minor, labels[i].Name); ok {
			w.warnField(apiserver.DeprecatedField, "scheduling.nodeSelector", text, (&labels[i]).Key())
		}
	}
}
