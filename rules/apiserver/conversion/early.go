package conversion

import "github.com/kubevet/kubevet/rules/apiserver/wire"

// runtimeClass moves the fields of a v1alpha1 RuntimeClass out of its spec.
// Source: k8s.io/kubernetes pkg/apis/node/v1alpha1/conversion.go (1.16–1.23).
func runtimeClass(d *draft, _ destination) {
	spec := Fields("spec")
	d.move(spec.Field("runtimeHandler"), Fields("handler"))
	d.move(spec.Field("overhead"), Fields("overhead"))
	d.move(spec.Field("scheduling"), Fields("scheduling"))
	d.remove(spec)
}

// leaseCandidate converts a LeaseCandidate of v1alpha1 (1.31). Its list of
// strategies becomes one strategy.
func leaseCandidate(d *draft, _ destination) {
	listPath, fieldPath := Fields("spec", "preferredStrategies"), Fields("spec", "strategy")
	if d.length(listPath) > 1 {
		d.note("Only the first of spec.preferredStrategies is kept: the new version has one strategy.")
	}
	if d.length(listPath) > 0 {
		d.step(Step{Op: Move, Path: listPath, To: fieldPath, Value: d.value(listPath.Item(0))})
	} else {
		d.remove(listPath)
		d.manual("Write spec.strategy, such as OldestEmulationVersion: it is required.")
	}
	if isEmpty(d.value(Fields("spec", "binaryVersion"))) {
		d.manual("Write spec.binaryVersion: it is required.")
	}
}

// storageMigration converts a StorageVersionMigration of v1alpha1. Later versions
// lack spec.resource.version, the version in which v1alpha1 read the objects.
func storageMigration(d *draft, _ destination) {
	resource := Fields("spec", "resource")
	if d.has(resource.Field("version")) {
		d.note("spec.resource.version is left out: the storage version is migrated to, whatever version is read.")
	}
	d.remove(resource.Field("version"))
	d.remove(Fields("spec", "continueToken"))
}

// firstJob converts a Job of extensions/v1beta1 to batch/v1, where the server
// sets the selector. Servers up to 1.5 had the old version.
func firstJob(d *draft, _ destination) {
	auto := d.value(Fields("spec", "autoSelector"))
	if auto.IsNull() || auto.Text != "true" {
		if d.has(Fields("spec", "selector")) {
			d.set(Fields("spec", "manualSelector"), boolean(true), "selector")
			d.note("A selector of one's own is seldom wanted: without spec.selector and spec.manualSelector the server makes one that no other job's pods match.")
		}
	}
	d.remove(Fields("spec", "autoSelector"))
}

// firstWorkload converts a Workload of scheduling.k8s.io/v1alpha1 (1.35) to
// v1beta1 (1.37).
func firstWorkload(d *draft, _ destination) {
	d.rename(Fields("spec", "podGroups"), "podGroupTemplates")
	templates := Fields("spec", "podGroupTemplates")
	for i := range d.length(templates) {
		d.rename(templates.Item(i).Field("policy"), "schedulingPolicy")
	}
	d.note("Pods of 1.35 named their Workload themselves; now PodGroups stand between them, made from these templates.")
}

// workload converts a Workload of v1alpha2 (1.36) to v1beta1.
func workload(d *draft, _ destination) {
	templates := Fields("spec", "podGroupTemplates")
	for i := range d.length(templates) {
		disruptionMode(d, templates.Item(i).Field("disruptionMode"))
	}
}

// podGroup converts a PodGroup of v1alpha2 (1.36) to v1beta1 (1.37).
func podGroup(d *draft, _ destination) {
	spec := Fields("spec")
	old := spec.Field("podGroupTemplateRef", "workload")
	d.move(old.Field("workloadName"), spec.Field("workloadRef", "workloadName"))
	d.move(old.Field("podGroupTemplateName"), spec.Field("workloadRef", "templateName"))
	d.remove(spec.Field("podGroupTemplateRef"))
	disruptionMode(d, spec.Field("disruptionMode"))
}

// disruptionMode converts the disruption mode from a string to an object with a
// field for each mode.
func disruptionMode(d *draft, p Path) {
	v := d.value(p)
	if v == nil || v.Kind != wire.String {
		return
	}
	switch v.Text {
	case "Pod":
		d.set(p, object("single", object()), "")
	case "PodGroup":
		d.set(p, object("all", object()), "")
	default:
		d.manual("%s is %q, which the old version does not have.", p, v.Text)
	}
}
