package checks

import (
	"fmt"
	"strings"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/conversion"
	"github.com/kubevet/kubevet/rules/apiserver/customresource"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// unknownKind reports objects of a kind that no Kubernetes release has, if
// their group cannot belong to custom resources.
func unknownKind(set *Set) manifestlint.Check {
	return manifestlint.Check{
		Rule:    "unknownkind",
		Context: []string{definitionKind},
		Run: func(p *manifestlint.Pass) {
			if missesKind(p.Object, set) {
				reportUnknownKind(p)
			}
		},
		Fix: fixKind,
	}
}

// missesKind reports whether no server can have an object's kind: no known
// Kubernetes release has it, and no custom resource definition or aggregated
// API can add it.
func missesKind(o *manifestlint.Object, set *Set) bool {
	if o.Known || o.Reading != manifestlint.Written || o.Installed || o.Dumped() || isLocal(o) || set.Describes(o) || set.isInUserList(o) {
		return false
	}
	group, version := customresource.SplitGroupVersion(o.APIVersion)
	switch {
	case strings.Contains(version, "/"):
		return false // kubectl cannot parse the apiVersion
	case lifecycle.IsGroup(group) && strings.Contains(group, "."):
		return true
	case set.definesGroup(group):
		return false
	case !strings.Contains(group, "."):
		// A custom resource cannot have a group without a dot, but configuration
		// files of programs often do.
		return o.Name != "" && (customresource.IsVersion(version) || isKind(o.Kind))
	case isReserved(group):
		return !isProject(group)
	}
	return false
}

// isLocal reports whether an object has an annotation that marks it as the
// input of a KRM function, which is not sent to a server.
func isLocal(o *manifestlint.Object) bool {
	annotations := o.Root.At("metadata", "annotations")
	return annotations.Get("config.kubernetes.io/local-config").StringOr("") == "true" ||
		annotations.Get("config.kubernetes.io/function").StringOr("") != ""
}

// isReserved reports whether the Kubernetes project must approve custom
// resources of a group (apiextensions-apiserver, pkg/apihelpers,
// IsProtectedCommunityGroup).
func isReserved(group string) bool {
	return group == "k8s.io" || group == "kubernetes.io" || strings.HasSuffix(group, ".k8s.io") || strings.HasSuffix(group, ".kubernetes.io")
}

// definesGroup reports whether the set has a definition of any kind of a group.
func (s *Set) definesGroup(group string) bool {
	return s != nil && len(s.definitions.groups[group]) > 0
}

func reportUnknownKind(p *manifestlint.Pass) {
	o := p.Object
	newest := p.Target.To
	f := rules.Finding{
		Message: customresource.NoMatch(o.APIVersion, o.Kind),
		Minors:  p.Target.Minors().String(),
		Server:  unknownKindAnswer(o, p.Target),
	}
	at := o.KindAt
	group, _ := customresource.SplitGroupVersion(o.APIVersion)
	if !lifecycle.IsGroup(group) {
		at = o.APIVersionAt
	}
	likely := likelyKinds(o, p.Target)
	pastAPI, existed := pastKind(o)
	switch {
	case len(likely) == 1:
		f.Replacement = likely[0].String()
		switch {
		case likely[0].GroupVersion() != o.APIVersion:
			at = o.APIVersionAt
		case o.Kind == strings.ToLower(likely[0].Kind()):
			// kubectl finds a resource for this kind (client-go,
			// restmapper/discovery.go), but the server cannot decode the object.
			f.Message, f.Server = fmt.Sprintf("no kind %q is registered for version %q", o.Kind, o.APIVersion), nil
		}
		f.Message += ": did you mean " + f.Replacement + "?"
	case len(likely) > 1:
		names := make([]string, len(likely))
		for i, api := range likely {
			names[i] = api.String()
		}
		f.Message += ": did you mean " + strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1] + "?"
	case existed:
		f.Message += ": " + absence(pastAPI, newest, p.Target)
	case lifecycle.IsGroup(group):
		f.Message += fmt.Sprintf(": no Kubernetes release from %s to %s has this kind", lifecycle.Oldest, lifecycle.Newest)
	case strings.Contains(group, "."):
		f.Message += fmt.Sprintf(": no Kubernetes release and no known project has the group %q; if the cluster has it, give its definition with --crd", group)
	default:
		f.Message += fmt.Sprintf(": Kubernetes has no group %q, and that of a custom resource contains a dot", group)
	}
	p.Report(at, f)
}

// unknownKindAnswer returns the server's answer to a request for a kind that
// does not exist.
func unknownKindAnswer(o *manifestlint.Object, t lifecycle.Target) *rules.ServerText {
	group, _ := customresource.SplitGroupVersion(o.APIVersion)
	text := customresource.NotServed
	if lifecycle.GroupServed(group, t.To, t) {
		text = customresource.NoResource
	}
	return &rules.ServerText{Kind: "error", Text: text}
}

// absence returns the reason why the target's server of minor m does not serve
// an API that exists in another release.
func absence(api lifecycle.API, m lifecycle.Minor, t lifecycle.Target) string {
	switch api.State(m, t) {
	case lifecycle.NotYet:
		return fmt.Sprintf("%s does not exist before %s", api, api.Servable().Oldest())
	case lifecycle.Disabled:
		return fmt.Sprintf("%s is not served in %s unless the API server runs with %s", api, m, enabling(api, m, t))
	}
	return fmt.Sprintf("%s %s", api, removal(api))
}

// fixKind writes the API version and the kind that the author probably meant.
func fixKind(p *manifestlint.Pass, f *rules.Finding) (manifestlint.Change, bool) {
	apiVersion, kind, ok := strings.Cut(f.Replacement, " ")
	root := p.Object.Root
	if !ok || root.Get("apiVersion") == nil || root.Get("kind") == nil {
		return manifestlint.Change{}, false
	}
	change := manifestlint.Change{Message: "write " + f.Replacement}
	for _, field := range []struct{ name, text string }{{"apiVersion", apiVersion}, {"kind", kind}} {
		if root.Get(field.name).StringOr("") != field.text {
			change.Steps = append(change.Steps, conversion.Step{
				Op: conversion.Set, Path: conversion.Fields(field.name), Value: &wire.Value{Kind: wire.String, Text: field.text},
			})
		}
	}
	return change, true
}
