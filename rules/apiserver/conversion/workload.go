package conversion

import (
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Workloads of extensions/v1beta1, apps/v1beta1 and apps/v1alpha1 have other
// defaults than in apps/v1. apps/v1beta2 has the defaults of apps/v1. Source:
// k8s.io/kubernetes
// pkg/apis/{extensions/v1beta1,apps/v1beta1,apps/v1}/{defaults,conversion}.go
// (1.16–1.37).

// unlimited is the default of progressDeadlineSeconds and revisionHistoryLimit in
// an extensions/v1beta1 Deployment.
const unlimited = 1<<31 - 1

const (
	rollbackAnnotation   = "deprecated.deployment.rollback.to"
	generationAnnotation = "deprecated.daemonset.template.generation"
)

// extensionsDeployment converts a Deployment of extensions/v1beta1.
func extensionsDeployment(d *draft, to destination) {
	deployment(d, to)
	spec := Fields("spec")
	if !isMap(d.value(spec)) {
		return
	}
	before := len(d.steps)
	strategy := spec.Field("strategy")
	kind := d.value(strategy.Field("type"))
	if isEmpty(kind) || kind.Text == "RollingUpdate" || d.has(strategy.Field("rollingUpdate")) {
		d.writeDefault(strategy.Field("rollingUpdate", "maxSurge"), number(1), "template")
		d.writeDefault(strategy.Field("rollingUpdate", "maxUnavailable"), number(1), "")
	}
	d.writeDefault(spec.Field("progressDeadlineSeconds"), number(unlimited), "template")
	d.writeDefault(spec.Field("revisionHistoryLimit"), number(unlimited), "template")
	d.noteDefaults(before)
}

// appsDeployment converts a Deployment of apps/v1beta1.
func appsDeployment(d *draft, to destination) {
	deployment(d, to)
	before := len(d.steps)
	if isMap(d.value(Fields("spec"))) {
		d.writeDefault(Fields("spec", "revisionHistoryLimit"), number(2), "template")
	}
	d.noteDefaults(before)
}

// noteDefaults adds a note that lists the defaults in d.steps[from:].
func (d *draft) noteDefaults(from int) {
	var names []string
	for _, s := range d.steps[from:] {
		names = append(names, s.Path.String())
	}
	if len(names) > 0 {
		d.note("The old version's defaults are written out where apps/v1 has others: %s. Take them out to have the new ones.", strings.Join(names, ", "))
	}
}

func deployment(d *draft, _ destination) {
	writeLabels(d)
	spec := Fields("spec")
	// Servers store the requested rollback in an annotation. The deployment
	// controller executes it.
	if to := spec.Field("rollbackTo"); d.has(to) {
		revision := "0"
		if v := d.value(to.Field("revision")); !v.IsNull() {
			revision = v.Text
		}
		d.note("spec.rollbackTo asks for a rollback to revision %s when it is applied, and so does the annotation that takes its place: take it out if that is not wanted.", revision)
		d.remove(to)
		d.set(Fields("metadata", "annotations", rollbackAnnotation), text(revision), "")
	} else {
		d.remove(to)
		// Servers ignore the annotation in the old version, but not in the new
		// one.
		if annotation := Fields("metadata", "annotations", rollbackAnnotation); d.value(annotation) != nil {
			d.remove(annotation)
			d.removeEmpty(annotation.Parent())
		}
	}
}

func daemonSet(d *draft, _ destination) {
	writeLabels(d)
	spec := Fields("spec")
	annotation := Fields("metadata", "annotations", generationAnnotation)
	if v := d.value(spec.Field("templateGeneration")); !isEmpty(v) {
		d.set(annotation, text(v.Text), "")
	} else if d.value(annotation) != nil {
		// Servers ignore the annotation in the old version, but not in the new
		// one.
		d.remove(annotation)
		d.removeEmpty(annotation.Parent())
	}
	d.remove(spec.Field("templateGeneration"))
	writeOnDelete(d)
}

func replicaSet(d *draft, _ destination) { writeLabels(d) }

func statefulSet(d *draft, _ destination) {
	writeLabels(d)
	writeOnDelete(d)
}

// writeOnDelete writes out the old default update strategy: a pod is replaced
// only after it is deleted.
func writeOnDelete(d *draft) {
	strategy := Fields("spec", "updateStrategy")
	if isEmpty(d.value(strategy.Field("type"))) {
		d.set(strategy.Field("type"), text("OnDelete"), "template")
		d.note("The old version replaces pods only when they are deleted (updateStrategy OnDelete); this is kept, and is seldom what is wanted: the new version's default is RollingUpdate.")
	}
}

// writeLabels writes out the selector and the labels of the object. In the old
// versions, the labels of the pod template are the default for both.
func writeLabels(d *draft) {
	spec := Fields("spec")
	labels := d.value(spec.Field("template", "metadata", "labels"))
	if !isMap(labels) {
		return
	}
	if !d.has(spec.Field("selector")) {
		d.set(spec.Field("selector"), object("matchLabels", withoutNulls(labels)), "template")
		d.note("The selector is what servers made of the labels of the pod template; apps/v1 wants it written, and never lets it be changed.")
	}
	ownLabels := d.value(Fields("metadata", "labels"))
	if len(labels.Fields) > 0 && (ownLabels.IsNull() || isMap(ownLabels) && len(ownLabels.Fields) == 0) {
		d.set(Fields("metadata", "labels"), withoutNulls(labels), "")
	}
}

// withoutNulls returns a copy of a map of strings in which null is replaced by
// "".
func withoutNulls(v *wire.Value) *wire.Value {
	clone := &wire.Value{Kind: wire.Map}
	for _, f := range v.Fields {
		if f.Value.IsNull() {
			clone.Fields = append(clone.Fields, wire.Field{Name: f.Name, Value: text("")})
			continue
		}
		clone.Fields = append(clone.Fields, wire.Field{Name: f.Name, Value: f.Value})
	}
	return clone
}

// scale converts the Scale subresource of the old groups to autoscaling/v1.
// Servers read only its spec, so the status is removed.
func scale(d *draft, _ destination) { d.remove(Fields("status")) }
