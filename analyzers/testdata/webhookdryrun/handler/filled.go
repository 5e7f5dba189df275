package handler

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// mapFilled fills a map in the loop of a guarded write. The map has an element in a dry run too.
func (h *partial) mapFilled(ctx context.Context, req admission.Request) admission.Response { // want `^mapFilled creates a ConfigMap on dry-run requests too`
	volumes := map[string]string{}
	for range 3 {
		names := map[string]string{req.Name: "a"}
		if !isDryRun(req) {
			if err := h.c.Create(ctx, &corev1.Secret{}); err != nil {
				return admission.Denied(err.Error())
			}
			names["b"] = "c"
		}
		for k, v := range names {
			volumes[k] = v
		}
	}
	if len(volumes) == 0 {
		return admission.Allowed("none")
	}
	_ = h.c.Create(ctx, &corev1.ConfigMap{})
	return admission.Allowed("")
}

// mapGuarded fills the map only outside dry runs.
func (h *partial) mapGuarded(ctx context.Context, req admission.Request) admission.Response {
	volumes := map[string]string{}
	for range 3 {
		if !isDryRun(req) {
			_ = h.c.Create(ctx, &corev1.Secret{})
			volumes["b"] = "c"
		}
	}
	if len(volumes) == 0 {
		return admission.Allowed("none")
	}
	_ = h.c.Create(ctx, &corev1.ConfigMap{})
	volumes["a"] = "too late"
	return admission.Allowed(volumes["a"])
}

// mapOfSeen skips what the map contains. The first element is always new.
func (h *partial) mapOfSeen(ctx context.Context, req admission.Request) admission.Response { // want `^mapOfSeen creates a ConfigMap on dry-run requests too`
	seen := map[string]bool{}
	for range 3 {
		if seen[req.Name] {
			continue
		}
		if !isDryRun(req) {
			if err := h.c.Create(ctx, &corev1.Secret{}); err != nil {
				return admission.Denied(err.Error())
			}
		}
		seen[req.Name] = true
	}
	if len(seen) == 0 {
		return admission.Allowed("none")
	}
	_ = h.c.Create(ctx, &corev1.ConfigMap{})
	return admission.Allowed("")
}

// mapOfReal adds only what a lookup finds, and so nothing in a dry run.
func (h *partial) mapOfReal(ctx context.Context, req admission.Request) admission.Response {
	found := map[string]bool{}
	if !isDryRun(req) {
		_ = h.c.Create(ctx, &corev1.Secret{})
		found["a"] = true
	}
	if found["a"] {
		found["b"] = true
	}
	if len(found) > 0 {
		_ = h.c.Create(ctx, &corev1.ConfigMap{})
	}
	return admission.Allowed("")
}

// mapCounted compares the length with another number.
func (h *partial) mapCounted(ctx context.Context, req admission.Request) admission.Response {
	volumes := map[string]string{"a": "b"}
	if !isDryRun(req) {
		_ = h.c.Create(ctx, &corev1.Secret{})
		volumes["b"] = "c"
	}
	if len(volumes) > 1 {
		_ = h.c.Create(ctx, &corev1.ConfigMap{})
	}
	return admission.Allowed("")
}

// sliceFilled does with a slice what mapFilled does with a map.
func (h *partial) sliceFilled(ctx context.Context, req admission.Request) admission.Response { // want `^sliceFilled creates a ConfigMap on dry-run requests too`
	var names []string
	for range 3 {
		if !isDryRun(req) {
			_ = h.c.Create(ctx, &corev1.Secret{})
			names = append(names, "b")
		}
		names = append(names, req.Name)
	}
	if len(names) > 0 {
		_ = h.c.Create(ctx, &corev1.ConfigMap{})
	}
	return admission.Allowed("")
}

// sliceGuarded fills the slice only outside dry runs.
func (h *partial) sliceGuarded(ctx context.Context, req admission.Request) admission.Response {
	var names, more []string
	for range 3 {
		if !isDryRun(req) {
			_ = h.c.Create(ctx, &corev1.Secret{})
			names = append(names, req.Name)
		}
		names = append(names, more...)
	}
	if len(names) > 0 {
		_ = h.c.Create(ctx, &corev1.ConfigMap{})
	}
	return admission.Allowed("")
}

// inRange fills one map in a loop over a list, and another one in a loop over the first. The
// condition after the loops holds in a dry run, too.
func (h *partial) inRange(ctx context.Context, req admission.Request) admission.Response { // want `^inRange creates a Secret on dry-run requests too`
	var pods corev1.PodList
	_ = h.c.List(ctx, &pods)
	volumes := map[string]string{}
	for i := range pods.Items {
		pod := pods.Items[i]
		if pod.Spec.NodeName == "" {
			continue
		}
		mounts := map[string]string{pod.Name: pod.Spec.NodeName}
		if !isDryRun(req) {
			_ = h.c.Create(ctx, &corev1.PersistentVolumeClaim{})
		}
		for name, mount := range mounts {
			for _, other := range volumes {
				if other == mount {
					return admission.Denied("twice")
				}
			}
			volumes[name] = mount
		}
	}
	if len(volumes) == 0 {
		return admission.Allowed("")
	}
	_ = h.c.Create(ctx, &corev1.Secret{})
	return admission.Allowed("")
}

// counted counts only what it changes.
func (h *partial) counted(ctx context.Context, req admission.Request) admission.Response {
	var pods corev1.PodList
	_ = h.c.List(ctx, &pods)
	changed := 0
	for i := range pods.Items {
		if isDryRun(req) {
			continue
		}
		_ = h.c.Update(ctx, &pods.Items[i])
		changed++
	}
	if changed > 0 {
		_ = h.c.Create(ctx, &corev1.Secret{})
	}
	return admission.Allowed("")
}
