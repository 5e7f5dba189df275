package validation

import (
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// job checks a Job. If spec.manualSelector is not true, the server derives the
// selector from the object's UID, which cannot be known here. Source:
// ValidateJobCreate and ValidateJobUpdate in pkg/apis/batch/validation.
func (v *validator) job(obj node) {
	manual := obj.get("spec").isTrue("manualSelector")
	labelled := obj
	if v.req.Old == nil && !manual {
		labelled = v.namedPods(obj)
	}
	v.metadata(v.defaultLabels(labelled), true, subdomainErrors)
	spec := labelled.get("spec")
	selector, template := spec.get("selector"), obj.at("spec", "template")
	if v.req.Old == nil && !manual {
		v.generatedLabels(obj, template)
		v.generatedSelector(obj, selector)
	}
	v.jobSpec(spec, true)
	switch {
	case v.req.Old != nil: // the stored selector matches the template
	case manual:
		if !selector.isSet() {
			v.required(selector, "")
		} else {
			v.labelSelector(selector)
		}
		if v.isParsable(selector) && !selects(selector, template.at("metadata", "labels")) {
			v.templateMatches(template, selector)
		}
	default:
		v.labelSelector(selector)
		if selector.isSet() && v.isParsable(selector) && !selects(selector, withGenerated(obj, template.at("metadata", "labels"))) {
			v.templateMatches(template, selector)
			v.inexact()
		}
	}
	v.indexedName(obj, spec)
	if v.req.Old != nil {
		v.jobUpdate(spec)
	}
}

// namedPods returns the job with the labels that the strategy adds to the pod
// template. If the job's name is a valid label value, these labels cause no error,
// and namedPods returns the job unchanged.
func (v *validator) namedPods(obj node) node {
	template := obj.v.At("spec", "template")
	if template == nil || template.Kind != wire.Map || len(labelValueErrors(v.minor, obj.at("metadata").str("name"))) == 0 {
		return obj
	}
	labels := withGenerated(obj, obj.at("spec", "template", "metadata", "labels")).v
	meta := &wire.Value{Kind: wire.Map}
	if m := template.Get("metadata"); m != nil && m.Kind == wire.Map {
		meta = without(m, "labels")
	}
	meta.Fields = append(meta.Fields, wire.Field{Name: "labels", Value: labels})
	t := without(template, "metadata")
	t.Fields = append(t.Fields, wire.Field{Name: "metadata", Value: meta})
	return obj.with("spec", root(obj.v.Get("spec")).with("template", t).v)
}

// defaultLabels returns the object with the labels of its template if the object
// has none. Source: SetDefaults_Job and SetDefaults_ReplicationController.
func (v *validator) defaultLabels(obj node) node {
	labels := obj.v.At("spec", "template", "metadata", "labels")
	meta := obj.v.Get("metadata")
	if v.req.Old != nil || isEmpty(labels) || !isEmpty(meta.Get("labels")) || meta == nil || meta.Kind != wire.Map {
		return obj
	}
	m := without(meta, "labels")
	m.Fields = append(m.Fields, wire.Field{Name: "labels", Value: labels})
	return obj.with("metadata", m)
}

// withGenerated returns a template's labels and the labels that the strategy
// adds.
func withGenerated(obj, labels node) node {
	m := &wire.Value{Kind: wire.Map}
	if labels.isSet() {
		c := *labels.v
		m = &c
		m.Fields = append([]wire.Field(nil), m.Fields...)
	}
	for _, k := range []string{"job-name", "batch.kubernetes.io/job-name"} {
		if m.Get(k) == nil {
			m.Fields = append(m.Fields, wire.Field{Name: k, Value: &wire.Value{Kind: wire.String, Text: obj.at("metadata").str("name")}})
		}
	}
	labels.v = m
	return labels
}

// generatedLabels checks the labels that the server's strategy adds to the pods
// of a job. A label that the template already has must have the value that the
// strategy would set. Source: ValidateHasLabel.
func (v *validator) generatedLabels(obj, template node) {
	labels := template.at("metadata", "labels")
	name := obj.at("metadata").str("name")
	check := func(key, want string) {
		got := labels.v.Get(key)
		if got == nil || want == got.StringOr("") && want != "" {
			return
		}
		n := node{owner: got, p: labels.p.key(key)}
		shown := want
		if want == "" {
			shown = "…"
		}
		v.invalid(n, v.stringMap(labels), "must be '"+shown+"'")
		v.inexact()
	}
	check("controller-uid", "")
	check("job-name", name)
	if v.minor >= 27 {
		check("batch.kubernetes.io/controller-uid", "")
		check("batch.kubernetes.io/job-name", name)
	}
}

// generatedSelector checks the selector of a new job without manualSelector. It adds
// an error if the selector needs labels that the server does not generate.
func (v *validator) generatedSelector(obj, selector node) {
	if !selector.isSet() || isEmptySelector(selector) || !v.isParsable(selector) {
		return
	}
	none := node{v: nil, owner: selector.owner, p: selector.p}
	if !selects(selector, withGenerated(obj, none)) {
		v.invalid(selector, v.selector(selector), "`selector` not auto-generated")
		v.inexact()
	}
}

// indexedName checks that the names of an indexed job's pods are valid. Source:
// validateNameAllowsCompletions (since 1.22).
func (v *validator) indexedName(obj, spec node) {
	n := spec.num("completions", 0)
	if !spec.has("completions") && !spec.has("parallelism") {
		n = 1
	}
	name := obj.at("metadata", "name")
	if v.minor < 22 || spec.str("completionMode") != "Indexed" || n <= 0 || v.req.Old != nil && v.minor < 32 {
		return
	}
	if host := name.text() + "-" + itoa(n-1); len(labelErrors(v.minor, host)) > 0 {
		v.invalidString(name, name.text(), []string{"will not able to create pod with invalid DNS label: " + host})
	}
}

// jobSpec checks the spec of a Job or, if isJob is false, of a CronJob's
// template, which gets no defaults. Source: validateJobSpec.
func (v *validator) jobSpec(spec node, isJob bool) {
	for _, field := range []string{"parallelism", "completions", "activeDeadlineSeconds", "backoffLimit", "ttlSecondsAfterFinished"} {
		v.nonnegative(spec.get(field))
	}
	// Only the strategy of Jobs drops fields behind disabled gates.
	gated := func(gate string, since lifecycle.Minor, field string) node {
		n := v.since(since, spec.get(field))
		if isJob {
			n = v.gated(gate, n)
		}
		return n
	}
	perIndex := gated("JobBackoffLimitPerIndex", 28, "backoffLimitPerIndex")
	failed := gated("JobBackoffLimitPerIndex", 28, "maxFailedIndexes")
	v.nonnegative(perIndex)
	v.nonnegative(failed)
	if failed.isSet() && !perIndex.isSet() {
		v.required(perIndex, "when maxFailedIndexes is specified")
	}
	if by := gated("JobManagedBy", 30, "managedBy"); by.isSet() {
		v.domainPath(by, by.text())
		if len(by.text()) > 63 {
			if v.minor < 32 {
				v.add(by, "Too long: may not be longer than 63")
			} else {
				v.tooLong(by, 63)
			}
		}
	}
	mode := spec.strOr("completionMode", "NonIndexed")
	if v.minor >= 21 {
		v.completionMode(spec, mode, perIndex, failed, isJob)
	}
	policy := gated("JobPodFailurePolicy", 25, "podFailurePolicy")
	if policy.isSet() {
		v.failurePolicy(spec, policy, perIndex.isSet(), isJob || v.minor >= 34)
	}
	if success := gated("JobSuccessPolicy", 30, "successPolicy"); success.isSet() {
		if mode != "Indexed" {
			v.invalid(success, v.dump("batch.SuccessPolicy{…}", success.v), "requires indexed completion mode")
			v.inexact()
		} else {
			v.successPolicy(spec, success)
		}
	}
	if p := gated("JobPodReplacementPolicy", 28, "podReplacementPolicy"); p.isSet() {
		if policy.isSet() {
			v.enum(p, p.text(), "Failed")
		} else {
			v.enum(p, p.text(), "Failed", "TerminatingOrFailed")
		}
	}
	template := spec.get("template")
	v.template(template, nil)
	restart := template.at("spec", "restartPolicy")
	switch p := restart.text(); {
	case p == "" || p == "Always":
		v.required(restart, `valid values: "OnFailure", "Never"`)
	case p != "OnFailure" && p != "Never":
		v.unsupported(restart, v.typed(p), "OnFailure", "Never")
	case policy.isSet() && p != "Never":
		v.invalid(restart, v.typed(p), `only "Never" is supported when podFailurePolicy is specified`)
	}
}

// completionMode checks completionMode and the fields that only indexed jobs can
// have.
func (v *validator) completionMode(spec node, mode string, perIndex, failed node, isJob bool) {
	n := spec.get("completionMode")
	completions, parallelism := spec.get("completions"), spec.get("parallelism")
	v.enum(n, mode, "NonIndexed", "Indexed")
	if mode != "Indexed" {
		if mode == "NonIndexed" {
			for _, field := range []node{perIndex, failed} {
				if i, ok := field.number(); ok {
					v.invalid(field, itoa(i), "requires indexed completion mode")
				}
			}
		}
		return
	}
	total, isGiven := completions.number()
	if isJob && !isGiven && !parallelism.isSet() { // both default to 1
		total, isGiven = 1, true
	}
	if !isGiven {
		v.required(completions, "when completion mode is Indexed")
	}
	parallel, _ := parallelism.number()
	if parallel > 100000 {
		v.invalid(parallelism, itoa(parallel), "must be less than or equal to 100000 when completion mode is Indexed")
	}
	count, limited := failed.number()
	if limited && isGiven && count > total {
		v.invalid(failed, itoa(count), "must be less than or equal to completions")
	}
	if limited && count > 100000 {
		v.invalid(failed, itoa(count), "must be less than or equal to 100000")
	}
	if isGiven && total > 100000 && perIndex.isSet() {
		const high = "must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index"
		if !limited {
			v.required(failed, "must be specified when completions is above 100000")
		}
		if parallel > 10000 {
			v.invalid(parallelism, itoa(parallel), high)
		}
		if count > 10000 {
			v.invalid(failed, itoa(count), high)
		}
	}
}

// jobUpdate checks that an update does not change immutable fields of a job. The
// server's text about the template contains the whole template.
func (v *validator) jobUpdate(spec node) {
	old := root(v.req.Old).get("spec")
	indexed := spec.str("completionMode") == "Indexed"
	if completions := spec.get("completions"); !same(completions.v, old.v.Get("completions")) {
		i, ok := completions.number()
		text := itoa(i)
		if !ok {
			text = "null"
		}
		switch {
		case !indexed || v.minor < 27:
			if !ok && !old.has("completions") || ok || spec.has("parallelism") {
				v.invalid(completions, text, "field is immutable")
			}
		case ok && i != spec.num("parallelism", 1):
			v.invalid(completions, text, "can only be modified in tandem with spec.parallelism")
		}
	}
	v.immutableTemplate(spec.get("template"), old)
	if mode := spec.strOr("completionMode", "NonIndexed"); mode != old.strOr("completionMode", "NonIndexed") {
		v.invalid(spec.get("completionMode"), v.typed(mode), "field is immutable")
	}
}

// immutableTemplate checks that an update does not change the lifecycle hooks of
// a job's template. The server's text contains the new template, in Go syntax up
// to 1.33 and as JSON later. Source: validatePodTemplateUpdate.
func (v *validator) immutableTemplate(template, old node) {
	if !v.lifecycleChanged(template.get("spec")) {
		return
	}
	value := "core.PodTemplateSpec{…}"
	if v.minor >= 34 {
		value = "{…}"
	}
	n := template
	if v.minor >= 35 && v.server.Enabled("MutablePodResourcesForSuspendedJobs") && old.isTrue("suspend") {
		n = n.withPath(n.p.child("spec")) // resources may change, so they are not compared
	}
	v.aboutHook(func() {
		v.invalid(n, value, "field is immutable")
		v.inexact()
	})
}
