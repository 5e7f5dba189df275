package checks

import (
	"strings"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/conversion"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// fixVersion fixes a finding about an API version. It converts the object to a
// version that all servers of the target serve, or fixes the version of a
// reference.
func fixVersion(p *manifestlint.Pass, f *rules.Finding) (manifestlint.Change, bool) {
	if f.Path != "" {
		return fixReference(p, f)
	}
	plan, ok := conversion.Of(p.Object.Root, p.Target)
	if !ok {
		return manifestlint.Change{}, false
	}
	r := toChange(plan)
	if p.Object.Unfinished && len(plan.Steps) > 1 && r.Safe {
		r.Safe = false
		r.Notes = append(r.Notes, "something else completes the object: look at what is written into this part of it")
	}
	return r, true
}

// toChange converts a plan to a change. A manual plan becomes a change without
// steps.
func toChange(plan conversion.Plan) manifestlint.Change {
	r := manifestlint.Change{Message: plan.Message, Safe: plan.Safety == conversion.Safe, Notes: plan.Notes}
	if plan.Safety != conversion.Manual {
		r.Steps = plan.Steps
	}
	return r
}

// fixReference fixes a reference with a removed API version, if another version
// of the kind replaces it.
func fixReference(p *manifestlint.Pass, f *rules.Finding) (manifestlint.Change, bool) {
	path, ok := pathAt(p.Object.Root, wire.Pos{Line: f.Line, Column: f.Column})
	version, kind, _ := strings.Cut(f.Replacement, " ")
	if !ok || kind == "" || path.String() != f.Path || path.Last().Name != "apiVersion" || path[0].Name == "metadata" {
		return manifestlint.Change{}, false
	}
	ref := path.Parent().Value(p.Object.Root)
	old, known := lifecycle.LookupGV(ref.Get("apiVersion").StringOr(""), ref.Get("kind").StringOr(""))
	if api, ok := lifecycle.LookupGV(version, kind); !known || !ok || api.Kind() != old.Kind() || api.ServedMinors(p.Target) != p.Target.Minors() {
		return manifestlint.Change{}, false
	}
	group, _, _ := strings.Cut(version, "/")
	return manifestlint.Change{
		Message: "refer to " + f.Replacement,
		// Controllers look up the object by its kind and group, and ignore the
		// version.
		Safe:  p.Object.Known && old.Group() == group,
		Steps: []conversion.Step{{Op: conversion.Set, Path: path, Value: &wire.Value{Kind: wire.String, Text: version}}},
	}, true
}

// pathAt returns the path of the scalar at a position. It returns false if
// there is none.
func pathAt(root *wire.Value, at wire.Pos) (conversion.Path, bool) {
	if root.Pos == at && root.Kind != wire.Map && root.Kind != wire.List {
		return nil, true
	}
	for i := range root.Fields {
		if rest, ok := pathAt(root.Fields[i].Value, at); ok {
			return append(conversion.Fields(root.Fields[i].Name), rest...), true
		}
	}
	for i, item := range root.Items {
		if rest, ok := pathAt(item, at); ok {
			return append(conversion.Path(nil).Item(i), rest...), true
		}
	}
	return nil, false
}
