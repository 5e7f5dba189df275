// Package podspec reaches the pod spec of any workload: of the built-in kinds
// by group, version and kind, and of custom resources by its shape.
package podspec

import (
	"iter"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Spec is a pod spec within an object.
type Spec struct {
	// Path is its place in the server's notation, such as spec.template.spec.
	Path string
	// Value is the pod spec as written.
	Value *wire.Value
	// BuiltIn is set where the kind says that this is a pod spec. Elsewhere
	// it only looks like one, and its controller may set other defaults than
	// the server does.
	BuiltIn bool
	// Pod is set where it is a pod's own, not a template's.
	Pod bool
}

// Of gives the pod specs of an object in document order. A built-in kind has
// at most one, custom resources are searched by shape, and other objects of
// Kubernetes' own groups have none: a List's items are objects of their own.
// What is no pod spec, such as a null or a string in its place, is left out.
func Of(apiVersion, kind string, obj *wire.Value) []Spec {
	path, ok := apiserver.PodSpecPath(apiVersion, kind)
	if !ok {
		if group, _, named := strings.Cut(apiVersion, "/"); !named || lifecycle.IsGroup(group) {
			return nil
		}
		return byShape(obj)
	}
	v := obj
	for name := range strings.SplitSeq(path, ".") {
		v = v.Get(name)
	}
	if v == nil || v.Kind != wire.Map {
		return nil
	}
	return []Spec{{Path: path, Value: v, BuiltIn: true, Pod: path == "spec"}}
}

// Container is one container of a pod spec.
type Container struct {
	// Path is its place in the server's notation, such as
	// spec.template.spec.containers[0].
	Path string
	// List is containers, initContainers or ephemeralContainers, and Index
	// the place in it.
	List  string
	Index int
	// Value is the container as written, a map.
	Value *wire.Value
	// Sidecar is set for an init container that keeps running beside the
	// containers, if the server knows such (1.28 behind a gate, 1.29 on).
	Sidecar bool
}

// Containers yields the containers in the order in which the server validates
// them: containers, initContainers, ephemeralContainers. What is no map is
// left out.
func (s Spec) Containers() iter.Seq[Container] {
	return func(yield func(Container) bool) {
		for _, list := range [...]string{"containers", "initContainers", "ephemeralContainers"} {
			v := s.Value.Get(list)
			if v == nil || v.Kind != wire.List {
				continue
			}
			for i, item := range v.Items {
				if item == nil || item.Kind != wire.Map {
					continue
				}
				c := Container{Path: s.Path + "." + list + "[" + strconv.Itoa(i) + "]", List: list, Index: i, Value: item}
				c.Sidecar = list == "initContainers" && item.Get("restartPolicy").StringOr("") == "Always"
				if !yield(c) {
					return
				}
			}
		}
	}
}

// DefaultGracePeriod is the grace period in seconds of a pod that names none:
// DefaultTerminationGracePeriodSeconds of k8s.io/api/core/v1.
const DefaultGracePeriod = 30

// GracePeriod gives the grace period in seconds that the server would store,
// and the value that sets it, nil where the default does. ok is false where
// the value is no integer, which the server refuses.
//
// A pod's negative grace period is stored as 1 (1.27 on; kubelets have always
// taken it so); a template's is stored as it is.
func (s Spec) GracePeriod() (seconds int64, at *wire.Value, ok bool) {
	v := s.Value.Get("terminationGracePeriodSeconds")
	if v.IsNull() {
		return DefaultGracePeriod, nil, true
	}
	n, err := strconv.ParseInt(v.Text, 10, 64)
	if v.Kind != wire.Number || err != nil {
		return 0, v, false
	}
	if s.Pod && n < 0 {
		n = 1
	}
	return n, v, true
}
