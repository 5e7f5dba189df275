package apiserver

import (
	"strings"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

// workload is a built-in kind that holds a pod spec.
type workload struct {
	apiVersion, kind string
	// levels are the fields that lead from the object to its pod spec.
	levels []string
}

// PodSpecPath gives the place of the pod spec in a built-in kind, such as
// "spec.template.spec", and false for other kinds. It knows every version that
// a server from 1.16 on can serve, by default or if it is enabled.
func PodSpecPath(apiVersion, kind string) (path string, ok bool) {
	w := workloadOf(apiVersion, kind)
	if w == nil {
		return "", false
	}
	return w.path(), true
}

// path is where the pod spec is, in the server's notation.
func (w *workload) path() string {
	return strings.Join(w.levels, ".")
}

// isPod reports whether the pod spec is a pod's own, not a template's.
func (w *workload) isPod() bool { return len(w.levels) == 1 }

// servedBy reports whether a minor serves the version, by default or if it is
// enabled.
func (w *workload) servedBy(minor lifecycle.Minor) bool {
	api, ok := lifecycle.LookupGV(w.apiVersion, w.kind)
	return ok && api.Servable().Has(minor)
}

func workloadOf(apiVersion, kind string) *workload {
	for i := range workloads {
		if w := &workloads[i]; w.kind == kind && w.apiVersion == apiVersion {
			return w
		}
	}
	return nil
}

// workloads are the kinds of k8s.io/api with a PodSpec in their spec. The
// versions that nobody has served since 1.15 are left out.
var workloads = [...]workload{
	{"v1", "Pod", []string{"spec"}},
	{"v1", "PodTemplate", []string{"template", "spec"}},
	template("v1", "ReplicationController"),
	template("apps/v1", "Deployment"),
	template("apps/v1", "StatefulSet"),
	template("apps/v1", "DaemonSet"),
	template("apps/v1", "ReplicaSet"),
	template("batch/v1", "Job"),
	cronJob("batch/v1"),
	cronJob("batch/v1beta1"),
	cronJob("batch/v2alpha1"),
	template("apps/v1beta2", "Deployment"),
	template("apps/v1beta2", "StatefulSet"),
	template("apps/v1beta2", "DaemonSet"),
	template("apps/v1beta2", "ReplicaSet"),
	template("apps/v1beta1", "Deployment"),
	template("apps/v1beta1", "StatefulSet"),
	template("extensions/v1beta1", "Deployment"),
	template("extensions/v1beta1", "DaemonSet"),
	template("extensions/v1beta1", "ReplicaSet"),
}

// template is a workload with a pod template in its spec.
func template(apiVersion, kind string) workload {
	return workload{apiVersion, kind, []string{"spec", "template", "spec"}}
}

// cronJob is a CronJob.
func cronJob(apiVersion string) workload {
	return workload{apiVersion, "CronJob", []string{"spec", "jobTemplate", "spec", "template", "spec"}}
}
