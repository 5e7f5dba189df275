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
// The finding is about the past: the object needs no change, and the client may
// be fixed already. But nothing else in an object shows which clients need a
// fix.
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
				checkAppliedDeprecated(p, f)
			}
		},
		Metadata: true,
	}
}

// writer is a field manager and its writes through one version.
type writer struct {
	manager, apiVersion string
	writes              []write
	// newerWrite is the manager's newest write through another version. It is
	// zero if there is none, or if one of writes is newer.
	newerWrite write
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
		last := w.newest()
		for _, o := range all {
			if o.manager != w.manager || o == w {
				continue
			}
			if other := o.newest(); other.time > last.time && other.time > w.newerWrite.time {
				w.newerWrite = other
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

func (w *writer) newest() write {
	return slices.MaxFunc(w.writes, func(a, b write) int { return strings.Compare(a.time, b.time) })
}

// report reports a writer whose version is deprecated or removed.
func (w *writer) report(p *manifestlint.Pass, set *Set) {
	status := statusOf(p, set, w.apiVersion)
	if status.rule == "" {
		return
	}
	last := w.newest()
	text := fmt.Sprintf("history: %s wrote through %s %s (%s), which %s", w.name(), w.apiVersion, p.Object.Kind, w.writeTimes(), status.text)
	severity := rules.Warning
	switch {
	case w.newerWrite.apiVersion != "":
		// The old version stays in managedFields for fields that the manager has
		// not changed since.
		severity = rules.Info
		text += fmt.Sprintf("; it has written through %s since (%s)", w.newerWrite.apiVersion, w.newerWrite)
	case status.replacement != "":
		text += "; if it still does, make it use " + status.replacement
	default:
		text += "; see whether it still does"
	}
	p.ReportRule(status.rule, severity, manifestlint.SpanOfField(last.at), rules.Finding{
		Message:     text,
		Path:        "metadata.managedFields[" + strconv.Itoa(last.index) + "].apiVersion",
		Minors:      status.minors,
		Replacement: status.replacement,
	})
}

// name returns the manager's name for a finding.
func (w *writer) name() string {
	switch w.manager {
	case "":
		return "a manager without a name"
	case "before-first-apply":
		// The server uses this name for the owner of all fields that existed
		// before the first apply (apiserver, handlers/create.go and patch.go).
		// The apiVersion of this entry is the version of the apply
		// (managedfields/internal/skipnonapplied.go).
		return `the first server-side apply ("before-first-apply")`
	}
	return strconv.Quote(w.manager)
}

// writeTimes returns the times of the writes as text, the newest first.
func (w *writer) writeTimes() string {
	sorted := slices.SortedStableFunc(slices.Values(w.writes), func(a, b write) int { return strings.Compare(b.time, a.time) })
	parts := make([]string, 0, len(sorted))
	for _, one := range sorted {
		parts = append(parts, one.String())
	}
	const count = 4
	if len(parts) > count {
		parts = append(parts[:count-1], fmt.Sprintf("and %d more", len(parts)-count+1))
	}
	return strings.Join(parts, "; ")
}

// String returns a text such as "Update of status, 2024-05-01T10:00:00Z".
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

// versionStatus has the rule that reports an API version on the target. The
// zero value is a version that is served and not deprecated.
type versionStatus struct {
	rule, text, minors, replacement string
}

// statusOf returns the status of a version of the object's kind. If the target
// deprecates the version and a later minor removes it, the result is about the
// removal.
func statusOf(p *manifestlint.Pass, set *Set, apiVersion string) versionStatus {
	if api, known := lifecycle.LookupGV(apiVersion, p.Object.Kind); known {
		return builtInStatus(p, api)
	}
	if p.Object.Known {
		return versionStatus{} // a custom resource definition cannot define a built-in kind
	}
	group, version := customresource.SplitGroupVersion(apiVersion)
	d := set.Definition(group, p.Object.Kind)
	if d == nil || version == "" {
		return versionStatus{}
	}
	var all lifecycle.Minors
	for m := p.Target.From; m <= p.Target.To; m++ {
		all = all.With(m)
	}
	minors := all.String()
	v := d.Version(version)
	switch {
	case v == nil && (d.Partial || isNewer(d, version)): // the cluster may have a newer definition
		return versionStatus{}
	case v == nil || !v.Served:
		f := versionStatus{rule: "removedapi", text: "its CustomResourceDefinition does not serve", minors: minors}
		if served := d.Served(); len(served) > 0 {
			f.replacement = group + "/" + served[0] + " " + d.Kind
		}
		return f
	case v.Deprecated:
		f := versionStatus{rule: "deprecatedapi", text: "is deprecated by its CustomResourceDefinition", minors: minors}
		if better := d.Better(version); better != "" {
			f.replacement = group + "/" + better + " " + d.Kind
		}
		return f
	}
	return versionStatus{}
}

// builtInStatus returns the status of a version of a built-in kind.
func builtInStatus(p *manifestlint.Pass, api lifecycle.API) versionStatus {
	if minors := api.RemovedMinors(p.Target); minors != 0 {
		return versionStatus{"removedapi", removal(api), minors.String(), replacement(api, minors.Newest(), p.Target)}
	}
	var minors lifecycle.Minors
	for m := range api.ServedMinors(p.Target).All() {
		if api.IsDeprecated(m) {
			minors = minors.With(m)
		}
	}
	if minors == 0 {
		return versionStatus{}
	}
	at := api.LifecycleAt(minors.Newest())
	text := fmt.Sprintf("is deprecated since %s", at.Deprecated)
	if at.Removed != 0 {
		text += fmt.Sprintf(" and gone in %s", at.Removed)
	}
	return versionStatus{"deprecatedapi", text, minors.String(), replacement(api, minors.Newest(), p.Target)}
}

// checkAppliedDeprecated reports the manifest that kubectl applied last, if the
// target has deprecated its version. It ignores the object's own version, which
// deprecatedAPI reports, and removed versions, which checkApplied reports.
func checkAppliedDeprecated(p *manifestlint.Pass, f *wire.Field) {
	if f.Value.Kind != wire.String {
		return
	}
	appliedAPI, err := wire.JSON([]byte(f.Value.Text))
	if err != nil {
		return
	}
	api, ok := lifecycle.LookupGV(appliedAPI.Get("apiVersion").StringOr(""), appliedAPI.Get("kind").StringOr(""))
	if !ok || api == p.Object.API {
		return
	}
	fate := builtInStatus(p, api)
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
