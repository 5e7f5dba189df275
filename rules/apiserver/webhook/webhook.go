// Package webhook predicts which admission webhooks a kube-apiserver calls for an
// object. It also predicts the answer to a dry run if such a webhook does not
// support dry runs.
//
// Source: k8s.io/apiserver/pkg/admission/plugin/webhook of 1.16 to 1.37:
// generic/webhook.go and predicates/{rules,namespace,object} select the webhooks,
// {mutating,validating}/dispatcher.go calls them, and pkg/admission/configuration
// sorts the configurations.
package webhook

import (
	"slices"
	"strconv"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/policy"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// group is the API group of webhook configurations.
const group = "admissionregistration.k8s.io"

// Configuration is a MutatingWebhookConfiguration or a
// ValidatingWebhookConfiguration.
type Configuration struct {
	Name     string
	Mutating bool
	// Version is the API version of the configuration: v1 or v1beta1.
	Version string
	Hooks   []*Hook
}

// Hook is one webhook of a configuration. It has the defaults of the
// configuration's version.
type Hook struct {
	Name string
	// SideEffects is the declared value of sideEffects. It is empty only if a v1
	// configuration does not declare it, which the server refuses.
	SideEffects string
	// At is the webhook in the source. Path is its path.
	At   *wire.Value
	Path string

	rules      []rule
	equivalent bool // whether matchPolicy is Equivalent
	namespaces selector
	objects    selector
	conditions *policy.Conditions
}

// IsConfiguration reports whether a kind is a webhook configuration that Read can
// read.
func IsConfiguration(apiVersion, kind string) bool {
	return (apiVersion == group+"/v1" || apiVersion == group+"/v1beta1") && isConfigurationKind(kind)
}

func isConfigurationKind(kind string) bool {
	return kind == "MutatingWebhookConfiguration" || kind == "ValidatingWebhookConfiguration"
}

// Read reads a webhook configuration. It returns nil if the kind is not a webhook
// configuration. Values of a wrong type are ignored, because the server's decoder
// refuses them.
func Read(apiVersion, kind string, obj *wire.Value) *Configuration {
	if !IsConfiguration(apiVersion, kind) {
		return nil
	}
	c := &Configuration{
		Name:     obj.At("metadata", "name").StringOr(""),
		Mutating: kind == "MutatingWebhookConfiguration",
		Version:  apiVersion[len(group)+1:],
	}
	for i, v := range obj.Get("webhooks").Elements() {
		c.Hooks = append(c.Hooks, c.hook(i, v))
	}
	return c
}

// hook reads a webhook and sets its defaults. Source:
// SetDefaults_{Mutating,Validating}Webhook in
// pkg/apis/admissionregistration/{v1,v1beta1}/defaults.go.
func (c *Configuration) hook(i int, v *wire.Value) *Hook {
	match, effects, failure := "Equivalent", "", "Fail"
	if c.Version == "v1beta1" {
		match, effects, failure = "Exact", "Unknown", "Ignore"
	}
	h := &Hook{
		Name:        v.Get("name").StringOr(""),
		SideEffects: v.Get("sideEffects").StringOr(effects),
		At:          v,
		Path:        "webhooks[" + strconv.Itoa(i) + "]",
		equivalent:  v.Get("matchPolicy").StringOr(match) == "Equivalent",
		namespaces:  readSelector(v.Get("namespaceSelector")),
		objects:     readSelector(v.Get("objectSelector")),
		conditions:  policy.NewConditions(readConditions(v), v.Get("failurePolicy").StringOr(failure) == "Ignore"),
	}
	for _, r := range v.Get("rules").Elements() {
		h.rules = append(h.rules, readRule(r))
	}
	return h
}

func readConditions(v *wire.Value) (list []policy.Condition) {
	for _, c := range v.Get("matchConditions").Elements() {
		list = append(list, policy.Condition{Name: c.Get("name").StringOr(""), Expression: c.Get("expression").StringOr("")})
	}
	return list
}

// BlocksDryRun reports whether the server refuses a dry run instead of calling
// the webhook, whatever its failurePolicy is.
func (h *Hook) BlocksDryRun() bool {
	return h.SideEffects != "None" && h.SideEffects != "NoneOnDryRun"
}

// Exists reports whether the server has the configuration after it was applied:
// it serves the version and accepts the declared side effects. v1beta1 accepts
// all side effects. v1 accepts only webhooks that support dry runs, unless a
// webhook in stored does not. stored is the previous configuration, or nil. Other
// errors of validation are ignored. Source: validate{Mutating,Validating}Webhook
// in pkg/apis/admissionregistration/validation/validation.go.
func (c *Configuration) Exists(s apiserver.Server, stored *Configuration) bool {
	kind := "ValidatingWebhookConfiguration"
	if c.Mutating {
		kind = "MutatingWebhookConfiguration"
	}
	api, ok := lifecycle.Lookup(group, c.Version, kind)
	if !ok || !api.Servable().Has(s.Minor) {
		return false
	}
	lenient := c.Version == "v1beta1" || stored != nil && slices.ContainsFunc(stored.Hooks, (*Hook).BlocksDryRun)
	return !slices.ContainsFunc(c.Hooks, func(h *Hook) bool {
		return h.BlocksDryRun() && !(lenient && (h.SideEffects == "Some" || h.SideEffects == "Unknown"))
	})
}
