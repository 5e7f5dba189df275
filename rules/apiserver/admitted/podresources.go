//go:build !js

package admitted

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubevet/kubevet/rules/apiserver"
)

// defaultPodResources completes the pod-level resources of a pod. Source:
// defaultHugePagePodLimits and defaultPodRequests in pkg/apis/core/v1/defaults.go
// (1.32–1.36), and DefaultPodLevelResources in pkg/api/pod/util.go (1.37).
func defaultPodResources(s apiserver.Server, spec *corev1.PodSpec) {
	podLevel := spec.Resources
	fixed := s.Minor >= 37 && s.Enabled("PodLevelResourcesFixDefaulting")
	if podLevel == nil || len(podLevel.Limits) == 0 && len(podLevel.Requests) == 0 {
		return
	}
	limits := func(c *corev1.Container) corev1.ResourceList { return c.Resources.Limits }
	if s.Minor >= 33 {
		for name, sum := range aggregate(spec, limits) {
			_, requested := podLevel.Requests[name]
			if hugePages(name) && !(requested && s.Minor >= 34) {
				addMissing(ensure(&podLevel.Limits), corev1.ResourceList{name: sum})
			}
		}
	}
	if len(podLevel.Limits) > 0 || fixed {
		requests := func(c *corev1.Container) corev1.ResourceList { return c.Resources.Requests }
		for name, sum := range aggregate(spec, requests) {
			if name == corev1.ResourceCPU || name == corev1.ResourceMemory {
				addMissing(ensure(&podLevel.Requests), corev1.ResourceList{name: sum})
			}
		}
		for name, limit := range podLevel.Limits {
			if isPodResource(s, name) {
				addMissing(ensure(&podLevel.Requests), corev1.ResourceList{name: limit})
			}
		}
	}
	if !fixed {
		return
	}
	sums := aggregate(spec, limits)
	for name, request := range podLevel.Requests {
		sum, ok := sums[name]
		if _, limited := podLevel.Limits[name]; limited || !ok || !isPodResource(s, name) || !allHaveLimit(spec, name) {
			continue
		}
		if request.Cmp(sum) > 0 {
			sum = request
		}
		ensure(&podLevel.Limits)[name] = sum.DeepCopy()
	}
}

func ensure(list *corev1.ResourceList) corev1.ResourceList {
	if *list == nil {
		*list = corev1.ResourceList{}
	}
	return *list
}

func hugePages(name corev1.ResourceName) bool {
	return strings.HasPrefix(string(name), corev1.ResourceHugePagesPrefix)
}

// isPodResource reports whether pod-level resources can include a resource.
func isPodResource(s apiserver.Server, name corev1.ResourceName) bool {
	return name == corev1.ResourceCPU || name == corev1.ResourceMemory || s.Minor >= 33 && hugePages(name)
}

// allHaveLimit reports whether all containers set a limit for a resource.
func allHaveLimit(spec *corev1.PodSpec, name corev1.ResourceName) bool {
	for c := range containersOf(spec) {
		if _, ok := c.Resources.Limits[name]; !ok {
			return false
		}
	}
	return true
}

// aggregate returns the resources that the containers of a pod need at the same
// time. resources returns the requests or limits of one container. Source:
// AggregateContainerRequests and …Limits in k8s.io/component-helpers/resource.
func aggregate(spec *corev1.PodSpec, resources func(*corev1.Container) corev1.ResourceList) corev1.ResourceList {
	all, sidecars, first := corev1.ResourceList{}, corev1.ResourceList{}, corev1.ResourceList{}
	for i := range spec.Containers {
		addTo(all, resources(&spec.Containers[i]))
	}
	for i := range spec.InitContainers {
		c := &spec.InitContainers[i]
		if c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			addTo(all, resources(c))
			addTo(sidecars, resources(c))
			raise(first, sidecars)
			continue
		}
		sum := corev1.ResourceList{}
		addTo(sum, resources(c))
		addTo(sum, sidecars)
		raise(first, sum)
	}
	raise(all, first)
	return all
}

func addTo(to, from corev1.ResourceList) {
	for name, quantity := range from {
		sum := quantity.DeepCopy()
		sum.Add(to[name])
		to[name] = sum
	}
}

func raise(to, from corev1.ResourceList) {
	for name, quantity := range from {
		if now, ok := to[name]; !ok || quantity.Cmp(now) > 0 {
			to[name] = quantity.DeepCopy()
		}
	}
}

// qosClass returns the QoS class of a pod. Source: ComputePodQOS in
// pkg/apis/core/helper/qos/qos.go.
func qosClass(s apiserver.Server, spec *corev1.PodSpec) corev1.PodQOSClass {
	if podResources := spec.Resources; podResources != nil && s.Enabled("PodLevelResources") {
		if len(podResources.Requests) > 0 || len(podResources.Limits) > 0 || !s.Enabled("PodLevelResourcesFixKubeletQOSClass") {
			return classOf(podResources)
		}
	}
	var class corev1.PodQOSClass
	for _, list := range [...][]corev1.Container{spec.InitContainers, spec.Containers} {
		for i := range list {
			switch containerClass := classOf(&list[i].Resources); {
			case containerClass == corev1.PodQOSBurstable, class != "" && class != containerClass:
				return corev1.PodQOSBurstable
			default:
				class = containerClass
			}
		}
	}
	if class == "" {
		return corev1.PodQOSBestEffort
	}
	return class
}

// classOf returns the QoS class that follows from requests and limits.
func classOf(r *corev1.ResourceRequirements) corev1.PodQOSClass {
	guaranteed, any := true, false
	for _, name := range [...]corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		request, limit := positive(r.Requests[name]), positive(r.Limits[name])
		any = any || request != nil || limit != nil
		guaranteed = guaranteed && request != nil && limit != nil && request.Cmp(*limit) == 0
	}
	switch {
	case !any:
		return corev1.PodQOSBestEffort
	case guaranteed:
		return corev1.PodQOSGuaranteed
	}
	return corev1.PodQOSBurstable
}

func positive(q resource.Quantity) *resource.Quantity {
	if q.Sign() <= 0 {
		return nil
	}
	return &q
}

// containersOf iterates over the init containers and the containers of a pod.
func containersOf(spec *corev1.PodSpec) func(yield func(*corev1.Container) bool) {
	return func(yield func(*corev1.Container) bool) {
		for _, list := range [...][]corev1.Container{spec.InitContainers, spec.Containers} {
			for i := range list {
				if !yield(&list[i]) {
					return
				}
			}
		}
		for i := range spec.EphemeralContainers {
			if !yield((*corev1.Container)(&spec.EphemeralContainers[i].EphemeralContainerCommon)) {
				return
			}
		}
	}
}
