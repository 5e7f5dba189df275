// Package podspec finds the pod specs in workloads. In a built-in kind, the
// group, version and kind determine the path. In a custom resource, it searches
// for maps that look like a pod spec.
package podspec

import (
	"iter"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Spec is a pod spec in an object.
type Spec struct {
	// Path is the path of the pod spec in the server's notation, such as
	// spec.template.spec.
	Path string
	// Value is the pod spec as it is written.
	Value *wire.Value
	// BuiltIn is set if the object's kind is built in. In a custom resource, the
	// value only looks like a pod spec, and the controller may use other defaults
	// than the server.
	BuiltIn bool
	// Pod is set if the object is a Pod. Otherwise the spec belongs to a pod
	// template.
	Pod bool
}

// Of returns the pod specs of an object, in the order of the text. A built-in
// workload has one. A custom resource can have several. Other built-in objects
// have none; the items of a List are separate objects. Values that are not maps
// are skipped.
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
	// Path is the path of the container in the server's notation, such as
	// spec.template.spec.containers[0].
	Path string
	// List is the name of its list: containers, initContainers or
	// ephemeralContainers. Index is its index in the list.
	List  string
	Index int
	// Value is the container as it is written, a map.
	Value *wire.Value
	// Sidecar is set for an init container that keeps running beside the
	// containers. Servers support sidecars since 1.28 with a feature gate, and
	// since 1.29 by default.
	Sidecar bool
}

// Containers yields the containers in the order in which the server validates
// them: containers, initContainers, ephemeralContainers. It skips items that
// are not maps.
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

// DefaultGracePeriod is the default grace period of a pod in seconds. It is
// DefaultTerminationGracePeriodSeconds of k8s.io/api/core/v1.
const DefaultGracePeriod = 30

// GracePeriod returns the grace period in seconds that the server stores. at is
// the value that sets it; nil for the default. ok is false if the value is not
// an integer, which the server refuses.
//
// Servers since 1.27 store a pod's negative grace period as 1, and kubelets
// have always used 1 for it. In a pod template, a negative grace period stays
// unchanged.
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
