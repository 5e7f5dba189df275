package podspec

import (
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// maxDepth and maxValues limit a search by shape: the depth of fields and the
// number of values. The deepest real pod spec is at depth 8, in a template in a
// list of templates.
const (
	maxDepth  = 24
	maxValues = 200_000
)

// byShape returns the pod specs in an object whose schema is unknown: maps that
// have only fields of a PodSpec, and whose containers have only fields of a
// Container. It finds the pod specs of an Argo Rollout, a Knative Service, a
// KEDA ScaledJob and a DeploymentConfig. It does not find the steps of a Tekton
// task, or the containers that a Prometheus resource merges into its pods.
func byShape(obj *wire.Value) []Spec {
	w := walk{remaining: maxValues}
	w.visit(obj, "", "", 0)
	return w.found
}

type walk struct {
	found     []Spec
	remaining int
}

// visit searches a value. parent is the name of the field that contains it.
func (w *walk) visit(v *wire.Value, path, parent string, depth int) {
	if w.remaining--; v == nil || w.remaining < 0 || depth > maxDepth {
		return
	}
	switch v.Kind {
	case wire.Map:
		if path != "" && isPodSpec(v, parent) {
			w.found = append(w.found, Spec{Path: path, Value: v})
			return
		}
		for i := range v.Fields {
			f := &v.Fields[i]
			if f.Value == nil || f.Value.Kind != wire.Map && f.Value.Kind != wire.List {
				continue
			}
			if depth == 0 && (f.Name == "metadata" || f.Name == "status") {
				continue
			}
			// The field around a template decides whether this spec is a pod spec.
			context := f.Name
			if f.Name == "spec" {
				context = parent
			}
			w.visit(f.Value, wire.Join(path, f.Name), context, depth+1)
		}
	case wire.List:
		for i, item := range v.Items {
			if item != nil && (item.Kind == wire.Map || item.Kind == wire.List) {
				w.visit(item, path+"["+strconv.Itoa(i)+"]", parent, depth+1)
			}
		}
	}
}

// isPodSpec reports whether a map looks like a pod spec. If no container has an
// image, parent must be the name of a pod or template, such as the podTemplate
// of an operator that adds the images.
func isPodSpec(v *wire.Value, parent string) bool {
	list := v.Get("containers")
	if list == nil || list.Kind != wire.List || len(list.Items) == 0 {
		return false
	}
	for i := range v.Fields {
		if name := v.Fields[i].Name; !podSpecFields[name] && !knativeFields[name] {
			return false
		}
	}
	images := false
	for _, c := range list.Items {
		if c == nil || c.Kind != wire.Map {
			return false
		}
		for i := range c.Fields {
			if !containerFields[c.Fields[i].Name] {
				return false
			}
		}
		name, image := c.Get("name").StringOr(""), c.Get("image").StringOr("")
		if name == "" && image == "" {
			return false
		}
		images = images || image != ""
	}
	return images || strings.HasPrefix(strings.ToLower(parent), "pod") || strings.HasSuffix(strings.ToLower(parent), "template")
}

// set returns the words of a text as the keys of a map.
func set(names string) map[string]bool {
	m := map[string]bool{}
	for _, name := range strings.Fields(names) {
		m[name] = true
	}
	return m
}

// podSpecFields are the fields of a PodSpec in all minors to 1.37
// (k8s.io/api/core/v1/types.go).
var podSpecFields = set(`
	activeDeadlineSeconds affinity automountServiceAccountToken containers
	dnsConfig dnsPolicy enableServiceLinks ephemeralContainers
	evictionResponders hostAliases hostIPC hostNetwork hostPID hostUsers
	hostname hostnameOverride imagePullSecrets initContainers nodeName
	nodeSelector os overhead preemptionPolicy priority priorityClassName
	readinessGates resourceClaims resources restartPolicy runtimeClassName
	schedulerName schedulingGates schedulingGroup securityContext
	serviceAccount serviceAccountName setHostnameAsFQDN
	shareProcessNamespace subdomain terminationGracePeriodSeconds tolerations
	topologySpreadConstraints volumes workloadRef`)

// knativeFields are the additional fields of a Knative RevisionSpec
// (knative.dev/serving/pkg/apis/serving/v1/revision_types.go).
var knativeFields = set(`
	containerConcurrency idleTimeoutSeconds responseStartTimeoutSeconds
	timeoutSeconds`)

// containerFields are the fields of a Container and of an EphemeralContainer in
// all minors to 1.37.
var containerFields = set(`
	args command env envFrom image imagePullPolicy lifecycle livenessProbe
	name ports readinessProbe resizePolicy resources restartPolicy
	restartPolicyRules securityContext startupProbe stdin stdinOnce
	targetContainerName terminationMessagePath terminationMessagePolicy tty
	volumeDevices volumeMounts workingDir`)
