// Package podsecurity predicts the answers of Pod Security Admission to pods, to
// kinds with pod templates, and to Namespaces.
//
// The library k8s.io/pod-security-admission decides which pods a policy allows.
// Its newest release has the policies of all releases by version. This package
// adds the differences of older servers (checks.go), the defaults and dropped
// fields of a pod (pod.go, prepare.go), and which requests are checked.
//
// A configuration file of the server can exempt namespaces, users or runtime
// classes, and set another default level than privileged. This package assumes
// that there is no such file.
package podsecurity

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// isChecked reports whether Pod Security Admission checks objects of a kind:
// pods, kinds with a pod template, and Namespaces. The server ignores the version
// of an API; isChecked is false for versions that no server with Pod Security
// serves. Source: defaultPodSpecResources in
// pod-security-admission/admission/admission.go.
func isChecked(apiVersion, kind string) bool {
	return apiVersion == "v1" && kind == "Namespace" || templatePath(apiVersion, kind) != nil
}

// templatePath returns the path from an object to the value with the metadata and
// spec of its pods. It is empty for a Pod, and nil for a kind without pods.
func templatePath(apiVersion, kind string) []string {
	switch apiVersion {
	case "v1":
		switch kind {
		case "Pod":
			return []string{}
		case "PodTemplate":
			return []string{"template"}
		case "ReplicationController":
			return []string{"spec", "template"}
		}
	case "apps/v1":
		switch kind {
		case "Deployment", "StatefulSet", "DaemonSet", "ReplicaSet":
			return []string{"spec", "template"}
		}
	case "batch/v1", "batch/v1beta1":
		switch {
		case kind == "CronJob":
			return []string{"spec", "jobTemplate", "spec", "template"}
		case kind == "Job" && apiVersion == "batch/v1":
			return []string{"spec", "template"}
		}
	}
	return nil
}

// enabled reports whether a server runs Pod Security Admission. The gate
// PodSecurity is off in 1.22, and on by default in 1.23 and 1.24. From 1.25 on
// there is no gate. Source:
// kubernetes/plugin/pkg/admission/security/podsecurity/admission.go.
func enabled(s apiserver.Server) bool {
	switch {
	case s.Minor < 22:
		return false
	case s.Minor < 25:
		return s.Enabled("PodSecurity")
	}
	return true
}

// Check returns the answer of Pod Security Admission to a request that validation
// accepted. The answer has either causes or warnings:
//
//   - One cause of code 403 if a pod violates the enforced policy. Its text is
//     the whole message.
//   - Causes of code 422 if a Namespace has invalid labels.
//   - Warnings, which the server sends after those of the object's strategy.
//
// labels are the labels of the object's namespace. They are ignored for a
// Namespace. NamespaceUpdate returns the warnings about the existing pods of a
// Namespace.
//
// Source: the Validate… functions in
// pod-security-admission/admission/admission.go, 1.22 to 1.37.
func Check(s apiserver.Server, labels map[string]string, r apiserver.Request) apiserver.Answer {
	if !isChecked(r.APIVersion, r.Kind) || !enabled(s) || r.New == nil || r.New.Kind != wire.Map {
		return apiserver.Answer{}
	}
	if r.Kind == "Namespace" {
		return apiserver.Answer{Causes: namespaceCauses(s, r)}
	}
	p, _ := policyOf(s.Minor, labels)
	isPod := r.Kind == "Pod"
	if p.Warn.Level == api.LevelPrivileged && (!isPod || p.Enforce.Level == api.LevelPrivileged) {
		return apiserver.Answer{} // the user sees nothing; audit annotations are in the server's log
	}
	path := templatePath(r.APIVersion, r.Kind)
	template := r.New.At(path...)
	if isPod && r.Old != nil && !isSignificantUpdate(s.Minor, r.Old, r.New) {
		return apiserver.Answer{}
	}
	if r.Kind == "ReplicationController" && template.IsNull() {
		return apiserver.Answer{} // the one kind whose template is a pointer; the server does not check for nil
	}
	meta, spec := podOf(s, template, r.Old.At(path...), isPod)

	evaluator := evaluatorFor(s)
	var enforced policy.AggregateCheckResult
	if isPod {
		enforced = policy.AggregateCheckResults(evaluator.EvaluatePod(p.Enforce, meta, spec))
		if !enforced.Allowed {
			text := forbidden(s.Minor, r, p.Enforce, &enforced)
			return apiserver.Answer{Causes: []apiserver.Cause{{Text: text, Code: http.StatusForbidden, At: findingPlace(template)}}}
		}
	}
	warned := enforced
	if !isPod || p.Warn != p.Enforce {
		warned = policy.AggregateCheckResults(evaluator.EvaluatePod(p.Warn, meta, spec))
	}
	if warned.Allowed {
		return apiserver.Answer{}
	}
	text := fmt.Sprintf("would violate PodSecurity %q: %s", p.Warn, warned.ForbiddenDetail())
	if s.Minor == 22 {
		text = fmt.Sprintf("would violate %q version of %q PodSecurity profile: %s", p.Warn.Version, p.Warn.Level, warned.ForbiddenDetail())
	}
	field := strings.Join(append(path, "spec"), ".")
	return apiserver.Answer{Warnings: []apiserver.Warning{{Field: field, Text: text, At: findingPlace(template), Class: apiserver.PodSecurity}}}
}

