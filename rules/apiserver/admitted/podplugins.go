//go:build !js

package admitted

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/kubevet/kubevet/rules/apiserver"
)

type podPlugins struct {
	apiserver.Server
	around  *Around
	pod     *corev1.Pod
	unknown []string
}

func (p *podPlugins) admit(old *corev1.Pod) {
	if old != nil {
		p.keepPriority(old)
		p.tolerateOutages()
		return
	}
	for _, limits := range p.around.limits[namespaceOf(p.pod)] {
		p.applyLimits(limits)
	}
	p.useServiceAccount()
	p.setPriority()
	p.tolerateOutages()
	p.useRuntimeClass()
	p.copyTopology()
}

// applyLimits sets requests and limits from a LimitRange, as the plugin
// LimitRanger does (plugin/pkg/admission/limitranger/admission.go).
func (p *podPlugins) applyLimits(limits *corev1.LimitRange) {
	requests, defaultLimits := corev1.ResourceList{}, corev1.ResourceList{}
	for i := range limits.Spec.Limits {
		if limit := &limits.Spec.Limits[i]; limit.Type == corev1.LimitTypeContainer {
			maps.Copy(requests, limit.DefaultRequest)
			maps.Copy(defaultLimits, limit.Default)
		}
	}
	var notes []string
	addDefaults := func(c *corev1.Container, what string) {
		limited, requested := addNamed(ensure(&c.Resources.Limits), defaultLimits), addNamed(ensure(&c.Resources.Requests), requests)
		if requested != "" {
			notes = append(notes, requested+" request for "+what+" "+c.Name)
		}
		if limited != "" {
			notes = append(notes, limited+" limit for "+what+" "+c.Name)
		}
	}
	for i := range p.pod.Spec.Containers {
		addDefaults(&p.pod.Spec.Containers[i], "container")
	}
	for i := range p.pod.Spec.InitContainers {
		addDefaults(&p.pod.Spec.InitContainers[i], "init container")
	}
	if len(notes) > 0 {
		setLabel(&p.pod.Annotations, "kubernetes.io/limit-ranger", "LimitRanger plugin set: "+strings.Join(notes, "; "))
	}
}

// addNamed calls addMissing and returns the names of the added resources.
func addNamed(to, from corev1.ResourceList) string {
	var names []string
	for name := range from {
		if _, ok := to[name]; !ok {
			names = append(names, string(name))
		}
	}
	addMissing(to, from)
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// tokenPath is the directory where containers find the token of their service
// account.
const tokenPath = "/var/run/secrets/kubernetes.io/serviceaccount"

// tokenPrefix is the beginning of the name of the volume with the token.
const tokenPrefix = "kube-api-access-"

// useServiceAccount sets the service account of a Pod and mounts its token, as
// the plugin ServiceAccount does
// (plugin/pkg/admission/serviceaccount/admission.go). The account "default"
// exists in every namespace, because a controller creates it.
func (p *podPlugins) useServiceAccount() {
	spec := &p.pod.Spec
	if _, mirror := p.pod.Annotations[corev1.MirrorPodAnnotationKey]; mirror {
		return
	}
	if spec.ServiceAccountName == "" {
		spec.ServiceAccountName, spec.DeprecatedServiceAccount = "default", "default"
	}
	account := p.around.accounts[inNamespace{namespaceOf(p.pod), spec.ServiceAccountName}]
	known := account != nil || spec.ServiceAccountName == "default"
	if account == nil {
		account = &corev1.ServiceAccount{}
	}
	mount := spec.AutomountServiceAccountToken
	if mount == nil {
		mount = account.AutomountServiceAccountToken
	}
	if mount == nil || *mount {
		p.mountToken(!known && spec.AutomountServiceAccountToken == nil)
	}
	if len(spec.ImagePullSecrets) > 0 {
		return
	}
	if !known {
		p.unknown = append(p.unknown, "spec.imagePullSecrets")
	}
	spec.ImagePullSecrets = nil
	for _, secret := range account.ImagePullSecrets {
		spec.ImagePullSecrets = append(spec.ImagePullSecrets, corev1.LocalObjectReference{Name: secret.Name})
	}
}

// mountToken adds the volume with the token and mounts it. The volume's random
// name is unknown. If the account may forbid the mount, the whole volume is
// unknown.
func (p *podPlugins) mountToken(mayBeForbidden bool) {
	spec := &p.pod.Spec
	suffix := ".name"
	if mayBeForbidden {
		suffix = ""
	}
	invented := tokenPrefix + placeholder
	name := invented
	named := slices.IndexFunc(spec.Volumes, func(v corev1.Volume) bool { return strings.HasPrefix(v.Name, tokenPrefix) })
	if named >= 0 {
		name = spec.Volumes[named].Name
	}
	mounted := false
	mount := func(path string, c *corev1.Container) {
		if slices.ContainsFunc(c.VolumeMounts, func(m corev1.VolumeMount) bool { return m.MountPath == tokenPath }) {
			return
		}
		mounted = true
		c.VolumeMounts = append(c.VolumeMounts, corev1.VolumeMount{Name: name, ReadOnly: true, MountPath: tokenPath})
		if name == invented || mayBeForbidden {
			p.unknown = append(p.unknown, item(path+".volumeMounts", len(c.VolumeMounts)-1)+suffix)
		}
	}
	for i := range spec.InitContainers {
		mount(item("spec.initContainers", i), &spec.InitContainers[i])
	}
	for i := range spec.Containers {
		mount(item("spec.containers", i), &spec.Containers[i])
	}
	if named >= 0 || !mounted {
		return
	}
	spec.Volumes = append(spec.Volumes, corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{Projected: tokenVolume()}})
	p.unknown = append(p.unknown, item("spec.volumes", len(spec.Volumes)-1)+suffix)
}

