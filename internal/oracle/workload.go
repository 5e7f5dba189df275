package oracle

import (
	"fmt"
	"maps"
)

// Workloads are Pod and the kinds that contain a pod template.
var Workloads = []string{"Pod", "PodTemplate", "ReplicationController", "Deployment", "ReplicaSet", "DaemonSet", "StatefulSet", "Job", "CronJob"}

// Wrap returns an object of a kind of workload whose template is the pod. The object has
// the pod's name and namespace. The template has the pod's annotations and labels, and
// the labels that the selector needs.
func Wrap(kind string, pod map[string]any) (map[string]any, error) {
	meta, _ := pod["metadata"].(map[string]any)
	object := func(apiVersion string, spec map[string]any) map[string]any {
		outer := map[string]any{"name": "w"}
		for _, field := range []string{"name", "namespace", "ownerReferences", "finalizers"} {
			if value, ok := meta[field]; ok {
				outer[field] = value
			}
		}
		o := map[string]any{"apiVersion": apiVersion, "kind": kind, "metadata": outer}
		maps.Copy(o, spec)
		return o
	}
	if kind == "Pod" {
		o := object("v1", nil)
		maps.Copy(o["metadata"].(map[string]any), meta)
		o["spec"] = pod["spec"]
		return o, nil
	}

	inner := map[string]any{}
	labels := map[string]any{"app": "a"}
	if given, ok := meta["labels"].(map[string]any); ok {
		maps.Copy(labels, given)
	}
	inner["labels"] = labels
	if annotations, ok := meta["annotations"]; ok {
		inner["annotations"] = annotations
	}
	template := map[string]any{"metadata": inner, "spec": pod["spec"]}
	selector := map[string]any{"app": "a"}
	labelSelector := map[string]any{"matchLabels": selector}
	spec := func(fields map[string]any) map[string]any {
		fields["template"] = template
		return map[string]any{"spec": fields}
	}
	once := func() {
		if s, ok := pod["spec"].(map[string]any); ok && s["restartPolicy"] == nil {
			s = maps.Clone(s)
			s["restartPolicy"] = "Never"
			template["spec"] = s
		}
	}
	switch kind {
	case "PodTemplate":
		return object("v1", map[string]any{"template": template}), nil
	case "ReplicationController":
		return object("v1", spec(map[string]any{"selector": selector})), nil
	case "Deployment", "ReplicaSet", "DaemonSet":
		return object("apps/v1", spec(map[string]any{"selector": labelSelector})), nil
	case "StatefulSet":
		return object("apps/v1", spec(map[string]any{"selector": labelSelector, "serviceName": "s"})), nil
	case "Job":
		once()
		return object("batch/v1", spec(map[string]any{})), nil
	case "CronJob":
		once()
		return object("batch/v1", map[string]any{"spec": map[string]any{"schedule": "* * * * *", "jobTemplate": spec(map[string]any{})}}), nil
	}
	return nil, fmt.Errorf("%s holds no pod", kind)
}
