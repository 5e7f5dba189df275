//go:build !js

package admitted

import (
	"slices"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"
	extensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/podsecurity"
)

// preparation prepares kinds whose strategies do more than set the generation and
// the status.
type preparation struct {
	apiserver.Server
	unknown []string
}

func (p *preparation) create(obj runtime.Object) {
	switch obj := obj.(type) {
	case *corev1.Pod:
		p.createPod(obj)
	case *corev1.Service:
		p.allocate(&obj.Spec)
	case *corev1.Namespace:
		obj.Status.Phase = corev1.NamespaceActive
		if !slices.Contains(obj.Spec.Finalizers, corev1.FinalizerKubernetes) {
			obj.Spec.Finalizers = append(obj.Spec.Finalizers, corev1.FinalizerKubernetes)
		}
		setLabel(&obj.Labels, corev1.LabelMetadataName, obj.Name)
	case *corev1.PersistentVolume:
		if p.Minor >= 31 || p.Minor >= 28 && p.Enabled("PersistentVolumeLastPhaseTransitionTime") {
			obj.Status.Phase = corev1.VolumePending
			obj.Status.LastPhaseTransitionTime = new(placeholderTime)
			p.unknown = append(p.unknown, "status.lastPhaseTransitionTime")
		}
	case *corev1.PersistentVolumeClaim:
		keepKnownSource(&obj.Spec, nil)
		copySource(&obj.Spec)
	case *corev1.ServiceAccount:
		for i := range obj.Secrets {
			obj.Secrets[i] = corev1.ObjectReference{Name: obj.Secrets[i].Name}
		}
	case *appsv1.DaemonSet:
		if n, _ := strconv.ParseInt(obj.Annotations[appsv1.DeprecatedTemplateGeneration], 10, 64); n < 1 {
			setLabel(&obj.Annotations, appsv1.DeprecatedTemplateGeneration, "1")
		}
	case *batchv1.Job:
		if p.dropJobFields(&obj.Spec); obj.Spec.ManualSelector == nil || !*obj.Spec.ManualSelector {
			p.selectPods(obj)
		}
	case *certificatesv1.CertificateSigningRequest:
		obj.Spec.Username, obj.Spec.UID, obj.Spec.Groups, obj.Spec.Extra = "", "", nil, nil
		p.unknown = append(p.unknown, "spec.username", "spec.uid", "spec.groups", "spec.extra")
	case *extensionsv1.CustomResourceDefinition:
		addStoredVersion(obj)
	}
}

func (p *preparation) update(obj, old runtime.Object) {
	switch obj := obj.(type) {
	case *corev1.Service:
		if old, ok := old.(*corev1.Service); ok {
			p.updateService(obj, old)
		}
	case *corev1.Namespace:
		if old, ok := old.(*corev1.Namespace); ok {
			obj.Spec.Finalizers = old.Spec.Finalizers
		}
		setLabel(&obj.Labels, corev1.LabelMetadataName, obj.Name)
	case *corev1.PersistentVolumeClaim:
		if old, ok := old.(*corev1.PersistentVolumeClaim); ok {
			keepKnownSource(&obj.Spec, old.Spec.DataSource)
			copySource(&obj.Spec)
		}
	case *corev1.Node:
		if old, ok := old.(*corev1.Node); ok {
			obj.Status = old.Status
		}
	case *corev1.ServiceAccount:
		for i := range obj.Secrets {
			obj.Secrets[i] = corev1.ObjectReference{Name: obj.Secrets[i].Name}
		}
	case *corev1.Pod:
		old, ok := old.(*corev1.Pod)
		if ok && obj.Spec.Resources == nil && p.Minor >= 37 && p.Enabled("PodLevelResourcesFixDefaulting") {
			obj.Spec.Resources = old.Spec.Resources.DeepCopy()
		}
	case *certificatesv1.CertificateSigningRequest:
		if old, ok := old.(*certificatesv1.CertificateSigningRequest); ok {
			obj.Spec = *old.Spec.DeepCopy()
		}
	case *appsv1.DaemonSet:
		old, ok := old.(*appsv1.DaemonSet)
		if !ok {
			return
		}
		n, _ := strconv.ParseInt(old.Annotations[appsv1.DeprecatedTemplateGeneration], 10, 64)
		if !equality.Semantic.DeepEqual(obj.Spec.Template, old.Spec.Template) {
			n++
		}
		setLabel(&obj.Annotations, appsv1.DeprecatedTemplateGeneration, strconv.FormatInt(n, 10))
	}
}

