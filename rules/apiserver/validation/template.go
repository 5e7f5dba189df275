package validation

import "slices"

// podObject checks a Pod. Source: validatePodMetadataAndSpec with
// ValidatePodCreate, and the same checks in ValidatePodUpdate.
func (v *validator) podObject(obj node) {
	spec, meta := obj.get("spec"), obj.get("metadata")
	v.metadata(obj, true, subdomainErrors)
	profiles := v.appArmorOf(meta, spec, v.req.Old == nil)
	v.addedAnnotations(meta.get("annotations"), spec, profiles)
	v.podAnnotations(meta.get("annotations"), spec)
	v.podSpec(spec, meta, true, nil)
	for _, field := range []string{"containers", "initContainers"} {
		for _, c := range spec.get(field).items {
			v.imageSpace(c)
		}
	}
	if v.req.Old != nil {
		v.podUpdate(obj)
		return
	}
	if list := spec.get("ephemeralContainers"); list.length() > 0 && (v.minor >= 25 || v.server.Enabled("EphemeralContainers")) {
		v.forbidden(list, "cannot be set on create")
	}
	if name := spec.get("nodeName"); name.text() != "" && v.gated("PodSchedulingReadiness", spec.get("schedulingGates")).length() > 0 {
		v.forbidden(name, "cannot be set until all schedulingGates have been cleared")
	}
	v.seccompMatches(meta, spec)
	v.appArmorMatches(spec, profiles)
}

// template checks a pod template. extra are volumes that the server adds to the
// template before validation. Source: ValidatePodTemplateSpec.
func (v *validator) template(t node, extra []node) {
	meta, spec := t.get("metadata"), t.get("spec")
	annotations := meta.get("annotations").withPath(t.p.child("annotations"))
	v.labels(meta.get("labels").withPath(t.p.child("labels")))
	v.annotations(annotations)
	v.podAnnotations(annotations, spec)
	v.podSpec(spec, meta, false, extra)
	v.seccompMatches(meta, spec)
	v.appArmorMatches(spec, v.appArmorOf(meta, spec, false))
	if list := spec.get("ephemeralContainers"); list.length() > 0 && (v.minor >= 25 || v.server.Enabled("EphemeralContainers")) {
		v.forbidden(list, "ephemeral containers not allowed in pod template")
	}
}

// alwaysRunning checks that a template of a long-running workload has the restart
// policy Always and no deadline. kind is the workload's kind in the error about a
// deadline. If kind is "", the deadline is not checked.
func (v *validator) alwaysRunning(t node, kind string) {
	spec := t.get("spec")
	if policy := spec.strOr("restartPolicy", "Always"); policy != "Always" {
		v.unsupported(spec.get("restartPolicy"), v.typed(policy), "Always")
	}
	if deadline := spec.get("activeDeadlineSeconds"); deadline.isSet() && kind != "" {
		detail := "activeDeadlineSeconds in " + kind + " is not Supported"
		if v.minor < deadlineNamesKind {
			detail = "must not be specified"
		}
		v.forbidden(deadline, detail)
	}
}

// deadlineNamesKind is the first minor whose error about a deadline names the
// kind.
const deadlineNamesKind = 19

// templateMatches adds an error if the selector does not match the labels of the
// template.
func (v *validator) templateMatches(t, selector node) {
	if labels := t.at("metadata", "labels"); !selects(selector, labels) {
		v.invalid(labels, v.stringMap(labels), "`selector` does not match template `labels`")
	}
}

// replicaTemplate checks the template of a workload with replicas. Source:
// ValidatePodTemplateSpecForReplicaSet.
func (v *validator) replicaTemplate(t, selector node, replicas int64, kind string) {
	if !selector.isSet() || !isEmptySelector(selector) {
		v.templateMatches(t, selector)
	}
	v.template(t, nil)
	if replicas > 1 {
		v.readOnlyDisks(t)
	}
	v.alwaysRunning(t, kind)
}

// readOnlyDisks checks that several replicas do not write to one disk, up to
// 1.30. Source: ValidateReadOnlyPersistentDisks.
func (v *validator) readOnlyDisks(t node) {
	if v.minor > 30 || v.minor >= 28 && v.server.Enabled("SkipReadOnlyValidationGCE") {
		return
	}
	writes := func(volume node) bool {
		disk := volume.get("gcePersistentDisk")
		return disk.isSet() && !disk.isTrue("readOnly")
	}
	if old := v.oldTemplate(t); v.minor >= 28 && slices.ContainsFunc(old, writes) {
		return
	}
	for _, volume := range t.at("spec", "volumes").items {
		if writes(volume) {
			v.invalid(volume.at("gcePersistentDisk", "readOnly"), "false", "must be true for replicated pods > 1; GCE PD can only be mounted on multiple machines if it is read-only")
		}
	}
}

// oldTemplate returns the volumes in the template of the stored object.
func (v *validator) oldTemplate(node) []node {
	var volumes []node
	for _, volume := range root(v.req.Old).at("spec", "template", "spec", "volumes").items {
		volumes = append(volumes, volume)
	}
	return volumes
}