// forbidden returns the message of the answer with code 403, with the name of the
// object unless the server generates the name.
func forbidden(minor lifecycle.Minor, r apiserver.Request, lv api.LevelVersion, result *policy.AggregateCheckResult) string {
	if minor == 22 {
		return result.ForbiddenDetail()
	}
	subject := "pods"
	if name := r.New.At("metadata", "name").StringOr(""); name != "" {
		subject += " " + strconv.Quote(name)
	}
	return fmt.Sprintf("%s is forbidden: violates PodSecurity %q: %s", subject, lv, result.ForbiddenDetail())
}

// findingPlace returns the value to which a finding points: the pod spec, or the
// value that lacks it.
func findingPlace(template *wire.Value) *wire.Value {
	if spec := template.Get("spec"); !spec.IsNull() {
		return spec
	}
	return template
}

// isSignificantUpdate reports whether the server checks a pod again on this
// update. Changed seccomp annotations count, too: the pod's up to 1.24, its
// containers' up to 1.26. Source: isSignificantPodUpdate.
func isSignificantUpdate(minor lifecycle.Minor, old, new *wire.Value) bool {
	annotation := func(v *wire.Value, key string) string {
		return v.At("metadata", "annotations").Get(key).StringOr("")
	}
	if minor <= 24 && annotation(old, corev1.SeccompPodAnnotationKey) != annotation(new, corev1.SeccompPodAnnotationKey) {
		return true
	}
	changed := func(c, oldC *wire.Value) bool {
		if c.Get("image").StringOr("") != oldC.Get("image").StringOr("") {
			return true
		}
		key := corev1.SeccompContainerAnnotationKeyPrefix + c.Get("name").StringOr("")
		return minor <= 26 && annotation(old, key) != annotation(new, key)
	}
	for _, list := range [...]string{"containers", "initContainers"} {
		now, oldContainers := new.At("spec", list).Elements(), old.At("spec", list).Elements()
		if len(now) != len(oldContainers) {
			return true
		}
		for i := range now {
			if changed(now[i], oldContainers[i]) {
				return true
			}
		}
	}
	oldContainers := map[string]*wire.Value{}
	for _, c := range old.At("spec", "ephemeralContainers").Elements() {
		if name := c.Get("name").StringOr(""); oldContainers[name] == nil {
			oldContainers[name] = c
		}
	}
	for _, c := range new.At("spec", "ephemeralContainers").Elements() {
		if oldC := oldContainers[c.Get("name").StringOr("")]; oldC == nil || changed(c, oldC) {
			return true
		}
	}
	return false
}

// podOf returns the pod of a template with defaults, as the strategy prepares it.
// old is the stored template, or nil. Additions of admission plugins, such as the
// volume with the service account's token, are missing, because all levels allow
// them.
func podOf(s apiserver.Server, template, old *wire.Value, isPod bool) (*metav1.ObjectMeta, *corev1.PodSpec) {
	rd := reader{minor: s.Minor}
	meta := rd.meta(template.Get("metadata"))
	spec := rd.podSpec(template.Get("spec"))
	setDefaults(s, spec, isPod)
	var storedMeta *metav1.ObjectMeta
	var stored *corev1.PodSpec
	if !old.IsNull() {
		storedMeta = rd.meta(old.Get("metadata"))
		stored = rd.podSpec(old.Get("spec"))
	}
	dropDisabled(s, spec, stored)
	if isPod {
		sync := syncer{minor: s.Minor, meta: meta, stored: storedMeta}
		sync.seccomp(spec)
		sync.appArmor(s, spec)
	}
	return meta, spec
}
