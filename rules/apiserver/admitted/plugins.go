//go:build !js

package admitted

import (
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	resourcev1 "k8s.io/api/resource/v1"
	resourcev1alpha3 "k8s.io/api/resource/v1alpha3"
	resourcev1beta1 "k8s.io/api/resource/v1beta1"
	resourcev1beta2 "k8s.io/api/resource/v1beta2"
	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	storagev1 "k8s.io/api/storage/v1"
	storagev1beta1 "k8s.io/api/storage/v1beta1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubevet/kubevet/rules/apiserver"
)

// Plugins changes obj as the server's default mutating plugins do, before
// policies and webhooks. The plugins run in the order of
// pkg/kubeapiserver/options/plugins.go. Plugins also drops repeated owner
// references, as the server does before admission. old is nil on create. around
// is not changed.
//
// Plugins returns the paths of the fields whose values are not known. If the
// server certainly sets such a field, obj has a placeholder as its value. A
// path contains JSON field names, indices of list items or [*] for all items,
// and keys of maps. Examples are "spec.volumes[2].name" and
// `metadata.labels["controller-uid"]`.
//
// If around has no LimitRange for the namespace or no default PriorityClass,
// Plugins assumes that the cluster has none.
func Plugins(s apiserver.Server, around *Around, obj, old runtime.Object) (unknown []string) {
	if around == nil {
		around = &Around{}
	}
	unknown = []string{managedFields}
	if m, err := meta.Accessor(obj); err == nil {
		m.SetManagedFields(placeholderManaged(obj))
		m.SetOwnerReferences(withoutRepetitions(m.GetOwnerReferences()))
	}
	switch obj := obj.(type) {
	case *corev1.Pod:
		before, _ := old.(*corev1.Pod)
		p := podPlugins{Server: s, around: around, pod: obj}
		p.admit(before)
		return append(unknown, p.unknown...)
	case *schedulingv1alpha3.PodGroup:
		if old == nil && s.Minor >= 37 && s.Enabled("GenericWorkload") {
			addFinalizer(obj, podGroupFinalizer)
			unknown = append(unknown, groupPriority(s, around, &obj.Spec.PriorityClassName, &obj.Spec.Priority, &obj.Spec.PreemptionPolicy)...)
		}
	case *schedulingv1beta1.PodGroup:
		if old == nil && s.Minor >= 37 && s.Enabled("GenericWorkload") {
			addFinalizer(obj, podGroupFinalizer)
			unknown = append(unknown, groupPriority(s, around, &obj.Spec.PriorityClassName, &obj.Spec.Priority, &obj.Spec.PreemptionPolicy)...)
		}
	case *schedulingv1alpha3.CompositePodGroup:
		if old == nil && s.Minor >= 37 && s.Enabled("CompositePodGroup") {
			unknown = append(unknown, groupPriority(s, around, &obj.Spec.PriorityClassName, &obj.Spec.Priority, &obj.Spec.PreemptionPolicy)...)
		}
	case *resourcev1.DeviceTaintRule:
		unknown = append(unknown, unknownTime(obj.Spec.Taint.TimeAdded)...)
	case *resourcev1beta2.DeviceTaintRule:
		unknown = append(unknown, unknownTime(obj.Spec.Taint.TimeAdded)...)
	case *resourcev1alpha3.DeviceTaintRule:
		unknown = append(unknown, unknownTime(obj.Spec.Taint.TimeAdded)...)
	case *resourcev1.ResourceSlice, *resourcev1beta1.ResourceSlice, *resourcev1beta2.ResourceSlice:
		unknown = append(unknown, "spec.devices[*].taints[*].timeAdded", "spec.devices[*].basic.taints[*].timeAdded")
	case *corev1.Node:
		if old == nil {
			taintNode(&obj.Spec)
		}
	case *corev1.PersistentVolumeClaim:
		if old != nil {
			break
		}
		if !hasStorageClass(obj) {
			unknown = append(unknown, around.defaultStorageClass(&obj.Spec)...)
		}
		addFinalizer(obj, "kubernetes.io/pvc-protection")
	case *corev1.PersistentVolume:
		if old == nil {
			addFinalizer(obj, "kubernetes.io/pv-protection")
		}
	case *storagev1.VolumeAttributesClass, *storagev1beta1.VolumeAttributesClass:
		if old == nil && s.Minor >= 32 && s.Enabled("VolumeAttributesClass") {
			addFinalizer(obj.(metav1.Object), "kubernetes.io/vac-protection")
		}
	case *networkingv1.Ingress:
		_, annotated := obj.Annotations["kubernetes.io/ingress.class"]
		if old == nil && obj.Spec.IngressClassName == nil && !annotated {
			unknown = append(unknown, around.defaultIngressClass(&obj.Spec)...)
		}
	}
	return unknown
}

