package checks

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/customresource"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// managers reports clients that wrote an object through a version that the
// target has deprecated or removed. metadata.managedFields has the version and
// the time of each client's last write.
//
// Such a finding is about the past. The object itself needs no change, and the
// client may be fixed already. But no other part of an object shows which
// clients need a fix.
func managers(set *Set) manifestlint.Check {
	return manifestlint.Check{
		Rule:    "deprecatedapi",
		Also:    []string{"removedapi"},
		Context: []string{definitionKind},
		Run: func(p *manifestlint.Pass) {
			if !p.Object.Known && !set.defines(p.Object) {
				return
			}
			meta := p.Object.Root.Get("metadata")
			for _, w := range writers(meta.Get("managedFields")) {
				w.report(p, set)
			}
			if f := meta.Get("annotations").Field(lastApplied); f != nil {
				appliedDeprecated(p, f)
			}
		},
		Metadata: true,
	}
}

// writer is a field manager and its writes through one version.
type writer struct {
	manager, apiVersion string
	writes              []write
	// since is the manager's newest write through another version. It is the
	// zero value if there is no write through another version, or if one of
	// writes is newer.
	since write
}

// write is an entry of managedFields (apimachinery, meta/v1,
// ManagedFieldsEntry). The server sets its time when the manager's fields
// change. Times are RFC 3339 in UTC and compare as text.
type write struct {
	apiVersion, operation, subresource, time string
	index                                    int
	at                                       *wire.Field
}

// writers groups the entries of managedFields by manager and version, in the
// order of the list.
func writers(list *wire.Value) []*writer {
	if list == nil || list.Kind != wire.List {
		return nil
	}
	var all []*writer
	for i, entry := range list.Items {
		w := write{
			apiVersion:  entry.Get("apiVersion").StringOr(""),
			operation:   entry.Get("operation").StringOr(""),
			subresource: entry.Get("subresource").StringOr(""),
			time:        entry.Get("time").StringOr(""),
			index:       i,
			at:          entry.Field("apiVersion"),
		}
		manager := entry.Get("manager").StringOr("")
		if w.apiVersion == "" || partOfKubernetes(manager) {
			continue
		}
		n := slices.IndexFunc(all, func(o *writer) bool { return o.manager == manager && o.apiVersion == w.apiVersion })
		if n < 0 {
			n = len(all)
			all = append(all, &writer{manager: manager, apiVersion: w.apiVersion})
		}
		all[n].writes = append(all[n].writes, w)
	}
	for _, w := range all {
		last := w.last()
		for _, o := range all {
			if o.manager != w.manager || o == w {
				continue
			}
			if other := o.last(); other.time > last.time && other.time > w.since.time {
				w.since = other
			}
		}
	}
	return all
}

// partOfKubernetes reports whether a manager is a component of Kubernetes. An
// upgrade of the cluster replaces the component, so its API versions need no
// fix. For example, an API server of 1.24 writes its flow schemas through
// flowcontrol/v1beta2.
func partOfKubernetes(manager string) bool {
	switch manager {
	case "kube-controller-manager", "kube-scheduler", "kube-proxy", "kubelet", "cloud-controller-manager":
		return true
	}
	return strings.HasPrefix(manager, "kube-apiserver") || strings.HasPrefix(manager, "api-priority-and-fairness-config-")
}

// last returns the newest write.
func (w *writer) last() write {
	return slices.MaxFunc(w.writes, func(a, b write) int { return strings.Compare(a.time, b.time) })
}

// report reports a writer whose version is deprecated or removed.
func (w *writer) report(p *manifestlint.Pass, set *Set) {
	fate := fateOf(p, set, w.apiVersion)
	if fate.rule == "" {
		return
	}
	last := w.last()
	text := fmt.Sprintf("history: %s wrote through %s %s (%s), which %s", w.name(), w.apiVersion, p.Object.Kind, w.when(), fate.text)
	severity := rules.Warning
	switch {
	case w.since.apiVersion != "":
		// The old version stays in managedFields for fields that the manager
		// has not changed since.
		severity = rules.Info
		text += fmt.Sprintf("; it has written through %s since (%s)", w.since.apiVersion, w.since)
	case fate.replacement != "":
		text += "; if it still does, make it use " + fate.replacement
	default:
		text += "; see whether it still does"
	}
	p.ReportRule(fate.rule, severity, manifestlint.SpanOfField(last.at), rules.Finding{
		Message:     text,
		Path:        "metadata.managedFields[" + strconv.Itoa(last.index) + "].apiVersion",
		Minors:      fate.minors,
		Replacement: fate.replacement,
	})
}

