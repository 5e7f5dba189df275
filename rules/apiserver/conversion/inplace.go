package conversion

import (
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/kindwarning"
	"github.com/kubevet/kubevet/rules/apiserver/podwarning"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// FieldPlan replaces a deprecated annotation, label or field by its successor in
// the same API. Several plans for an object do not depend on each other: each
// applies to the original object.
type FieldPlan struct {
	// Field is the path of the replaced field, as in the server's warning if
	// there is one.
	Field string
	Plan  Plan
}

// InPlace plans the replacement of deprecated parts of an object of a built-in
// kind. It returns at most 100 plans. If no minor of the target serves the
// object's API, InPlace returns nil, because Of plans a conversion then.
//
// A plan is safe if every server of the target stores the same object for the
// original and for the changed object. A plan needs a review if the stored
// objects differ but have the same effect, because a changed pod template starts
// a rollout.
func InPlace(object *wire.Value, target lifecycle.Target) []FieldPlan {
	api, ok := lifecycle.LookupGV(object.Get("apiVersion").StringOr(""), object.Get("kind").StringOr(""))
	if !ok || api.Class() != lifecycle.Resource || api.ServedMinors(target).Len() == 0 {
		return nil
	}
	p := &inPlace{api: api, object: object, target: target, seen: map[string]bool{}}
	p.template = Path(nil)
	if path, ok := apiserver.PodSpecPath(api.GroupVersion(), api.Kind()); ok {
		p.pods = true
		names := strings.Split(path, ".")
		p.template = Fields(names[:len(names)-1]...)
	}
	p.planWarnings()
	p.annotations(Fields("metadata", "annotations"))
	if p.pods {
		p.annotations(p.template.Field("metadata", "annotations"))
		p.serviceAccount()
		for i, v := range itemsOf(p.template.Field("spec", "volumes").Value(object)) {
			if claim := v.At("ephemeral", "volumeClaimTemplate"); claim != nil {
				p.storageClass(p.template.Field("spec", "volumes").Item(i).Field("ephemeral", "volumeClaimTemplate"))
			}
		}
	}
	switch api.Group() + "/" + api.Kind() {
	case "/PersistentVolumeClaim":
		p.storageClass(nil)
	case "/PersistentVolume":
		p.storageClass(nil)
		p.mountOptions()
	case "apps/StatefulSet":
		for i := range itemsOf(object.At("spec", "volumeClaimTemplates")) {
			p.storageClass(Fields("spec", "volumeClaimTemplates").Item(i))
		}
	case "/Service":
		p.unreadyEndpoints()
	case "storage.k8s.io/StorageClass":
		p.defaultClass()
	case "batch/CronJob":
		p.timeZone()
	}
	return p.plans
}

func itemsOf(v *wire.Value) []*wire.Value {
	if v == nil || v.Kind != wire.List {
		return nil
	}
	return v.Items
}

type inPlace struct {
	api    lifecycle.API
	object *wire.Value
	target lifecycle.Target
	// template is the path of the value with a pod's metadata and spec. pods is
	// set if the kind is Pod or has a pod template.
	template Path
	pods     bool
	seen     map[string]bool
	// containers are the paths of the containers by name. It is nil before the first
	// call of withContainer.
	containers map[string]Path
	plans      []FieldPlan
}

// maxPlans is the maximum number of plans for an object. It bounds the memory,
// because each plan copies the maps and lists that it changes.
const maxPlans = 100

// plan adds a plan for a field, unless the field already has one. change edits
// the draft, and returns false if there is nothing to change.
func (p *inPlace) plan(field, message string, change func(*draft) bool) {
	if p.seen[field] || len(p.seen) >= maxPlans {
		return
	}
	p.seen[field] = true
	d := newDraft(p.object)
	if !change(d) {
		return
	}
	p.plans = append(p.plans, FieldPlan{Field: field, Plan: d.plan(p.api, p.api, message)})
}

func (p *inPlace) noteRollout(d *draft) {
	switch p.api.Kind() {
	case "Deployment", "DaemonSet", "StatefulSet":
		d.review("Applied to what runs, it changes the pod template, and the pods are replaced.")
	case "Job":
		d.review("The pod template of a Job that exists cannot be changed.")
	case "Pod":
		d.review("Most fields of a Pod that exists cannot be changed.")
	default:
		d.review("It changes the pod template.")
	}
}

// everyMinor reports whether condition returns true for every minor of the
// target.
func (p *inPlace) everyMinor(condition func(lifecycle.Minor) bool) bool {
	for m := range p.target.All() {
		if !condition(m) {
			return false
		}
	}
	return true
}

// planWarnings adds plans for the fields about which the target's servers warn.
func (p *inPlace) planWarnings() {
	r := apiserver.Request{APIVersion: p.api.GroupVersion(), Kind: p.api.Kind(), New: p.object}
	for m := p.target.To; m >= p.target.From && m > 0; m-- {
		if !p.api.Servable().Has(m) {
			continue
		}
		s := apiserver.Server{Minor: m, Gate: func(name string) bool { return p.target.GateEnabled(name, m) }}
		for _, said := range [...][]apiserver.Warning{podwarning.Prepare(s, r), podwarning.Strategy(s, r), kindwarning.Strategy(s, r)} {
			for _, w := range said {
				if w.Class == apiserver.DeprecatedField {
					p.planWarning(w)
				}
			}
		}
	}
}

func (p *inPlace) planWarning(w apiserver.Warning) {
	at, ok := parsePath(p.object, w.Field)
	if !ok {
		return
	}
	v := at.Value(p.object)
	last := at.Last().Name
	inAnnotations := len(at) > 1 && at[len(at)-2].Name == "annotations"
	switch {
	case inAnnotations:
		p.annotation(w.Field, at, last, v)
	case last == "trafficDistribution":
		p.trafficDistribution(w.Field, at)
	case v != nil && v.Kind == wire.Map && w.Key != nil:
		if _, known := newLabel(w.Key.Name); known {
			p.labelKey(w.Field, at.Field(w.Key.Name))
		}
	case at.Parent().Last().Name == "nodeSelector":
		p.labelKey(w.Field, at)
	case v != nil && v.Kind == wire.String:
		p.labelValue(w.Field, at, v.Text)
	}
}

// annotations adds plans for the annotations at a path, even if servers do not
// warn about them.
func (p *inPlace) annotations(at Path) {
	all := at.Value(p.object)
	if !isMap(all) {
		return
	}
	for _, f := range all.Fields {
		key := at.Field(f.Name)
		p.annotation(key.String(), key, f.Name, f.Value)
	}
}

// annotation adds a plan for an annotation that became a field. The annotations
// of pods are replaced only in a pod or a pod template.
func (p *inPlace) annotation(field string, at Path, key string, v *wire.Value) {
	switch {
	case v == nil || v.Kind != wire.String:
	case key == "kubernetes.io/ingress.class" && p.api.Kind() == "Ingress" && p.api.GroupVersion() == networkGroup+"v1":
		p.ingressClass(field, at, v.Text)
	case key == "service.kubernetes.io/topology-aware-hints" && p.api.Kind() == "Service":
		p.topologyMode(field, at, v.Text)
	case !p.pods || len(at) != len(p.template)+3:
	case key == "scheduler.alpha.kubernetes.io/critical-pod":
		p.criticalPod(field, at)
	case key == "security.alpha.kubernetes.io/sysctls", key == "security.alpha.kubernetes.io/unsafe-sysctls":
		p.sysctls(field, at, v.Text)
	case key == seccompPod:
		p.seccomp(field, at, v.Text, p.template.Field("spec"))
	case strings.HasPrefix(key, seccompContainer):
		p.withContainer(field, at, key[len(seccompContainer):], func(container Path) { p.seccomp(field, at, v.Text, container) })
	case strings.HasPrefix(key, appArmor):
		p.withContainer(field, at, key[len(appArmor):], func(container Path) { p.appArmor(field, at, v.Text, container) })
	}
}

// parsePath parses a path in the server's notation. It needs the object, because
// a number in brackets can be an index or the name of a field.
func parsePath(root *wire.Value, field string) (Path, bool) {
	var path Path
	for field != "" {
		if field[0] == '.' {
			field = field[1:]
			continue
		}
		if field[0] != '[' {
			end := strings.IndexAny(field, ".[")
			if end < 0 {
				end = len(field)
			}
			path, field = path.Field(field[:end]), field[end:]
			continue
		}
		end := strings.IndexByte(field, ']')
		if end < 0 {
			return nil, false
		}
		name := field[1:end]
		field = field[end+1:]
		at := path.Value(root)
		if n, err := strconv.Atoi(name); err == nil && at != nil && at.Kind == wire.List {
			path = path.Item(n)
		} else {
			path = path.Field(name)
		}
	}
	return path, len(path) > 0
}

// dropKey removes an annotation or label, and its map if that becomes empty.
func dropKey(d *draft, at Path) {
	d.remove(at)
	d.removeEmpty(at.Parent())
}
