//go:build !js

package admitted

import (
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	admissionv1alpha1 "k8s.io/api/admissionregistration/v1alpha1"
	admissionv1beta1 "k8s.io/api/admissionregistration/v1beta1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	flowcontrolv1beta3 "k8s.io/api/flowcontrol/v1beta3"
	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	resourcev1 "k8s.io/api/resource/v1"
	resourcev1beta1 "k8s.io/api/resource/v1beta1"
	resourcev1beta2 "k8s.io/api/resource/v1beta2"
	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	storagev1 "k8s.io/api/storage/v1"
	extensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubevet/kubevet/rules/apiserver"
)

// otherDefaults are the defaults of the groups other than core, apps, batch and
// autoscaling.
var otherDefaults = []step[apiserver.Server]{
	stepFor(func(_ apiserver.Server, v *admissionv1.ValidatingWebhook) {
		matchAll(&v.NamespaceSelector, &v.ObjectSelector)
	}),
	stepFor(func(_ apiserver.Server, v *admissionv1.MutatingWebhook) {
		matchAll(&v.NamespaceSelector, &v.ObjectSelector)
	}),
	stepFor(func(_ apiserver.Server, v *admissionv1.MatchResources) {
		matchAll(&v.NamespaceSelector, &v.ObjectSelector)
	}),
	stepFor(func(_ apiserver.Server, v *admissionv1beta1.MatchResources) {
		matchAll(&v.NamespaceSelector, &v.ObjectSelector)
	}),
	stepFor(func(_ apiserver.Server, v *admissionv1alpha1.MatchResources) {
		matchAll(&v.NamespaceSelector, &v.ObjectSelector)
	}),
	stepFor(func(s apiserver.Server, v *admissionv1alpha1.ParamRef) {
		if s.Minor >= 28 {
			setTo(&v.ParameterNotFoundAction, admissionv1alpha1.DenyAction)
		}
	}),
	stepFor(func(_ apiserver.Server, v *extensionsv1.CustomResourceDefinition) {
		names := &v.Spec.Names
		if names.Singular == "" {
			names.Singular = strings.ToLower(names.Kind)
		}
		if names.ListKind == "" && names.Kind != "" {
			names.ListKind = names.Kind + "List"
		}
		setTo(&v.Spec.Conversion, extensionsv1.CustomResourceConversion{Strategy: extensionsv1.NoneConverter})
		addStoredVersion(v)
	}),
	stepFor(func(_ apiserver.Server, v *flowcontrolv1.LimitedPriorityLevelConfiguration) {
		setTo(&v.NominalConcurrencyShares, 30)
	}),
	stepFor(func(s apiserver.Server, v *flowcontrolv1beta3.PriorityLevelConfiguration) {
		limited := v.Spec.Limited
		if limited == nil {
			return
		}
		_, zero := v.Annotations[flowcontrolv1beta3.PriorityLevelPreserveZeroConcurrencySharesKey]
		if limited.NominalConcurrencyShares == 0 && !(zero && s.Minor >= 29) {
			limited.NominalConcurrencyShares = 30
		}
		if s.Minor >= 29 && limited.NominalConcurrencyShares != 0 {
			delete(v.Annotations, flowcontrolv1beta3.PriorityLevelPreserveZeroConcurrencySharesKey)
		}
	}),
	stepFor(func(_ apiserver.Server, v *networkingv1.NetworkPolicySpec) {
		if len(v.PolicyTypes) > 0 {
			return
		}
		v.PolicyTypes = []networkingv1.PolicyType{networkingv1.PolicyTypeIngress}
		if len(v.Egress) > 0 {
			v.PolicyTypes = append(v.PolicyTypes, networkingv1.PolicyTypeEgress)
		}
	}),
	stepFor(func(_ apiserver.Server, v *rbacv1.Subject) {
		if v.APIGroup == "" && (v.Kind == rbacv1.UserKind || v.Kind == rbacv1.GroupKind) {
			v.APIGroup = rbacv1.GroupName
		}
	}),
	stepFor(func(_ apiserver.Server, v *resourcev1.ExactDeviceRequest) {
		defaultCount((*string)(&v.AllocationMode), &v.Count)
	}),
	stepFor(func(_ apiserver.Server, v *resourcev1.DeviceSubRequest) {
		defaultCount((*string)(&v.AllocationMode), &v.Count)
	}),
	stepFor(func(_ apiserver.Server, v *resourcev1beta2.ExactDeviceRequest) {
		defaultCount((*string)(&v.AllocationMode), &v.Count)
	}),
	stepFor(func(_ apiserver.Server, v *resourcev1beta2.DeviceSubRequest) {
		defaultCount((*string)(&v.AllocationMode), &v.Count)
	}),
	stepFor(func(s apiserver.Server, v *resourcev1beta1.DeviceRequest) {
		if v.DeviceClassName != "" || s.Minor < 33 {
			defaultCount((*string)(&v.AllocationMode), &v.Count)
		}
	}),
	stepFor(func(_ apiserver.Server, v *resourcev1beta1.DeviceSubRequest) {
		defaultCount((*string)(&v.AllocationMode), &v.Count)
	}),
	stepFor(func(s apiserver.Server, v *schedulingv1alpha3.PodGroupSpec) {
		if s.Enabled("PodGroupPreemptionPolicy") {
			setTo(&v.PreemptionPolicy, schedulingv1alpha3.PreemptLowerPriority)
		}
		setTo(&v.DisruptionMode, schedulingv1alpha3.DisruptionMode{Single: &schedulingv1alpha3.SingleDisruptionMode{}})
	}),
	stepFor(func(s apiserver.Server, v *schedulingv1alpha3.CompositePodGroupSpec) {
		if s.Enabled("PodGroupPreemptionPolicy") {
			setTo(&v.PreemptionPolicy, schedulingv1alpha3.PreemptLowerPriority)
		}
		setTo(&v.DisruptionMode, schedulingv1alpha3.CompositeDisruptionMode{Single: &schedulingv1alpha3.SingleCompositeDisruptionMode{}})
	}),
	stepFor(func(s apiserver.Server, v *schedulingv1beta1.PodGroupSpec) {
		if s.Enabled("PodGroupPreemptionPolicy") {
			setTo(&v.PreemptionPolicy, schedulingv1beta1.PreemptLowerPriority)
		}
		setTo(&v.DisruptionMode, schedulingv1beta1.DisruptionMode{Single: &schedulingv1beta1.SingleDisruptionMode{}})
	}),
	stepFor(func(s apiserver.Server, v *storagev1.CSIDriverSpec) {
		if len(v.VolumeLifecycleModes) == 0 {
			v.VolumeLifecycleModes = []storagev1.VolumeLifecycleMode{storagev1.VolumeLifecyclePersistent}
		}
		if s.Enabled("SELinuxMountReadWriteOncePod") {
			setTo(&v.SELinuxMount, false)
		}
		if s.Enabled("VolumeLimitScaling") {
			setTo(&v.PreventPodSchedulingIfMissing, false)
		}
	}),
}

// matchAll sets nil selectors to selectors that match everything.
func matchAll(selectors ...**metav1.LabelSelector) {
	for _, selector := range selectors {
		setTo(selector, metav1.LabelSelector{})
	}
}

// defaultCount sets the mode of a device request to ExactCount, and the count to
// one device, unless they are set.
func defaultCount(mode *string, count *int64) {
	if *mode == "" {
		*mode = string(resourcev1.DeviceAllocationModeExactCount)
	}
	if *mode == string(resourcev1.DeviceAllocationModeExactCount) && *count == 0 {
		*count = 1
	}
}

// addStoredVersion adds the storage version to status.storedVersions if that list is
// empty.
func addStoredVersion(v *extensionsv1.CustomResourceDefinition) {
	if len(v.Status.StoredVersions) > 0 {
		return
	}
	for i := range v.Spec.Versions {
		if v.Spec.Versions[i].Storage {
			v.Status.StoredVersions = []string{v.Spec.Versions[i].Name}
			return
		}
	}
}
