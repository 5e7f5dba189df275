package podsecurity

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// labelsOf returns the labels of an object that begin with
// pod-security.kubernetes.io/, or nil.
func labelsOf(obj *wire.Value) map[string]string {
	var all map[string]string
	if v := obj.At("metadata", "labels"); v != nil {
		for _, f := range v.Fields {
			if strings.HasPrefix(f.Name, api.AuditAnnotationPrefix) {
				if all == nil {
					all = map[string]string{}
				}
				all[f.Name] = f.Value.StringOr("")
			}
		}
	}
	return all
}

// namespaceCauses returns the errors in the labels of a Namespace. On update, it
// returns nil if the old labels had the same errors. Source: ValidateNamespace.
func namespaceCauses(s apiserver.Server, r apiserver.Request) []apiserver.Cause {
	_, errs := policyOf(s.Minor, labelsOf(r.New))
	if len(errs) == 0 {
		return nil
	}
	if r.Old != nil {
		_, before := policyOf(s.Minor, labelsOf(r.Old))
		if slices.EqualFunc(errs, before, func(a, b *field.Error) bool { return *a == *b }) {
			return nil
		}
	}
	if s.Minor == 22 {
		return []apiserver.Cause{{Text: alphaErrors(errs), Code: http.StatusUnprocessableEntity, At: r.New.At("metadata", "labels")}}
	}
	var causes []apiserver.Cause
	for _, e := range errs {
		label := e.Field[len("metadata.labels[") : len(e.Field)-1]
		causes = append(causes, apiserver.Cause{
			Field: e.Field, Text: e.ErrorBody(), Code: http.StatusUnprocessableEntity,
			At: r.New.At("metadata", "labels", label),
		})
	}
	return causes
}