// name returns the manager's name as a finding shows it.
func (w *writer) name() string {
	switch w.manager {
	case "":
		return "a manager without a name"
	case "before-first-apply":
		// The server uses this name for the owner of all fields that existed
		// before the first apply (apiserver, handlers/create.go and patch.go).
		// Its version is the version of the apply
		// (managedfields/internal/skipnonapplied.go).
		return `the first server-side apply ("before-first-apply")`
	}
	return strconv.Quote(w.manager)
}

// when returns the times of the writes as text, the newest first.
func (w *writer) when() string {
	sorted := slices.SortedStableFunc(slices.Values(w.writes), func(a, b write) int { return strings.Compare(b.time, a.time) })
	parts := make([]string, 0, len(sorted))
	for _, one := range sorted {
		parts = append(parts, one.String())
	}
	const shown = 4
	if len(parts) > shown {
		parts = append(parts[:shown-1], fmt.Sprintf("and %d more", len(parts)-shown+1))
	}
	return strings.Join(parts, "; ")
}

// String returns text such as "Update of status, 2024-05-01T10:00:00Z".
func (w write) String() string {
	text := cmp.Or(w.operation, "write")
	if w.subresource != "" {
		text += " of " + w.subresource
	}
	if w.time != "" {
		text += ", " + w.time
	}
	return text
}

// fate is the state of an API version on the target, and the rule that reports
// it. The zero value is a version that is served and not deprecated.
type fate struct {
	rule, text, minors, replacement string
}

// fateOf returns the fate of a version of the object's kind. If the target
// deprecates the version and a later minor removes it, the fate is the removal.
func fateOf(p *manifestlint.Pass, set *Set, apiVersion string) fate {
	if api, known := lifecycle.LookupGV(apiVersion, p.Object.Kind); known {
		return builtInFate(p, api)
	}
	if p.Object.Known {
		return fate{} // a custom resource definition cannot define a built-in kind
	}
	group, version := customresource.SplitGroupVersion(apiVersion)
	d := set.Definition(group, p.Object.Kind)
	if d == nil || version == "" {
		return fate{}
	}
	var all lifecycle.Minors
	for m := p.Target.From; m <= p.Target.To; m++ {
		all = all.With(m)
	}
	minors := all.String()
	v := d.Version(version)
	switch {
	case v == nil && (d.Partial || isNewer(d, version)): // the cluster may have a newer definition
		return fate{}
	case v == nil || !v.Served:
		f := fate{rule: "removedapi", text: "its CustomResourceDefinition does not serve", minors: minors}
		if served := d.Served(); len(served) > 0 {
			f.replacement = group + "/" + served[0] + " " + d.Kind
		}
		return f
	case v.Deprecated:
		f := fate{rule: "deprecatedapi", text: "is deprecated by its CustomResourceDefinition", minors: minors}
		if better := d.Better(version); better != "" {
			f.replacement = group + "/" + better + " " + d.Kind
		}
		return f
	}
	return fate{}
}

// builtInFate returns the fate of a version of a built-in kind.
func builtInFate(p *manifestlint.Pass, api lifecycle.API) fate {
	if minors := api.RemovedMinors(p.Target); minors != 0 {
		return fate{"removedapi", removal(api), minors.String(), replacement(api, minors.Newest(), p.Target)}
	}
	var minors lifecycle.Minors
	for m := range api.ServedMinors(p.Target).All() {
		if api.IsDeprecated(m) {
			minors = minors.With(m)
		}
	}
	if minors == 0 {
		return fate{}
	}
	at := api.LifecycleAt(minors.Newest())
	text := fmt.Sprintf("is deprecated since %s", at.Deprecated)
	if at.Removed != 0 {
		text += fmt.Sprintf(" and gone in %s", at.Removed)
	}
	return fate{"deprecatedapi", text, minors.String(), replacement(api, minors.Newest(), p.Target)}
}

// appliedDeprecated reports the manifest that kubectl applied last, if the
// target has deprecated its version. It ignores a manifest with the object's
// own version, which deprecatedAPI reports. Removed versions are reported by
// applied.
func appliedDeprecated(p *manifestlint.Pass, f *wire.Field) {
	if f.Value.Kind != wire.String {
		return
	}
	was, err := wire.JSON([]byte(f.Value.Text))
	if err != nil {
		return
	}
	api, ok := lifecycle.LookupGV(was.Get("apiVersion").StringOr(""), was.Get("kind").StringOr(""))
	if !ok || api == p.Object.API {
		return
	}
	fate := builtInFate(p, api)
	if fate.rule != "deprecatedapi" {
		return
	}
	p.ReportRule(fate.rule, rules.Info, manifestlint.Span{Pos: f.Pos, End: f.End}, rules.Finding{
		Path:        "metadata.annotations[" + lastApplied + "]",
		Minors:      fate.minors,
		Replacement: fate.replacement,
		Message:     fmt.Sprintf("history: last applied as %s, which %s", api, fate.text),
	})
}