func tokenVolume() *corev1.ProjectedVolumeSource {
	return &corev1.ProjectedVolumeSource{
		DefaultMode: new(corev1.ProjectedVolumeSourceDefaultMode),
		Sources: []corev1.VolumeProjection{
			{ServiceAccountToken: &corev1.ServiceAccountTokenProjection{Path: "token", ExpirationSeconds: new(int64(60*60 + 7))}},
			{ConfigMap: &corev1.ConfigMapProjection{
				LocalObjectReference: corev1.LocalObjectReference{Name: "kube-root-ca.crt"},
				Items:                []corev1.KeyToPath{{Key: "ca.crt", Path: "ca.crt"}},
			}},
			{DownwardAPI: &corev1.DownwardAPIProjection{Items: []corev1.DownwardAPIVolumeFile{{
				Path: "namespace", FieldRef: &corev1.ObjectFieldSelector{APIVersion: "v1", FieldPath: "metadata.namespace"},
			}}}},
		},
	}
}

// systemPriorities are the values of the priority classes that exist on every
// server.
var systemPriorities = map[string]int32{"system-cluster-critical": 2000000000, "system-node-critical": 2000001000}

// priority runs the plugin Priority
// (plugin/pkg/admission/priority/admission.go). It sets the fields of a Pod or
// a group of Pods from a priority class. If the class is not known, it sets
// placeholders, and known is false.
func (a *Around) priority(name *string, value **int32) (policy *corev1.PreemptionPolicy, known bool) {
	policy = new(corev1.PreemptLowerPriority)
	*value = new(int32(0))
	switch class := a.priorities[*name]; {
	case *name == "" && a.anyPriority != nil:
		*name, **value, policy = a.anyPriority.Name, a.anyPriority.Value, clone(a.anyPriority.PreemptionPolicy)
	case *name == "":
	case class != nil:
		**value, policy = class.Value, clone(class.PreemptionPolicy)
	case systemPriorities[*name] != 0:
		**value = systemPriorities[*name]
	default:
		return policy, false
	}
	return policy, true
}

func (p *podPlugins) setPriority() {
	spec := &p.pod.Spec
	policy, known := p.around.priority(&spec.PriorityClassName, &spec.Priority)
	if policy != nil {
		spec.PreemptionPolicy = policy
	}
	if !known {
		p.unknown = append(p.unknown, "spec.priority", "spec.preemptionPolicy")
	}
}

// keepPriority copies the priority of the stored Pod, as the plugin Priority does
// on update.
func (p *podPlugins) keepPriority(old *corev1.Pod) {
	if p.pod.Spec.Priority == nil {
		p.pod.Spec.Priority = old.Spec.Priority
	}
	if p.pod.Spec.PreemptionPolicy == nil {
		p.pod.Spec.PreemptionPolicy = old.Spec.PreemptionPolicy
	}
}