// withoutRepetitions drops owner references that equal earlier ones. Source:
// dedupOwnerReferences in k8s.io/apiserver/pkg/endpoints/handlers/rest.go.
func withoutRepetitions(all []metav1.OwnerReference) (kept []metav1.OwnerReference) {
	seen := map[string]bool{}
	for i := range all {
		if key := all[i].String(); !seen[key] {
			seen[key] = true
			kept = append(kept, all[i])
		}
	}
	return kept
}

// managedFields is always unknown, because its entries have the time of the
// request.
const managedFields = "metadata.managedFields"

func placeholderManaged(obj runtime.Object) []metav1.ManagedFieldsEntry {
	return []metav1.ManagedFieldsEntry{{
		Manager: "unknown", Operation: metav1.ManagedFieldsOperationUpdate, Time: new(placeholderTime),
		APIVersion: obj.GetObjectKind().GroupVersionKind().GroupVersion().String(),
		FieldsType: "FieldsV1", FieldsV1: metav1.NewFieldsV1("{}"),
	}}
}

// unknownTime returns the path of a taint's time if the time is not set, because
// its default is the time of the request.
func unknownTime(added *metav1.Time) []string {
	if added == nil {
		return []string{"spec.taint.timeAdded"}
	}
	return nil
}

const podGroupFinalizer = "scheduling.k8s.io/podgroup-protection"

// groupPriority runs the plugin Priority for a group of Pods: it sets the
// priority from the priority class.
func groupPriority[P ~string](s apiserver.Server, around *Around, class *string, value **int32, policy **P) []string {
	classPolicy, known := around.priority(class, value)
	if classPolicy != nil && s.Enabled("PodGroupPreemptionPolicy") {
		*policy = new(P(*classPolicy))
	}
	if !known {
		return []string{"spec.priority", "spec.preemptionPolicy"}
	}
	return nil
}

// taintNode adds the taint not-ready to a Node, as the plugin
// TaintNodesByCondition does.
func taintNode(spec *corev1.NodeSpec) {
	taint := corev1.Taint{Key: corev1.TaintNodeNotReady, Effect: corev1.TaintEffectNoSchedule}
	if !slices.ContainsFunc(spec.Taints, func(t corev1.Taint) bool { return t.MatchTaint(&taint) }) {
		spec.Taints = append(spec.Taints, taint)
	}
}

func addFinalizer(obj metav1.Object, name string) {
	if all := obj.GetFinalizers(); !slices.Contains(all, name) {
		obj.SetFinalizers(append(all, name))
	}
}

func hasStorageClass(claim *corev1.PersistentVolumeClaim) bool {
	_, annotated := claim.Annotations[corev1.BetaStorageClassAnnotation]
	return annotated || claim.Spec.StorageClassName != nil
}

// defaultStorageClass sets the class of a claim without a class, as the plugin
// DefaultStorageClass does.
func (a *Around) defaultStorageClass(spec *corev1.PersistentVolumeClaimSpec) (unknown []string) {
	for _, class := range a.storage {
		if class.Annotations["storageclass.kubernetes.io/is-default-class"] == "true" ||
			class.Annotations["storageclass.beta.kubernetes.io/is-default-class"] == "true" {
			spec.StorageClassName = new(class.Name)
			return nil
		}
	}
	if len(a.storage) == 0 {
		return []string{"spec.storageClassName"}
	}
	return nil
}

// defaultIngressClass sets the class of an Ingress without a class, as the plugin
// DefaultIngressClass does.
func (a *Around) defaultIngressClass(spec *networkingv1.IngressSpec) (unknown []string) {
	for _, class := range a.ingresses {
		if class.Annotations[networkingv1.AnnotationIsDefaultIngressClass] == "true" {
			spec.IngressClassName = new(class.Name)
			return nil
		}
	}
	if len(a.ingresses) == 0 {
		return []string{"spec.ingressClassName"}
	}
	return nil
}

func item(list string, i int) string { return list + "[" + strconv.Itoa(i) + "]" }
