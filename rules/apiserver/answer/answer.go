// Package answer predicts a kube-apiserver's whole answer to an object. It runs
// the phases of a request in the server's order. It returns the warnings as the
// headers of the answer contain them.
package answer

import (
	"net/http"
	"slices"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/customresource"
	"github.com/kubevet/kubevet/rules/apiserver/kindwarning"
	"github.com/kubevet/kubevet/rules/apiserver/podsecurity"
	"github.com/kubevet/kubevet/rules/apiserver/podwarning"
	"github.com/kubevet/kubevet/rules/apiserver/schema"
	"github.com/kubevet/kubevet/rules/apiserver/validation"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Surroundings is the state of a server and its cluster, besides the request. The
// zero value means that nothing is known.
type Surroundings struct {
	// NamespaceLabels are the labels of the object's namespace. If they are nil,
	// they are unknown, and Pod Security is not evaluated.
	NamespaceLabels map[string]string
	// Pods are the existing pods in a Namespace, as the server returns them. They
	// are used only if the request updates the Namespace. nil means unknown.
	Pods []*wire.Value
	// Admission has the admission policies of the cluster. nil means no policies.
	Admission *Admission

	skipMutation bool
}

// To returns a server's answer to the creation or update of an object. The answer
// is empty if the server cannot serve the kind.
//
// The order is that of staging/src/k8s.io/apiserver/pkg/endpoints (1.24–1.37):
//
//	deprecation of the API           handlers of every verb, endpoints/deprecation
//	decoding, dropped fields         handlers/{create,update}.go
//	duplicate owner references       handlers/rest.go, dedupOwnerReferencesAndAddWarning
//	mutating admission               policies only: see Admission
//	warnings of PrepareForCreate     registry/core/pod/strategy.go
//	validation                       registry/rest/{create,update}.go; a refusal ends it
//	warnings of the strategy         WarningsOnCreate and WarningsOnUpdate in these files
//	validating admission             pod-security-admission, then policies
func To(s apiserver.Server, r apiserver.Request, around Surroundings) apiserver.Answer {
	api, known := lifecycle.LookupGV(r.APIVersion, r.Kind)
	if !known || !api.Servable().Has(s.Minor) || r.New == nil || r.New.Kind != wire.Map {
		return apiserver.Answer{}
	}
	var a apiserver.Answer
	if text := api.Warning(s.Minor); text != "" {
		a.Warnings = append(a.Warnings, apiserver.Warning{Text: text, At: r.New.Get("apiVersion"), Class: apiserver.DeprecatedAPI})
	}
	decoded := schema.Decode(s, r)
	if a.Causes = decoded.Causes; len(a.Causes) == 0 {
		a.Warnings = append(a.Warnings, decoded.Warnings...)
		a.Warnings = append(a.Warnings, kindwarning.OwnerReferences(s, r)...)
		p := newPolicies(s, r, around, api.Namespaced(), &a)
		if changed, ok := p.mutate(r, &a); ok {
			addStrategyMessages(s, changed, around, p, &a)
		}
		p.markMutated(&a, func() apiserver.Answer {
			around.skipMutation = true
			return To(s, r, around)
		})
	}
	a.Warnings = apiserver.Headers(a.Warnings)
	return a
}

// addStrategyMessages adds the messages of all phases from PrepareForCreate or
// PrepareForUpdate to validating admission.
func addStrategyMessages(s apiserver.Server, r apiserver.Request, around Surroundings, p *policies, a *apiserver.Answer) {
	a.Warnings = append(a.Warnings, podwarning.Prepare(s, r)...)
	a.Warnings = append(a.Warnings, clusterName(s, r)...)
	if a.Causes = refused(s, r); len(a.Causes) > 0 {
		return
	}
	a.Warnings = append(a.Warnings, podwarning.Strategy(s, r)...)
	a.Warnings = append(a.Warnings, kindwarning.Strategy(s, r)...)
	if around.NamespaceLabels != nil || r.Kind == "Namespace" {
		checked := podsecurity.Check(s, around.NamespaceLabels, r)
		a.Causes = checked.Causes
		a.Warnings = append(a.Warnings, checked.Warnings...)
		if len(checked.Causes) == 0 {
			a.Warnings = append(a.Warnings, podsecurity.NamespaceUpdate(s, r, around.Pods)...)
		}
	}
	if len(a.Causes) == 0 {
		p.validate(r, a)
	}
}

// ToCustom returns a server's answer to the creation or update of a custom
// resource. d is the server's definition of the resource. ToCustom is
// customresource.Answer with admission policies.
func ToCustom(s apiserver.Server, d *customresource.Definition, r apiserver.Request, around Surroundings) apiserver.Answer {
	a := customresource.Answer(s, d, r)
	if around.Admission == nil || around.Admission.Policies.Empty() {
		return a
	}
	seen, ok := customresource.Admitted(s, d, r)
	if !ok {
		return a
	}
	p := newPolicies(s, seen, around, d.Namespaced, &a)
	changed, ok := p.mutate(seen, &a)
	switch {
	case !ok:
		a.Warnings = slices.DeleteFunc(a.Warnings, func(w apiserver.Warning) bool {
			return w.Class != apiserver.DeprecatedAPI && w.Class != apiserver.UnknownField
		})
	case p != nil && len(p.mutated) > 0:
		// The warnings of decoding are about the object as sent, so they stay.
		custom := customresource.Answer(s, d, changed)
		a.Causes, a.Unknown = custom.Causes, append(a.Unknown, custom.Unknown...)
		a.Warnings = slices.DeleteFunc(a.Warnings, func(w apiserver.Warning) bool {
			return w.Class != apiserver.DeprecatedAPI && w.Class != apiserver.UnknownField
		})
		for _, w := range custom.Warnings {
			if w.Class != apiserver.DeprecatedAPI && w.Class != apiserver.UnknownField {
				a.Warnings = append(a.Warnings, w)
			}
		}
	}
	if len(a.Causes) == 0 {
		p.validate(changed, &a)
	}
	p.markMutated(&a, func() apiserver.Answer {
		around.skipMutation = true
		return ToCustom(s, d, r, around)
	})
	return a
}

// Refusal returns the causes that To returns if nothing is known about the
// objects of the cluster. It does not compute warnings. It returns nil if the
// server accepts the object.
func Refusal(s apiserver.Server, r apiserver.Request) []apiserver.Cause {
	api, known := lifecycle.LookupGV(r.APIVersion, r.Kind)
	if !known || !api.Servable().Has(s.Minor) || r.New == nil || r.New.Kind != wire.Map {
		return nil
	}
	if causes := schema.Decode(s, r).Causes; len(causes) > 0 {
		return causes
	}
	if causes := refused(s, r); len(causes) > 0 || r.Kind != "Namespace" {
		return causes
	}
	return podsecurity.Check(s, nil, r).Causes
}

// refused returns the errors of the server's validation.
func refused(s apiserver.Server, r apiserver.Request) []apiserver.Cause {
	if r.Kind == "CustomResourceDefinition" {
		return customresource.DefinitionCauses(s, r)
	}
	return validation.Causes(s, r)
}

// clusterName returns the warning about metadata.clusterName, a field that 1.25
// removed. Only 1.24 has this warning, in BeforeCreate and BeforeUpdate
// (apiserver/pkg/registry/rest/{create,update}.go).
func clusterName(s apiserver.Server, r apiserver.Request) []apiserver.Warning {
	name := r.New.At("metadata", "clusterName")
	if s.Minor != 24 || name.StringOr("") == "" {
		return nil
	}
	return []apiserver.Warning{{
		Field: "metadata.clusterName", At: name, Class: apiserver.DeprecatedField,
		Text: "metadata.clusterName was specified. This field is not preserved and will be removed from the schema in 1.25",
	}}
}

// Accepted reports whether the server accepts the object.
func Accepted(a apiserver.Answer) bool { return len(a.Causes) == 0 }

// Code returns the HTTP status of an answer. If the object is accepted, it is
// 201, or 200 for an update.
func Code(a apiserver.Answer, update bool) int {
	switch {
	case len(a.Causes) > 0:
		return a.Causes[0].Code
	case update:
		return http.StatusOK
	}
	return http.StatusCreated
}