// createPod prepares a new Pod. Source: PrepareForCreate in
// pkg/registry/core/pod/strategy.go.
func (p *preparation) createPod(pod *corev1.Pod) {
	pod.Status.Phase = corev1.PodPending
	if p.Minor < 37 {
		pod.Status.QOSClass = qosClass(p.Server, &pod.Spec)
	}
	if len(pod.Spec.SchedulingGates) > 0 {
		pod.Status.Conditions = []corev1.PodCondition{{
			Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonSchedulingGated,
			Message: "Scheduling is blocked due to non-empty scheduling gates", LastTransitionTime: placeholderTime,
		}}
		p.unknown = append(p.unknown, "status.conditions[0].lastTransitionTime")
	}
	if affinity := pod.Spec.Affinity; affinity != nil && p.Minor >= 29 && p.Enabled("MatchLabelKeysInPodAffinity") {
		if affinity.PodAffinity != nil {
			matchTerms(affinity.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution, affinity.PodAffinity.PreferredDuringSchedulingIgnoredDuringExecution, pod.Labels)
		}
		if affinity.PodAntiAffinity != nil {
			matchTerms(affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution, affinity.PodAntiAffinity.PreferredDuringSchedulingIgnoredDuringExecution, pod.Labels)
		}
	}
	if p.Minor >= 34 && p.Enabled("MatchLabelKeysInPodTopologySpread") && p.Enabled("MatchLabelKeysInPodTopologySpreadSelectorMerge") {
		for i := range pod.Spec.TopologySpreadConstraints {
			c := &pod.Spec.TopologySpreadConstraints[i]
			matchKeys(c.LabelSelector, c.MatchLabelKeys, metav1.LabelSelectorOpIn, pod.Labels)
		}
	}
	podsecurity.CopyProfiles(p.Server, pod)
	if p.Minor >= 37 {
		if p.Enabled("PodLevelResources") && p.Enabled("PodLevelResourcesFixDefaulting") {
			defaultPodResources(p.Server, &pod.Spec)
		}
		pod.Status.QOSClass = qosClass(p.Server, &pod.Spec)
	}
}

func matchTerms(required []corev1.PodAffinityTerm, preferred []corev1.WeightedPodAffinityTerm, labels map[string]string) {
	addKeys := func(t *corev1.PodAffinityTerm) {
		matchKeys(t.LabelSelector, t.MatchLabelKeys, metav1.LabelSelectorOpIn, labels)
		matchKeys(t.LabelSelector, t.MismatchLabelKeys, metav1.LabelSelectorOpNotIn, labels)
	}
	for i := range preferred {
		addKeys(&preferred[i].PodAffinityTerm)
	}
	for i := range required {
		addKeys(&required[i])
	}
}

// matchKeys adds a requirement to a selector for each key of matchLabelKeys or
// mismatchLabelKeys that the pod has as a label.
func matchKeys(selector *metav1.LabelSelector, keys []string, operator metav1.LabelSelectorOperator, labels map[string]string) {
	if selector == nil {
		return
	}
	for _, key := range keys {
		if value, ok := labels[key]; ok {
			selector.MatchExpressions = append(selector.MatchExpressions, metav1.LabelSelectorRequirement{Key: key, Operator: operator, Values: []string{value}})
		}
	}
}

