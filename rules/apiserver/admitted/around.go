//go:build !js

package admitted

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	nodev1 "k8s.io/api/node/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Around has the objects of the cluster that the built-in plugins read. It is
// immutable and safe for concurrent use. A nil *Around means that no object of
// the cluster is known.
type Around struct {
	accounts    map[inNamespace]*corev1.ServiceAccount
	limits      map[string][]*corev1.LimitRange // LimitRanges by namespace
	nodes       map[string]*corev1.Node
	priorities  map[string]*schedulingv1.PriorityClass
	runtimes    map[string]*nodev1.RuntimeClass
	storage     []*storagev1.StorageClass
	ingresses   []*networkingv1.IngressClass
	anyPriority *schedulingv1.PriorityClass // PriorityClass that is the cluster's default
}

type inNamespace struct{ namespace, name string }

// NewAround returns an Around with the LimitRanges, ServiceAccounts, Nodes,
// PriorityClasses, RuntimeClasses, StorageClasses and IngressClasses of context.
// Namespaced objects without a namespace are in "default". Objects of other
// kinds, and objects that do not decode, are ignored.
func NewAround(s apiserver.Server, context []*wire.Value) *Around {
	a := &Around{
		accounts: map[inNamespace]*corev1.ServiceAccount{}, limits: map[string][]*corev1.LimitRange{},
		nodes: map[string]*corev1.Node{}, priorities: map[string]*schedulingv1.PriorityClass{},
		runtimes: map[string]*nodev1.RuntimeClass{},
	}
	for _, v := range context {
		r := apiserver.Request{APIVersion: v.Get("apiVersion").StringOr(""), Kind: v.Get("kind").StringOr(""), New: v}
		switch r.Kind {
		case "ServiceAccount", "LimitRange", "Node", "PriorityClass", "RuntimeClass", "StorageClass", "IngressClass":
		default:
			continue
		}
		obj, _, err := Decoded(s, r)
		if err != nil {
			continue
		}
		switch obj := obj.(type) {
		case *corev1.ServiceAccount:
			a.accounts[inNamespace{namespaceOf(obj), obj.Name}] = obj
		case *corev1.LimitRange:
			a.limits[namespaceOf(obj)] = append(a.limits[namespaceOf(obj)], obj)
		case *corev1.Node:
			a.nodes[obj.Name] = obj
		case *schedulingv1.PriorityClass:
			a.priorities[obj.Name] = obj
			if obj.GlobalDefault && (a.anyPriority == nil || obj.Value < a.anyPriority.Value) {
				a.anyPriority = obj
			}
		case *nodev1.RuntimeClass:
			a.runtimes[obj.Name] = obj
		case *storagev1.StorageClass:
			a.storage = append(a.storage, obj)
		case *networkingv1.IngressClass:
			a.ingresses = append(a.ingresses, obj)
		}
	}
	slices.SortFunc(a.storage, newest[*storagev1.StorageClass])
	slices.SortFunc(a.ingresses, newest[*networkingv1.IngressClass])
	return a
}

// newest compares objects by age, the newest first, and then by name. If there
// are several default classes, the server uses the first in this order.
func newest[T metav1.Object](a, b T) int {
	if c := b.GetCreationTimestamp().Compare(a.GetCreationTimestamp().Time); c != 0 {
		return c
	}
	return cmp.Compare(a.GetName(), b.GetName())
}

func namespaceOf(obj metav1.Object) string {
	return cmp.Or(obj.GetNamespace(), metav1.NamespaceDefault)
}
