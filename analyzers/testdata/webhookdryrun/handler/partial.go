package handler

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// partial has handlers that guard only one of two writes.
type partial struct {
	c       client.Client
	enabled bool
}

func (h *partial) Handle(ctx context.Context, req admission.Request) admission.Response { // want `^Handle patches a Pod \(in later\) on dry-run requests too`
	pod := &corev1.Pod{}
	if err := h.c.Get(ctx, client.ObjectKey{Name: req.Name}, pod); err != nil {
		return admission.Allowed("")
	}
	if pod.Labels["rt"] != "true" {
		return admission.Allowed("")
	}
	if !isDryRun(req) {
		_ = h.c.Create(ctx, &corev1.ConfigMap{})
	}
	if pod.Spec.NodeName != "" {
		go h.later(ctx, req.Name)
	}
	return admission.Allowed("")
}

func (h *partial) later(ctx context.Context, name string) {
	for range 3 {
		pod := &corev1.Pod{}
		if err := h.c.Get(ctx, client.ObjectKey{Name: name}, pod); err != nil {
			time.Sleep(time.Second)
			continue
		}
		if pod.Status.PodIP == "" {
			continue
		}
		_ = h.c.Patch(ctx, pod, client.MergeFrom(&corev1.Pod{}))
		return
	}
}

// behindCondition writes before it checks the dry run, under another condition.
func (h *partial) behindCondition(ctx context.Context, req admission.Request) admission.Response { // want `^behindCondition deletes a Secret on dry-run requests too`
	if h.enabled && req.Namespace != "kube-system" {
		_ = h.c.Delete(ctx, &corev1.Secret{})
	}
	dry := isDryRun(req)
	if dry {
		return admission.Allowed("dry run")
	}
	_ = h.c.Create(ctx, &corev1.Pod{})
	return admission.Allowed("")
}

// inLoop writes several objects in a loop.
func (h *partial) inLoop(ctx context.Context, req admission.Request) admission.Response { // want `^inLoop deletes a Pod on dry-run requests too`
	var pods corev1.PodList
	_ = h.c.List(ctx, &pods)
	for i := range pods.Items {
		if pods.Items[i].Name == req.Name {
			_ = h.c.Delete(ctx, &pods.Items[i])
		}
	}
	if !isDryRun(req) {
		_ = h.c.Create(ctx, &corev1.Secret{})
	}
	return admission.Allowed("")
}

// early returns early on several paths.
func (h *partial) early(ctx context.Context, req admission.Request) admission.Response {
	if req.Namespace == "kube-system" {
		return admission.Allowed("")
	}
	if isDryRun(req) {
		return admission.Allowed("")
	}
	if h.enabled {
		go h.later(ctx, req.Name)
	}
	return admission.Allowed("")
}

// goroutine starts a goroutine only outside dry runs.
func (h *partial) goroutine(ctx context.Context, req admission.Request) admission.Response {
	if h.enabled && !isDryRun(req) {
		go func() {
			h.later(ctx, req.Name)
		}()
	}
	return admission.Allowed("")
}

// inside checks the dry run in the goroutine.
func (h *partial) inside(ctx context.Context, req admission.Request) admission.Response {
	if h.enabled {
		go func() {
			if !isDryRun(req) {
				h.later(ctx, req.Name)
			}
		}()
	}
	return admission.Allowed("")
}

// chooser writes with a client that depends on the request.
type chooser struct {
	c       client.Client
	enabled bool
}

func (h *chooser) chosen(ctx context.Context, req admission.Request) admission.Response {
	c := h.c
	if isDryRun(req) {
		c = client.NewDryRunClient(c)
	}
	if h.enabled {
		_ = c.Create(ctx, &corev1.Pod{})
	}
	(&chooser{c: c}).later(ctx)
	h.with(ctx, c)
	return admission.Allowed("")
}

func (h *chooser) later(ctx context.Context) { _ = h.c.Delete(ctx, &corev1.Pod{}) }

func (h *chooser) with(ctx context.Context, c client.Client) {
	if h.enabled {
		_ = c.Update(ctx, &corev1.Pod{})
	}
}

// planned makes only the writes of a plan. The function that creates the plan checks the dry run.
func (h *partial) planned(ctx context.Context, req admission.Request) admission.Response {
	plan := h.plan(ctx, req)
	if plan.remove {
		_ = h.c.Delete(ctx, &corev1.Pod{})
	}
	for _, pod := range plan.create {
		_ = h.c.Create(ctx, pod)
	}
	h.carryOut(ctx, plan)
	return admission.Allowed("")
}

type plan struct {
	remove bool
	create []*corev1.Pod
}

func (h *partial) plan(ctx context.Context, req admission.Request) plan {
	if isDryRun(req) {
		return plan{}
	}
	return plan{remove: h.enabled, create: []*corev1.Pod{{}}}
}

func (h *partial) carryOut(ctx context.Context, p plan) {
	if p.remove {
		_ = h.c.Delete(ctx, &corev1.Secret{})
	}
}

// collected writes the objects that it collects outside dry runs.
func (h *partial) collected(ctx context.Context, req admission.Request) admission.Response {
	work := make(chan *corev1.Pod, 3)
	if !isDryRun(req) {
		work <- &corev1.Pod{}
	}
	close(work)
	for pod := range work {
		_ = h.c.Create(ctx, pod)
	}
	todo := map[string]*corev1.Pod{}
	h.collect(req, todo)
	for _, pod := range todo {
		_ = h.c.Create(ctx, pod)
	}
	return admission.Allowed("")
}

func (h *partial) collect(req admission.Request, into map[string]*corev1.Pod) {
	if !isDryRun(req) {
		into["a"] = &corev1.Pod{}
	}
}