// keepKnownSource drops the data source of a claim unless the source is a claim
// or a snapshot.
func keepKnownSource(spec *corev1.PersistentVolumeClaimSpec, old *corev1.TypedLocalObjectReference) {
	source := spec.DataSource
	if old != nil || spec.DataSourceRef != nil || source == nil {
		return
	}
	group := ""
	if source.APIGroup != nil {
		group = *source.APIGroup
	}
	if !(source.Kind == "PersistentVolumeClaim" && group == "" || source.Kind == "VolumeSnapshot" && group == "snapshot.storage.k8s.io") {
		spec.DataSource = nil
	}
}

// copySource copies dataSource of a claim to dataSourceRef, or the other way
// round, if only one is set.
func copySource(spec *corev1.PersistentVolumeClaimSpec) {
	source, ref := spec.DataSource, spec.DataSourceRef
	switch {
	case source != nil && ref == nil:
		spec.DataSourceRef = &corev1.TypedObjectReference{APIGroup: clone(source.APIGroup), Kind: source.Kind, Name: source.Name}
	case source == nil && ref != nil && (ref.Namespace == nil || *ref.Namespace == ""):
		spec.DataSource = &corev1.TypedLocalObjectReference{APIGroup: clone(ref.APIGroup), Kind: ref.Kind, Name: ref.Name}
	}
}

func clone[T any](p *T) *T {
	if p == nil {
		return nil
	}
	return new(*p)
}

// dropJobFields drops the fields of a Job whose gates are off. The template of a
// CronJob keeps such fields.
func (p *preparation) dropJobFields(spec *batchv1.JobSpec) {
	if !p.Enabled("JobManagedBy") {
		spec.ManagedBy = nil
	}
	if !p.Enabled("JobSuccessPolicy") {
		spec.SuccessPolicy = nil
	}
	if !p.Enabled("JobPodFailurePolicy") {
		spec.PodFailurePolicy = nil
	}
	if !p.Enabled("JobPodReplacementPolicy") {
		spec.PodReplacementPolicy = nil
	}
	if p.Enabled("JobBackoffLimitPerIndex") {
		return
	}
	spec.BackoffLimitPerIndex, spec.MaxFailedIndexes = nil, nil
	if spec.PodFailurePolicy == nil {
		return
	}
	spec.PodFailurePolicy.Rules = slices.DeleteFunc(spec.PodFailurePolicy.Rules, func(r batchv1.PodFailurePolicyRule) bool {
		return r.Action == batchv1.PodFailurePolicyActionFailIndex
	})
}

// selectPods sets the selector of a Job and the labels of its pod template, from
// the name and UID of the Job. Source: generateSelector in
// pkg/registry/batch/job/strategy.go.
func (p *preparation) selectPods(job *batchv1.Job) {
	names, uids := []string{"job-name", "batch.kubernetes.io/job-name"}, []string{"controller-uid", "batch.kubernetes.io/controller-uid"}
	selected := uids[1]
	if p.Minor < 27 {
		names, uids, selected = names[:1], uids[:1], uids[0]
	}
	spec := &job.Spec
	set := func(labels *map[string]string, keys []string, value, path string, known bool) {
		for _, key := range keys {
			if _, given := (*labels)[key]; given {
				continue
			}
			_, shared := job.Labels[key]
			setLabel(labels, key, value)
			if known {
				continue
			}
			p.unknown = append(p.unknown, path+`["`+key+`"]`)
			if _, now := job.Labels[key]; now && !shared {
				p.unknown = append(p.unknown, `metadata.labels["`+key+`"]`)
			}
		}
	}
	const labels = "spec.template.metadata.labels"
	set(&spec.Template.Labels, names, job.Name, labels, !slices.Contains(p.unknown, "metadata.name"))
	set(&spec.Template.Labels, uids, placeholderUID, labels, false)
	if spec.Selector == nil {
		spec.Selector = &metav1.LabelSelector{}
	}
	set(&spec.Selector.MatchLabels, []string{selected}, placeholderUID, "spec.selector.matchLabels", false)
}
