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

// lastApplied is the annotation in which kubectl apply keeps the manifest that
// it applied last.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// targetFields are fields that name an object for a controller to look up:
// of autoscalers, and of their like in custom resources. Controllers resolve
// them by group and kind and let discovery choose the version
// (pkg/controller/podautoscaler/horizontal.go, RESTMappings).
var targetFields = [...]string{"scaleTargetRef", "targetRef", "describedObject", "autoscalerRef"}

// referenceWords returns the fields that references looks at, and the versions
// that the target does not serve.
func referenceWords(t lifecycle.Target) [][]string {
	gone := map[string]bool{}
	for api := range lifecycle.All() {
		if api.RemovedMinors(t) != 0 {
			gone[api.GroupVersion()] = true
		}
	}
	return [][]string{append([]string{lastApplied, "ownerReferences"}, targetFields[:]...), slices.Sorted(maps.Keys(gone))}
}

// references reports what in an object's body names a removed version.
func references(p *manifestlint.Pass) {
	meta := p.Object.Root.Get("metadata")
	if owners := meta.Get("ownerReferences"); owners != nil {
		for i, owner := range owners.Items {
			ownerReference(p, owner, "metadata.ownerReferences["+strconv.Itoa(i)+"]")
		}
	}
	if f := meta.Get("annotations").Field(lastApplied); f != nil {
		applied(p, f)
	}
	for i := range p.Object.Root.Fields {
		if f := &p.Object.Root.Fields[i]; f.Name != "metadata" && f.Name != "status" {
			targets(p, f.Value, &step{name: f.Name})
		}
	}
}

// step is one step of a path, which is only put together where it is told.
type step struct {
	from  *step
	name  string // of a field
	item  bool   // it is an item instead,
	index int    // and which
}

func (s *step) String() string {
	switch {
	case s == nil:
		return ""
	case s.item:
		return s.from.String() + "[" + strconv.Itoa(s.index) + "]"
	case s.from == nil:
		return s.name
	}
	return wire.Join(s.from.String(), s.name)
}

// targets looks for target fields in a part of an object.
func targets(p *manifestlint.Pass, v *wire.Value, from *step) {
	for i := range v.Fields {
		f := &v.Fields[i]
		if len(f.Value.Fields) == 0 && len(f.Value.Items) == 0 {
			continue
		}
		at := step{from: from, name: f.Name}
		if slices.Contains(targetFields[:], f.Name) {
			target(p, f, &at)
		}
		targets(p, f.Value, &at)
	}
	for i, item := range v.Items {
		if len(item.Fields) > 0 || len(item.Items) > 0 {
			targets(p, item, &step{from: from, item: true, index: i})
		}
	}
}

// removedRef gives the API that a reference names if the target no longer
// serves it, and the minors at which it does not.
func removedRef(p *manifestlint.Pass, ref *wire.Value) (lifecycle.API, lifecycle.Minors) {
	api, ok := lifecycle.LookupGV(ref.Get("apiVersion").StringOr(""), ref.Get("kind").StringOr(""))
	if !ok {
		return api, 0
	}
	return api, api.RemovedMinors(p.Target)
}

func target(p *manifestlint.Pass, field *wire.Field, at *step) {
	ref := field.Value
	api, held := removedRef(p, ref)
	if held == 0 {
		return
	}
	f := rules.Finding{
		Path:        at.String() + ".apiVersion",
		Minors:      held.String(),
		Replacement: replacement(api, held.Newest(), p.Target),
		Message:     fmt.Sprintf("reference to %s, which %s", api, removal(api)),
	}
	if f.Replacement != "" {
		f.Message += "; use " + f.Replacement
	}
	span := manifestlint.SpanOfField(ref.Field("apiVersion"))
	if field.Name != "scaleTargetRef" || groupKindServed(api, held.Newest(), p.Target) {
		// Another version of the kind answers in its place, or the controller
		// knows the kind by its name alone, as the vertical autoscaler does.
		p.ReportAs(rules.Warning, span, f)
		return
	}
	p.Report(span, f)
}

// groupKindServed reports whether any version of an API's group serves its
// kind.
func groupKindServed(api lifecycle.API, m lifecycle.Minor, t lifecycle.Target) bool {
	for other := range lifecycle.All() {
		if other.Kind() == api.Kind() && other.Group() == api.Group() && other.State(m, t) == lifecycle.Served {
			return true
		}
	}
	return false
}

// ownerReference reports an owner that the garbage collector cannot find: it
// looks for the very version (pkg/controller/garbagecollector, apiResource).
func ownerReference(p *manifestlint.Pass, ref *wire.Value, path string) {
	api, held := removedRef(p, ref)
	if held == 0 {
		return
	}
	p.ReportAs(rules.Warning, manifestlint.SpanOfField(ref.Field("apiVersion")), rules.Finding{
		Path:        path + ".apiVersion",
		Minors:      held.String(),
		Replacement: replacement(api, held.Newest(), p.Target),
		Message:     fmt.Sprintf("owner reference to %s, which %s: the garbage collector cannot find the owner", api, removal(api)),
	})
}

// applied reports what kubectl applied last where it differs from what the
// object is now. It is history, and the next apply replaces it.
func applied(p *manifestlint.Pass, f *wire.Field) {
	if f.Value.Kind != wire.String {
		return
	}
	was, err := wire.JSON([]byte(f.Value.Text))
	if err != nil {
		return
	}
	api, held := removedRef(p, was)
	if held == 0 || api == p.Object.API {
		return
	}
	p.ReportAs(rules.Info, manifestlint.Span{Pos: f.Pos, End: f.End}, rules.Finding{
		Path:        "metadata.annotations[" + lastApplied + "]",
		Minors:      held.String(),
		Replacement: replacement(api, held.Newest(), p.Target),
		Message:     fmt.Sprintf("history: last applied as %s, which %s", api, removal(api)),
	})
}
