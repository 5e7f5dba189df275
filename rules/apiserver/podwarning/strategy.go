package podwarning

import (
	"cmp"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/validation"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// kind is a kind that has a pod spec, with the properties that its strategy uses.
type kind struct {
	name string
	// template is the path of the pod template.
	template []string
	// watched is the path of a field. On update, the server warns only if this
	// field changes. watched is nil for Pods: the server never warns about their
	// updates.
	watched []string
	spec    structure
	// namesPods is set if the names of Pods begin with the object's name.
	namesPods bool
}

// kinds are the kinds about which Strategy can return warnings. Servers that warn
// do not serve extensions/v1beta1, apps/v1beta1 and apps/v1beta2.
var kinds = [...]struct {
	apiVersion string
	last       lifecycle.Minor // last minor that serves the kind; 0 for the newest
	kind
}{
	{"v1", 0, kind{"Pod", nil, nil, other, true}},
	{"apps/v1", 0, kind{"Deployment", []string{"spec", "template"}, []string{"spec"}, deployment, true}},
	{"apps/v1", 0, kind{"StatefulSet", []string{"spec", "template"}, []string{"spec"}, statefulSet, false}},
	{"apps/v1", 0, kind{"DaemonSet", []string{"spec", "template"}, []string{"spec", "template"}, daemonSet, false}},
	{"apps/v1", 0, kind{"ReplicaSet", []string{"spec", "template"}, []string{"spec"}, replicaSet, true}},
	{"batch/v1", 0, kind{"Job", []string{"spec", "template"}, []string{"spec"}, job, true}},
	{"batch/v1", 0, kind{"CronJob", []string{"spec", "jobTemplate", "spec", "template"}, []string{"spec"}, cronJob, true}},
	{"batch/v1beta1", 24, kind{"CronJob", []string{"spec", "jobTemplate", "spec", "template"}, []string{"spec"}, cronJob, true}},
	{"v1", 0, kind{"ReplicationController", []string{"spec", "template"}, []string{"spec"}, replicationController, true}},
	{"v1", 0, kind{"PodTemplate", []string{"template"}, []string{"template"}, other, false}},
}

// kindOf returns a kind that the minor serves, or nil.
func kindOf(m lifecycle.Minor, apiVersion, name string) *kind {
	for i := range kinds {
		k := &kinds[i]
		if k.name == name && k.apiVersion == apiVersion && (k.last == 0 || m <= k.last) {
			return &k.kind
		}
	}
	return nil
}

// Strategy returns the warnings that a server sends after validation about a Pod
// or an object with a pod template. It returns nil for minors before 1.22 and for
// kinds without pods. The server must accept the object. On update:
//
//   - The server checks the pod template only if the spec changed.
//   - It does not warn about a Pod.
//   - For a ReplicationController it warns about the old template.
//
// A field behind a disabled gate counts as absent in both objects, because the
// server has not stored it. Source: WarningsOnCreate and WarningsOnUpdate in
// pkg/registry/{core,apps,batch}/*/strategy.go (1.22–1.37).
func Strategy(s apiserver.Server, r apiserver.Request) []apiserver.Warning {
	k := kindOf(s.Minor, r.APIVersion, r.Kind)
	if k == nil || s.Minor < 22 || r.New == nil || r.New.Kind != wire.Map {
		return nil
	}
	w := writer{Server: s}
	if k.template != nil {
		w.prefix = strings.Join(k.template, ".") + "."
	}
	switch {
	case r.Old == nil:
		w.create(k, r.New)
	case k.name != "Pod":
		w.update(k, r)
	}
	return w.warnings
}

func (w *writer) create(k *kind, obj *wire.Value) {
	if k.namesPods {
		w.name(k, obj)
	}
	switch k.name {
	case "ReplicationController":
		if w.Minor < 27 {
			w.prefix = "template." // upstream's path lacks "spec" by mistake
		}
	case "Job", "CronJob":
		w.job(k, obj)
	}
	template := obj.At(k.template...)
	if k.name != "ReplicationController" || !template.IsNull() {
		w.podTemplate(template)
	}
	switch k.name {
	case "StatefulSet":
		w.statefulSet(obj, "")
	case "CronJob":
		// From 1.29 on, validation refuses a time zone here.
		if schedule := obj.At("spec", "schedule"); w.Minor < 29 && strings.Contains(schedule.StringOr(""), "TZ") {
			w.schedule(schedule)
		}
	}
}

func (w *writer) update(k *kind, r apiserver.Request) {
	if w.generationChanges(k, r) {
		template := r.New.At(k.template...)
		switch k.name {
		case "ReplicationController":
			// Upstream swaps the old and the new object.
			w.place = cmp.Or(template, r.New)
			template = r.Old.At(k.template...)
		case "Job", "CronJob":
			w.job(k, r.New)
		}
		if k.name != "ReplicationController" || !template.IsNull() {
			w.podTemplate(template)
		}
		w.place = nil
	}
	switch k.name {
	case "StatefulSet":
		w.statefulSet(r.New, ".Spec")
	case "CronJob":
		if schedule := r.New.At("spec", "schedule"); strings.Contains(schedule.StringOr(""), "TZ") {
			w.schedule(schedule)
		}
	}
}

// name warns about a name that is not a host name, from 1.27 on. For a generated
// name, it checks the prefix, cut to 58 characters. The random letters after it
// are always valid.
func (w *writer) name(k *kind, obj *wire.Value) {
	if w.Minor < 27 {
		return
	}
	at := obj.At("metadata", "name")
	name := at.StringOr("")
	if name == "" {
		const maxPrefix, random = 58, "xxxxx"
		at = obj.At("metadata", "generateName")
		if name = at.StringOr(""); name == "" {
			return
		}
		name = name[:min(len(name), maxPrefix)] + random
	}
	problems := validation.DNSLabel(w.Minor, name)
	if len(problems) == 0 {
		return
	}
	use := "in Pod names and hostnames"
	if k.name == "Pod" {
		use = "in the Pod's hostname"
	}
	w.warnField(apiserver.Advice, "metadata.name",
		"this is used "+use+", which can result in surprising behavior; a DNS label is recommended: ["+strings.Join(problems, " ")+"]", at)
}

// job warns about a Job's own fields. Source: WarningsForJobSpec in
// pkg/api/job/warnings.go (1.28–1.37).
func (w *writer) job(k *kind, obj *wire.Value) {
	const manyCompletions, muchParallelism = 100_000, 10_000
	path := k.template[:len(k.template)-1]
	spec := obj.At(path...)
	if w.Minor < 28 || spec.Get("completionMode").StringOr("") != "Indexed" {
		return
	}
	if completions := spec.Get("completions"); integer(completions) > manyCompletions && integer(spec.Get("parallelism")) > muchParallelism {
		w.warnField(apiserver.Advice, strings.Join(path, "."), "In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, "+
			"Kubernetes might not be able to track completedIndexes when a big number of indexes fail", completions)
	}
}

// statefulSet warns about fields of a StatefulSet outside of its pod template,
// even if an update does not change them. suffix is added to the path of a claim.
// It is not empty on update, which is upstream's mistake.
func (w *writer) statefulSet(obj *wire.Value, suffix string) {
	for i, claim := range obj.At("spec", "volumeClaimTemplates").Elements() {
		w.claimSpec(claim.Get("spec"), "spec.volumeClaimTemplates"+wire.Index(i)+suffix)
	}
	if limit := obj.At("spec", "revisionHistoryLimit"); w.Minor >= 33 && integer(limit) < 0 {
		w.warnField(apiserver.Advice, "spec.revisionHistoryLimit", "a negative value retains all historical revisions; a value >= 0 is recommended", limit)
	}
}

// schedule warns about a time zone in a CronJob's schedule. The wrong path in the
// text is upstream's mistake.
func (w *writer) schedule(at *wire.Value) {
	text := "cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead"
	if w.Minor < 29 {
		text = "CRON_TZ or TZ used in spec.spec.schedule is not officially supported"
	}
	w.warn(apiserver.Advice, "spec.schedule", text+", see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details", at)
}
