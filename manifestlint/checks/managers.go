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
// target has deprecated or removed: metadata.managedFields keeps of each field
// manager the version that it last wrote with, and when. This is history. The
// object itself is in no danger, and the client may have been fixed since;
// yet no other part of an object tells who is still to be fixed.
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

// writer is what managedFields keeps of a manager's writes through one version.
type writer struct {
	manager, apiVersion string
	writes              []write
	// since is the newest write of the same manager through another version,
	// if that is later.
	since write
}

// write is an entry of managedFields (apimachinery, meta/v1,
// ManagedFieldsEntry). The server sets the time when it changes what the entry
// owns, in RFC 3339 and UTC, so that times compare as text.
type write struct {
	apiVersion, operation, subresource, time string
	index                                    int
	at                                       *wire.Field
}

// writers gives what a list of managed fields says of writes, by manager and
// version, in the list's order.
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

// partOfKubernetes reports whether a manager is a part of Kubernetes itself,
// which is upgraded with the cluster and uses what its release has: an
// API server of 1.24 writes its own flow schemas through flowcontrol/v1beta2.
func partOfKubernetes(manager string) bool {
	switch manager {
	case "kube-controller-manager", "kube-scheduler", "kube-proxy", "kubelet", "cloud-controller-manager":
		return true
	}
	return strings.HasPrefix(manager, "kube-apiserver") || strings.HasPrefix(manager, "api-priority-and-fairness-config-")
}

// last is the newest of a writer's writes.
func (w *writer) last() write {
	return slices.MaxFunc(w.writes, func(a, b write) int { return strings.Compare(a.time, b.time) })
}

// report reports a writer whose version is not one to use.
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
		// Fields that it has not changed since stay under the old version.
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

// name is how a finding names a manager.
func (w *writer) name() string {
	switch w.manager {
	case "":
		return "a manager without a name"
	case "before-first-apply":
		// The server's name for the owner of what was there before the first
		// apply (apiserver, handlers/create.go and patch.go), with the version of that
		// apply (managedfields/internal/skipnonapplied.go).
		return `the first server-side apply ("before-first-apply")`
	}
	return strconv.Quote(w.manager)
}

// when lists the writes, newest first.
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

// String gives "Update of status, 2024-05-01T10:00:00Z".
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

// fate is what becomes of a version on the target.
type fate struct {
	rule, text, minors, replacement string
}

// fateOf says what becomes of a version of an object's kind on the target; the
// zero fate: nothing. Where a range has deprecated and then removed it, the
// removal counts.
func fateOf(p *manifestlint.Pass, set *Set, apiVersion string) fate {
	if api, known := lifecycle.LookupGV(apiVersion, p.Object.Kind); known {
		return builtInFate(p, api)
	}
	if p.Object.Known {
		return fate{} // no definition is for a kind of Kubernetes
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
	case v == nil && isNewer(d, version): // the definition may be out of date
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

func builtInFate(p *manifestlint.Pass, api lifecycle.API) fate {
	if held := api.RemovedMinors(p.Target); held != 0 {
		return fate{"removedapi", removal(api), held.String(), replacement(api, held.Newest(), p.Target)}
	}
	var held lifecycle.Minors
	for m := range api.ServedMinors(p.Target).All() {
		if api.IsDeprecated(m) {
			held = held.With(m)
		}
	}
	if held == 0 {
		return fate{}
	}
	at := api.LifecycleAt(held.Newest())
	text := fmt.Sprintf("is deprecated since %s", at.Deprecated)
	if at.Removed != 0 {
		text += fmt.Sprintf(" and gone in %s", at.Removed)
	}
	return fate{"deprecatedapi", text, held.String(), replacement(api, held.Newest(), p.Target)}
}

// appliedDeprecated reports what kubectl applied last where it is of a version
// that the target has deprecated and the object is not. What was removed is
// removedapi's.
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
