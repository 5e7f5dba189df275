//go:build !js

package admitted

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/internal/gotype"
)

// Fields returns an object as CEL expressions see it, with the fields that the
// release's types write to JSON. For an *unstructured.Unstructured, the result
// shares the object's memory, so callers must not change it.
//
// The Go types are those of the newest release. If a field is an empty struct and
// the release of s does not have the field, Fields drops it. For releases up to
// 1.33, Fields adds a null creationTimestamp to templates, as these releases do.
func Fields(s apiserver.Server, obj runtime.Object) (map[string]any, error) {
	if u, ok := obj.(*unstructured.Unstructured); ok {
		return u.Object, nil
	}
	all, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
	if err != nil {
		return nil, err
	}
	apiVersion, name := obj.GetObjectKind().GroupVersionKind().ToAPIVersionAndKind()
	for key, value := range all {
		if empty, ok := value.(map[string]any); ok && len(empty) == 0 && !gotype.HasField(s.Minor, apiVersion, name, key) {
			delete(all, key)
		}
	}
	if s.Minor < 34 {
		if _, ok := apiserver.PodSpecPath(apiVersion, name); ok || name == "ResourceClaimTemplate" {
			addTimestamps(all)
		}
		addTimestamp(all)
	}
	return all, nil
}

// addTimestamps adds a null creationTimestamp to the metadata of all templates in
// an object.
func addTimestamps(all map[string]any) {
	for _, key := range [...]string{"spec", "template", "jobTemplate", "volumes", "ephemeral", "volumeClaimTemplate", "volumeClaimTemplates"} {
		switch inner := all[key].(type) {
		case map[string]any:
			addTimestamp(inner)
			addTimestamps(inner)
		case []any:
			for _, item := range inner {
				if item, ok := item.(map[string]any); ok {
					addTimestamp(item)
					addTimestamps(item)
				}
			}
		}
	}
}

func addTimestamp(at map[string]any) {
	if metadata, ok := at["metadata"].(map[string]any); ok {
		if _, ok := metadata["creationTimestamp"]; !ok {
			metadata["creationTimestamp"] = nil
		}
	}
}
