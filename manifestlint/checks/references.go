package checks

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// lastApplied is the annotation in which kubectl apply stores the manifest.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// targetFields are the fields in which autoscalers and similar custom resources
// name another object. Controllers look up the object by group and kind. The
// version comes from discovery (pkg/controller/podautoscaler/horizontal.go,
// RESTMappings).
var targetFields = [...]string{"scaleTargetRef", "targetRef", "describedObject", "autoscalerRef"}

// referenceWords returns two lists of words: the fields that checkReferences
// reads, and the versions that the target does not serve. Only objects that
// contain a word of each list are checked.
func referenceWords(t lifecycle.Target) [][]string {
	removed := map[string]bool{}
	for api := range lifecycle.All() {
		if api.RemovedMinors(t) != 0 {
			removed[api.GroupVersion()] = true
		}
	}
	return [][]string{append([]string{lastApplied, "ownerReferences"}, targetFields[:]...), slices.Sorted(maps.Keys(removed))}
}

// checkReferences reports fields of an object that name another object in a
// removed version.
func checkReferences(p *manifestlint.Pass) {
	meta := p.Object.Root.Get("metadata")
	if owners := meta.Get("ownerReferences"); owners != nil {
		for i, owner := range owners.Items {
			checkOwner(p, owner, "metadata.ownerReferences["+strconv.Itoa(i)+"]")
		}
	}
	if f := meta.Get("annotations").Field(lastApplied); f != nil {
		checkApplied(p, f)
	}
	for i := range p.Object.Root.Fields {
		if f := &p.Object.Root.Fields[i]; f.Name != "metadata" && f.Name != "status" {
			checkTargets(p, f.Value, &step{name: f.Name})
		}
	}
}

// step is the last step of a path. Paths are linked lists, because most of them
// are never formatted.
type step struct {
	parent *step
	name   string // the field's name
	item   bool   // the step is to a list item, not to a field
	index  int    // the item's index
}

// String returns the path in the server's notation.
func (s *step) String() string {
	switch {
	case s == nil:
		return ""
	case s.item:
		return s.parent.String() + "[" + strconv.Itoa(s.index) + "]"
	case s.parent == nil:
		return s.name
	}
	return wire.Join(s.parent.String(), s.name)
}

// checkTargets searches a value for target fields that name a removed version.
func checkTargets(p *manifestlint.Pass, v *wire.Value, from *step) {
	for i := range v.Fields {
		f := &v.Fields[i]
		if len(f.Value.Fields) == 0 && len(f.Value.Items) == 0 {
			continue
		}
		at := step{parent: from, name: f.Name}
		if slices.Contains(targetFields[:], f.Name) {
			checkTarget(p, f, &at)
		}
		checkTargets(p, f.Value, &at)
	}
	for i, item := range v.Items {
		if len(item.Fields) > 0 || len(item.Items) > 0 {
			checkTargets(p, item, &step{parent: from, item: true, index: i})
		}
	}
}

// removedRef returns the API that a reference names, and the minors of the
// target that no longer serve it.
func removedRef(p *manifestlint.Pass, ref *wire.Value) (lifecycle.API, lifecycle.Minors) {
	api, ok := lifecycle.LookupGV(ref.Get("apiVersion").StringOr(""), ref.Get("kind").StringOr(""))
	if !ok {
		return api, 0
	}
	return api, api.RemovedMinors(p.Target)
}

// checkTarget reports a target field if it names a removed version.
func checkTarget(p *manifestlint.Pass, field *wire.Field, at *step) {
	ref := field.Value
	api, minors := removedRef(p, ref)
	if minors == 0 {
		return
	}
	f := rules.Finding{
		Path:        at.String() + ".apiVersion",
		Minors:      minors.String(),
		Replacement: replacement(api, minors.Newest(), p.Target),
		Message:     fmt.Sprintf("reference to %s, which %s", api, removal(api)),
	}
	if f.Replacement != "" {
		f.Message += "; use " + f.Replacement
	}
	span := manifestlint.SpanOfField(ref.Field("apiVersion"))
	if field.Name != "scaleTargetRef" || groupKindServed(api, minors.Newest(), p.Target) {
		// The controller uses another version of the kind, or, like the vertical
		// autoscaler, ignores the version.
		p.ReportAs(rules.Warning, span, f)
		return
	}
	p.Report(span, f)
}

// groupKindServed reports whether a server serves the API's kind and group in
// any version.
func groupKindServed(api lifecycle.API, m lifecycle.Minor, t lifecycle.Target) bool {
	for other := range lifecycle.All() {
		if other.Kind() == api.Kind() && other.Group() == api.Group() && other.State(m, t) == lifecycle.Served {
			return true
		}
	}
	return false
}

// checkOwner reports a reference to an owner in a removed version. The garbage
// collector looks up this exact version, and cannot find the owner
// (pkg/controller/garbagecollector, apiResource).
func checkOwner(p *manifestlint.Pass, ref *wire.Value, path string) {
	api, minors := removedRef(p, ref)
	if minors == 0 {
		return
	}
	p.ReportAs(rules.Warning, manifestlint.SpanOfField(ref.Field("apiVersion")), rules.Finding{
		Path:        path + ".apiVersion",
		Minors:      minors.String(),
		Replacement: replacement(api, minors.Newest(), p.Target),
		Message:     fmt.Sprintf("owner reference to %s, which %s: the garbage collector cannot find the owner", api, removal(api)),
	})
}

// checkApplied reports the manifest that kubectl applied last, if its version
// is removed. It ignores the object's own version, which is reported for the
// object. The next apply replaces the annotation.
func checkApplied(p *manifestlint.Pass, f *wire.Field) {
	if f.Value.Kind != wire.String {
		return
	}
	appliedAPI, err := wire.JSON([]byte(f.Value.Text))
	if err != nil {
		return
	}
	api, minors := removedRef(p, appliedAPI)
	if minors == 0 || api == p.Object.API {
		return
	}
	p.ReportAs(rules.Info, manifestlint.Span{Pos: f.Pos, End: f.End}, rules.Finding{
		Path:        "metadata.annotations[" + lastApplied + "]",
		Minors:      minors.String(),
		Replacement: replacement(api, minors.Newest(), p.Target),
		Message:     fmt.Sprintf("history: last applied as %s, which %s", api, removal(api)),
	})
}
