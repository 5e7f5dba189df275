package apiserver

// PodSpecPath returns the path of the pod spec in a built-in kind, such as
// "spec.template.spec". ok is false for other kinds. It knows every version that
// a server from 1.16 on can serve, even those that are off by default.
func PodSpecPath(apiVersion, kind string) (path string, ok bool) {
	for i := range workloads {
		if w := &workloads[i]; w.kind == kind && w.apiVersion == apiVersion {
			return w.path, true
		}
	}
	return "", false
}

// The paths of pod specs in objects with a pod template.
const (
	inTemplate    = "spec.template.spec"
	inJobTemplate = "spec.jobTemplate.spec.template.spec"
)

// workloads are the kinds of k8s.io/api that contain a PodSpec. It leaves out
// versions that no server has served since 1.15.
var workloads = [...]struct{ apiVersion, kind, path string }{
	{"v1", "Pod", "spec"},
	{"v1", "PodTemplate", "template.spec"},
	{"v1", "ReplicationController", inTemplate},
	{"apps/v1", "Deployment", inTemplate},
	{"apps/v1", "StatefulSet", inTemplate},
	{"apps/v1", "DaemonSet", inTemplate},
	{"apps/v1", "ReplicaSet", inTemplate},
	{"batch/v1", "Job", inTemplate},
	{"batch/v1", "CronJob", inJobTemplate},
	{"batch/v1beta1", "CronJob", inJobTemplate},
	{"batch/v2alpha1", "CronJob", inJobTemplate},
	{"apps/v1beta2", "Deployment", inTemplate},
	{"apps/v1beta2", "StatefulSet", inTemplate},
	{"apps/v1beta2", "DaemonSet", inTemplate},
	{"apps/v1beta2", "ReplicaSet", inTemplate},
	{"apps/v1beta1", "Deployment", inTemplate},
	{"apps/v1beta1", "StatefulSet", inTemplate},
	{"extensions/v1beta1", "Deployment", inTemplate},
	{"extensions/v1beta1", "DaemonSet", inTemplate},
	{"extensions/v1beta1", "ReplicaSet", inTemplate},
}