// alphaErrors returns the message of 1.22, whose answer has no causes.
func alphaErrors(errs field.ErrorList) string {
	names := map[string]string{
		api.EnforceLevelLabel: "Enforce.Level", api.EnforceVersionLabel: "Enforce.Version",
		api.AuditLevelLabel: "Audit.Level", api.AuditVersionLabel: "Audit.Version",
		api.WarnLevelLabel: "Warn.Level", api.WarnVersionLabel: "Warn.Version",
	}
	var texts []string
	for _, e := range errs {
		label := e.Field[len("metadata.labels[") : len(e.Field)-1]
		texts = append(texts, names[label]+": "+e.Detail)
	}
	if len(texts) == 1 {
		return texts[0]
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// maxPods is the highest number of pods of a namespace that the server checks.
const maxPods = 3000

// NamespaceUpdate returns the warnings about existing pods that violate a newly
// enforced level. The server sends them if an update of a Namespace raises the
// level. Check must have accepted the update. pods are all pods of the namespace
// as the server returns them, in any order. The server's time limit is ignored.
//
// Source: EvaluatePodsInNamespace in
// pod-security-admission/admission/admission.go, 1.22 to 1.37.
func NamespaceUpdate(s apiserver.Server, r apiserver.Request, pods []*wire.Value) []apiserver.Warning {
	if !enabled(s) || r.APIVersion != "v1" || r.Kind != "Namespace" || r.Old == nil {
		return nil
	}
	now, _ := policyOf(s.Minor, labelsOf(r.New))
	before, _ := policyOf(s.Minor, labelsOf(r.Old))
	lv := now.Enforce
	if lv == before.Enforce || lv.Level == api.LevelPrivileged ||
		lv.Version == before.Enforce.Version && api.CompareLevels(lv.Level, before.Enforce.Level) < 1 {
		return nil
	}
	var texts []string
	if s.Minor == 22 {
		texts = alphaPods(s, lv, pods)
	} else {
		texts = violations(s, r.New.At("metadata", "name").StringOr(""), lv, pods)
	}
	at := r.New.At("metadata", "labels")
	if l := at.Get(api.EnforceLevelLabel); l != nil {
		at = l
	}
	var warnings []apiserver.Warning
	for _, t := range texts {
		warnings = append(warnings, apiserver.Warning{Text: t, At: at, Class: apiserver.PodSecurity})
	}
	return warnings
}

// reason returns the reason why a stored pod violates a policy, or "".
func reason(s apiserver.Server, lv api.LevelVersion, pod *wire.Value) string {
	rd := reader{minor: s.Minor}
	meta, spec := rd.meta(pod.Get("metadata")), rd.podSpec(pod.Get("spec"))
	setDefaults(s, spec, true)
	r := policy.AggregateCheckResults(evaluatorFor(s).EvaluatePod(lv, meta, spec))
	return r.ForbiddenReason()
}

// violations returns a headline, and a line for each reason with its pods.
func violations(s apiserver.Server, namespace string, lv api.LevelVersion, pods []*wire.Value) []string {
	type offenders struct {
		reason, first string // first is the first pod by name
		count         int
	}
	var all []*offenders
	byReason := map[string]*offenders{}
	pods = controllersFirst(pods)
	total := len(pods)
	pods = pods[:min(total, maxPods)]
	for _, pod := range pods {
		why := reason(s, lv, pod)
		if why == "" {
			continue
		}
		name := pod.At("metadata", "name").StringOr("")
		o := byReason[why]
		if o == nil {
			o = &offenders{reason: why, first: name}
			byReason[why] = o
			all = append(all, o)
		}
		o.first = min(o.first, name)
		o.count++
	}
	var texts, lines []string
	if len(pods) < total {
		texts = append(texts, fmt.Sprintf("new PodSecurity enforce level only checked against the first %d of %d existing pods", len(pods), total))
	}
	for _, o := range all {
		switch o.count {
		case 1:
			lines = append(lines, o.first+": "+o.reason)
		case 2:
			lines = append(lines, o.first+" (and 1 other pod): "+o.reason)
		default:
			lines = append(lines, fmt.Sprintf("%s (and %d other pods): %s", o.first, o.count-1, o.reason))
		}
	}
	if len(lines) > 0 {
		texts = append(texts, fmt.Sprintf("existing pods in namespace %q violate the new PodSecurity enforce level %q", namespace, lv))
	}
	slices.Sort(lines)
	return append(texts, lines...)
}

// controllersFirst puts the first pod of each controller in front of all other
// pods. Source: prioritizePods.
func controllersFirst(pods []*wire.Value) []*wire.Value {
	var first, others []*wire.Value
	seen := map[string]bool{}
	for _, pod := range pods {
		uid, owned := "", false
		for _, owner := range pod.At("metadata", "ownerReferences").Elements() {
			if owner.Get("controller").IsTrue() {
				uid, owned = owner.Get("uid").StringOr(""), true
				break
			}
		}
		if owned && seen[uid] {
			others = append(others, pod)
			continue
		}
		if owned {
			seen[uid] = true
		}
		first = append(first, pod)
	}
	return append(first, others...)
}

// alphaPods returns the warnings of 1.22, one for each pod, sorted by name. A
// server has the order of its cache.
func alphaPods(s apiserver.Server, lv api.LevelVersion, pods []*wire.Value) []string {
	pods = slices.SortedStableFunc(slices.Values(pods), func(a, b *wire.Value) int {
		return cmp.Compare(a.At("metadata", "name").StringOr(""), b.At("metadata", "name").StringOr(""))
	})
	var texts []string
	if len(pods) > maxPods {
		texts = append(texts, fmt.Sprintf("Large namespace: only checking the first %d of %d pods", maxPods, len(pods)))
		pods = pods[:maxPods]
	}
	for _, pod := range pods {
		if why := reason(s, lv, pod); why != "" {
			texts = append(texts, pod.At("metadata", "name").StringOr("")+": "+why)
		}
	}
	return texts
}