// tolerateOutages adds the tolerations for nodes that are not ready or
// unreachable, as the plugin DefaultTolerationSeconds does
// (plugin/pkg/admission/defaulttolerationseconds/admission.go).
func (p *podPlugins) tolerateOutages() {
	tolerations := p.pod.Spec.Tolerations
	for _, key := range [...]string{corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable} {
		tolerated := slices.ContainsFunc(tolerations, func(t corev1.Toleration) bool {
			return (t.Key == key || t.Key == "") && (t.Effect == corev1.TaintEffectNoExecute || t.Effect == "")
		})
		if !tolerated {
			p.pod.Spec.Tolerations = append(p.pod.Spec.Tolerations, corev1.Toleration{
				Key: key, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: new(int64(300)),
			})
		}
	}
}

// useRuntimeClass copies the overhead and the scheduling rules of a runtime
// class, as the plugin RuntimeClass does
// (plugin/pkg/admission/runtimeclass/admission.go).
func (p *podPlugins) useRuntimeClass() {
	spec := &p.pod.Spec
	if spec.RuntimeClassName == nil {
		return
	}
	class := p.around.runtimes[*spec.RuntimeClassName]
	if class == nil {
		p.unknown = append(p.unknown, "spec.overhead", "spec.nodeSelector", "spec.tolerations")
		return
	}
	if class.Overhead != nil {
		spec.Overhead = class.Overhead.PodFixed.DeepCopy()
	}
	if class.Scheduling == nil {
		return
	}
	for key, value := range class.Scheduling.NodeSelector {
		setLabel(&spec.NodeSelector, key, value)
	}
	all := slices.Concat(spec.Tolerations, class.Scheduling.Tolerations)
	if len(all) > maxMerged {
		p.unknown = append(p.unknown, "spec.tolerations")
		return
	}
	spec.Tolerations = mergeTolerations(all)
}

// maxMerged is the highest number of tolerations that are compared pair by pair.
const maxMerged = 500

// mergeTolerations drops tolerations that another toleration includes. Source:
// MergeTolerations in pkg/util/tolerations/tolerations.go.
func mergeTolerations(all []corev1.Toleration) (merged []corev1.Toleration) {
	for i := range all {
		includes := func(other corev1.Toleration) bool { return toleratesAll(&other, &all[i]) }
		later := func(other corev1.Toleration) bool {
			return !equality.Semantic.DeepEqual(&other, &all[i]) && includes(other)
		}
		if !slices.ContainsFunc(merged, includes) && !slices.ContainsFunc(all[i+1:], later) {
			merged = append(merged, all[i])
		}
	}
	return merged
}

// toleratesAll reports whether a tolerates every taint that b tolerates.
func toleratesAll(a, b *corev1.Toleration) bool {
	switch {
	case equality.Semantic.DeepEqual(a, b):
		return true
	case b.Key != a.Key && (a.Key != "" || a.Operator != corev1.TolerationOpExists), b.Effect != a.Effect && a.Effect != "":
		return false
	case a.Effect == corev1.TaintEffectNoExecute && a.TolerationSeconds != nil &&
		(b.TolerationSeconds == nil || *b.TolerationSeconds > *a.TolerationSeconds):
		return false
	case a.Operator == corev1.TolerationOpEqual, a.Operator == "":
		return b.Operator == corev1.TolerationOpEqual && b.Value == a.Value
	}
	return a.Operator == corev1.TolerationOpExists
}

// copyTopology copies topology labels from the node of a Pod, as the plugin
// PodTopologyLabels does (plugin/pkg/admission/podtopologylabels/admission.go,
// 1.33–1.37).
func (p *podPlugins) copyTopology() {
	if p.pod.Spec.NodeName == "" || p.Minor < 33 || !p.Enabled("PodTopologyLabelsAdmission") {
		return
	}
	node := p.around.nodes[p.pod.Spec.NodeName]
	for _, key := range [...]string{corev1.LabelTopologyZone, corev1.LabelTopologyRegion} {
		if node == nil {
			p.unknown = append(p.unknown, `metadata.labels["`+key+`"]`)
		} else if value, ok := node.Labels[key]; ok {
			setLabel(&p.pod.Labels, key, value)
		}
	}
}
