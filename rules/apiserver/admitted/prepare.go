//go:build !js

package admitted

import (
	"maps"
	"reflect"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Placeholders of values that the server sets and that cannot be known.
const (
	placeholder    = "00000" // the random end of a generated name
	placeholderUID = "00000000-0000-0000-0000-000000000000"
	// placeholderVersion is a resource version that no real object has.
	placeholderVersion = "1"
)

// placeholderTime is used instead of the time of the request.
var placeholderTime = metav1.NewTime(time.Unix(0, 0).UTC())

// Prepared changes obj as the server does after mutating admission and before
// validation. old is nil on create. Prepared returns the paths of the fields
// whose values are not known, in the form in which Plugins returns them.
//
// Source: rest.BeforeCreate and BeforeUpdate in
// k8s.io/apiserver/pkg/registry/rest, and PrepareForCreate, PrepareForUpdate and
// Canonicalize of the strategies.
func Prepared(s apiserver.Server, obj, old runtime.Object) (unknown []string) {
	m, err := meta.Accessor(obj)
	if err != nil || isReview(obj) {
		return nil
	}
	if old != nil && reflect.TypeOf(old) != reflect.TypeOf(obj) {
		return []string{"metadata", "spec", "status"} // a type change is not an update
	}
	if old == nil {
		unknown = fillMetadata(m)
	}
	if typed, ok := obj.(*unstructured.Unstructured); ok {
		return append(unknown, prepareUnstructured(typed, old)...)
	}
	k := strategies[typeName(reflect.TypeOf(obj).Elem())]
	var before metav1.Object
	if old != nil {
		if before, err = meta.Accessor(old); err != nil {
			return nil
		}
		m.SetGeneration(before.GetGeneration())
	}
	v := reflect.ValueOf(obj).Elem()
	if status := v.FieldByName("Status"); k.status != 0 && s.Minor >= k.status && status.IsValid() {
		status.SetZero()
		if old != nil {
			status.Set(reflect.ValueOf(old).Elem().FieldByName("Status"))
		}
	}
	p := preparation{Server: s, unknown: unknown}
	if old == nil {
		if k.generation != 0 && s.Minor >= k.generation {
			m.SetGeneration(1)
		}
		dropDisabled(s, obj, nil)
		p.create(obj)
		return p.unknown
	}
	dropDisabled(s, obj, old)
	p.update(obj, old)
	if incrementsGeneration(s, k, obj) && specChanged(v, reflect.ValueOf(old).Elem()) {
		m.SetGeneration(before.GetGeneration() + 1)
	}
	return append(p.unknown, keepMetadata(m, before)...)
}

// isReview reports whether obj is a review, such as a SubjectAccessReview. The
// server answers reviews and never stores them.
func isReview(obj runtime.Object) bool {
	group := obj.GetObjectKind().GroupVersionKind().Group
	return group == "authentication.k8s.io" || group == "authorization.k8s.io"
}

// Stored completes the old object of an update if a user wrote it by hand. It
// adds the values that a server would have added on create, and returns the paths
// of the fields whose values are not known. An object with a UID comes from a
// server and is not changed.
func Stored(s apiserver.Server, around *Around, old runtime.Object) (unknown []string) {
	m, err := meta.Accessor(old)
	if err != nil || m.GetUID() != "" {
		return nil
	}
	unknown = append(Plugins(s, around, old, nil), Prepared(s, old, nil)...)
	Default(s, old)
	m.SetResourceVersion(placeholderVersion)
	return append(unknown, "metadata.resourceVersion")
}

// strategy describes the strategy of a kind. In each field, 0 means that no minor
// does what the field says.
type strategy struct {
	// generation is the first minor that sets metadata.generation to 1 on create.
	generation lifecycle.Minor
	// status is the first minor that clears the status on create and keeps it on
	// update.
	status lifecycle.Minor
}

// strategies has the strategies by the names of the kinds' Go types.
var strategies = map[string]strategy{
	"core.Pod": {33, 1}, "core.PodTemplate": {1, 0}, "core.ReplicationController": {1, 1}, "core.ResourceQuota": {0, 1},
	"core.Service": {0, 1}, "core.Namespace": {0, 1}, "core.PersistentVolume": {0, 1}, "core.PersistentVolumeClaim": {0, 1},
	"apps.Deployment": {1, 1}, "apps.DaemonSet": {1, 1}, "apps.ReplicaSet": {1, 1}, "apps.StatefulSet": {1, 1},
	"autoscaling.HorizontalPodAutoscaler": {37, 1}, "batch.CronJob": {1, 1}, "batch.Job": {1, 1},
	"admissionregistration.MutatingWebhookConfiguration":     {1, 0},
	"admissionregistration.ValidatingWebhookConfiguration":   {1, 0},
	"admissionregistration.ValidatingAdmissionPolicy":        {1, 27},
	"admissionregistration.ValidatingAdmissionPolicyBinding": {1, 0},
	"admissionregistration.MutatingAdmissionPolicy":          {1, 0},
	"admissionregistration.MutatingAdmissionPolicyBinding":   {1, 0},
	"apiextensions.CustomResourceDefinition":                 {1, 1},
	"apiserverinternal.StorageVersion":                       {0, 1},
	"certificates.CertificateSigningRequest":                 {0, 1},
	"certificates.PodCertificateRequest":                     {0, 1},
	"discovery.EndpointSlice":                                {1, 0},
	"flowcontrol.FlowSchema":                                 {1, 1}, "flowcontrol.PriorityLevelConfiguration": {1, 1},
	"lifecycle.Eviction": {37, 37}, "lifecycle.EvictionRequest": {37, 37},
	"networking.Ingress": {1, 1}, "networking.IngressClass": {1, 0}, "networking.NetworkPolicy": {1, 0}, "networking.ServiceCIDR": {0, 36},
	"policy.PodDisruptionBudget": {1, 1},
	"resource.DeviceClass":       {31, 0}, "resource.DeviceTaintRule": {33, 35}, "resource.ResourceClaim": {0, 1},
	"resource.ResourcePoolStatusRequest": {0, 36}, "resource.ResourceSlice": {31, 0},
	"scheduling.PriorityClass": {1, 0}, "scheduling.PodGroup": {0, 36}, "scheduling.CompositePodGroup": {0, 37},
	"storage.CSINode": {0, 37}, "storage.VolumeAttachment": {0, 1},
	"storagemigration.StorageVersionMigration": {0, 30},
}

// fillMetadata sets the metadata of a new object, and generates its name. Source:
// FillObjectMetaSystemFields in k8s.io/apiserver/pkg/registry/rest/meta.go.
func fillMetadata(m metav1.Object) (unknown []string) {
	m.SetCreationTimestamp(placeholderTime)
	m.SetUID(placeholderUID)
	m.SetSelfLink("")
	m.SetDeletionTimestamp(nil)
	m.SetDeletionGracePeriodSeconds(nil)
	unknown = []string{"metadata.creationTimestamp", "metadata.uid"}
	if m.GetName() == "" && m.GetGenerateName() != "" {
		m.SetName(m.GetGenerateName() + placeholder)
		unknown = append(unknown, "metadata.name")
	}
	return unknown
}

// keepMetadata copies from the old object the metadata that an update cannot
// change. If the old object is not from a server, these fields are unknown.
func keepMetadata(m, before metav1.Object) (unknown []string) {
	if uid := before.GetUID(); uid == "" || uid == placeholderUID {
		unknown = append(unknown, "metadata.uid", "metadata.creationTimestamp", "metadata.generation")
	}
	if m.GetResourceVersion() == "" {
		m.SetResourceVersion(before.GetResourceVersion())
		if before.GetResourceVersion() == "" || before.GetResourceVersion() == placeholderVersion {
			m.SetResourceVersion(placeholderVersion)
			unknown = append(unknown, "metadata.resourceVersion")
		}
	}
	if m.GetUID() == "" {
		m.SetUID(before.GetUID())
	}
	if created := before.GetCreationTimestamp(); !created.IsZero() {
		m.SetCreationTimestamp(created)
	}
	if deleted := before.GetDeletionTimestamp(); deleted != nil {
		m.SetDeletionTimestamp(deleted)
	}
	if m.GetDeletionGracePeriodSeconds() == nil {
		m.SetDeletionGracePeriodSeconds(before.GetDeletionGracePeriodSeconds())
	}
	return unknown
}

// incrementsGeneration reports whether updates of a kind increment
// metadata.generation.
func incrementsGeneration(s apiserver.Server, k strategy, obj runtime.Object) bool {
	switch obj.(type) {
	case *schedulingv1.PriorityClass:
		return false
	case *storagev1.CSIDriver:
		return true // although create does not set it
	}
	return k.generation != 0 && s.Minor >= k.generation
}

// specChanged reports whether an update increments metadata.generation: a field
// other than metadata and status differs. The annotations of a Deployment and the
// labels of an EndpointSlice count, too.
func specChanged(obj, old reflect.Value) bool {
	if obj.Type() != old.Type() {
		return true
	}
	switch obj := obj.Addr().Interface().(type) {
	case *appsv1.Deployment:
		if !maps.Equal(obj.Annotations, old.Addr().Interface().(*appsv1.Deployment).Annotations) {
			return true
		}
	case *discoveryv1.EndpointSlice:
		if !maps.Equal(obj.Labels, old.Addr().Interface().(*discoveryv1.EndpointSlice).Labels) {
			return true
		}
	}
	for i := range obj.NumField() {
		switch obj.Type().Field(i).Name {
		case "TypeMeta", "ObjectMeta", "Status":
			continue
		}
		if !equality.Semantic.DeepEqual(obj.Field(i).Interface(), old.Field(i).Interface()) {
			return true
		}
	}
	return false
}

// prepareUnstructured prepares APIServices and custom resources. It keeps the
// status of a custom resource. A server drops it on create if the status is a
// subresource, which only callers know.
func prepareUnstructured(obj *unstructured.Unstructured, old runtime.Object) (unknown []string) {
	if obj.GetKind() == "APIService" && obj.GroupVersionKind().Group == "apiregistration.k8s.io" {
		obj.Object["status"] = map[string]any{}
	}
	if before, ok := old.(*unstructured.Unstructured); ok {
		obj.SetGeneration(before.GetGeneration())
		return keepMetadata(obj, before)
	}
	if obj.GetKind() != "APIService" {
		obj.SetGeneration(1)
	}
	return nil
}
