package conversion

import (
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Workloads of extensions/v1beta1, apps/v1beta1 and apps/v1alpha1 have other
// defaults than in apps/v1: k8s.io/kubernetes
// pkg/apis/{extensions/v1beta1,apps/v1beta1,apps/v1}/{defaults,conversion}.go
// (1.16–1.37). apps/v1beta2 has the same defaults as apps/v1.

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
	if !isMap(d.at(spec)) {
		return
	}
	before := len(d.steps)
	strategy := spec.Field("strategy")
	kind := d.at(strategy.Field("type"))
	if isEmpty(kind) || kind.Text == "RollingUpdate" || d.has(strategy.Field("rollingUpdate")) {
		d.pin(strategy.Field("rollingUpdate", "maxSurge"), number(1), "template")
		d.pin(strategy.Field("rollingUpdate", "maxUnavailable"), number(1), "")
	}
	d.pin(spec.Field("progressDeadlineSeconds"), number(unlimited), "template")
	d.pin(spec.Field("revisionHistoryLimit"), number(unlimited), "template")
	d.oldDefaults(before)
}

// appsDeployment converts a Deployment of apps/v1beta1.
func appsDeployment(d *draft, to destination) {
	deployment(d, to)
	before := len(d.steps)
	if isMap(d.at(Fields("spec"))) {
		d.pin(Fields("spec", "revisionHistoryLimit"), number(2), "template")
	}
	d.oldDefaults(before)
}

// oldDefaults adds a note about the defaults that the steps from an index on
// write out.
func (d *draft) oldDefaults(from int) {
	var names []string
	for _, s := range d.steps[from:] {
		names = append(names, s.Path.String())
	}
	if len(names) > 0 {
		d.note("The old version's defaults are written out where apps/v1 has others: %s. Take them out to have the new ones.", strings.Join(names, ", "))
	}
}

func deployment(d *draft, _ destination) {
	labelled(d)
	spec := Fields("spec")
	// Servers store a requested rollback in an annotation. The deployment
	// controller then executes it.
	if to := spec.Field("rollbackTo"); d.has(to) {
		revision := "0"
		if v := d.at(to.Field("revision")); !v.IsNull() {
			revision = v.Text
		}
		d.note("spec.rollbackTo asks for a rollback to revision %s when it is applied, and so does the annotation that takes its place: take it out if that is not wanted.", revision)
		d.remove(to)
		d.set(Fields("metadata", "annotations", rollbackAnnotation), text(revision), "")
	} else {
		d.remove(to)
		// Servers ignore the annotation in the old version, but not in the new
		// one.
		if annotation := Fields("metadata", "annotations", rollbackAnnotation); d.at(annotation) != nil {
			d.remove(annotation)
			d.removeEmpty(annotation.Parent())
		}
	}
}

func daemonSet(d *draft, _ destination) {
	labelled(d)
	spec := Fields("spec")
	annotation := Fields("metadata", "annotations", generationAnnotation)
	if v := d.at(spec.Field("templateGeneration")); !isEmpty(v) {
		d.set(annotation, text(v.Text), "")
	} else if d.at(annotation) != nil {
		// Servers ignore the annotation in the old version, but not in the new
		// one.
		d.remove(annotation)
		d.removeEmpty(annotation.Parent())
	}
	d.remove(spec.Field("templateGeneration"))
	onDelete(d)
}

func replicaSet(d *draft, _ destination) { labelled(d) }

func statefulSet(d *draft, _ destination) {
	labelled(d)
	onDelete(d)
}

// onDelete writes out the old default update strategy, with which pods are
// replaced only after they are deleted.
func onDelete(d *draft) {
	strategy := Fields("spec", "updateStrategy")
	if isEmpty(d.at(strategy.Field("type"))) {
		d.set(strategy.Field("type"), text("OnDelete"), "template")
		d.note("The old version replaces pods only when they are deleted (updateStrategy OnDelete); this is kept, and is seldom what is wanted: the new version's default is RollingUpdate.")
	}
}

// labelled writes out the selector and the labels of the object. In the old
// versions they default to the labels of the pod template.
func labelled(d *draft) {
	spec := Fields("spec")
	labels := d.at(spec.Field("template", "metadata", "labels"))
	if !isMap(labels) {
		return
	}
	if !d.has(spec.Field("selector")) {
		d.set(spec.Field("selector"), object("matchLabels", bare(labels)), "template")
		d.note("The selector is what servers made of the labels of the pod template; apps/v1 wants it written, and never lets it be changed.")
	}
	own := d.at(Fields("metadata", "labels"))
	if len(labels.Fields) > 0 && (own.IsNull() || isMap(own) && len(own.Fields) == 0) {
		d.set(Fields("metadata", "labels"), bare(labels), "")
	}
}

// bare returns a copy of a map of strings in which null is replaced by "".
func bare(v *wire.Value) *wire.Value {
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
