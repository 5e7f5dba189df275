package handler

import (
	"context"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// approvals reports the dry run elsewhere, and passes loggers to the function that writes.
type approvals struct {
	c   client.Client
	log logr.Logger
}

type seen struct {
	user   string
	dryRun bool
}

func (h *approvals) Handle(ctx context.Context, req admission.Request) admission.Response { // want `^Handle updates a Pod \(in consume\) on dry-run requests too`
	one := seen{user: req.UserInfo.Username, dryRun: isDryRun(req)}
	log := h.log.WithValues("user", one.user, "operation", req.Operation)
	h.report(one)
	if !h.consume(ctx, &corev1.Pod{}, log) {
		return admission.Denied("")
	}
	return admission.Allowed("")
}

func (h *approvals) report(one seen) { h.log.Info("seen", "dryRun", one.dryRun) }

func (h *approvals) consume(ctx context.Context, pod *corev1.Pod, log logr.Logger) bool {
	if err := h.c.Update(ctx, pod); err != nil {
		log.Error(err, "update")
		return false
	}
	return true
}

// keys passes names to the function that writes. In a dry run, they are none.
func (h *approvals) keys(ctx context.Context, req admission.Request) admission.Response {
	var names []string
	if !isDryRun(req) {
		names = append(names, req.Name)
	}
	_ = h.remove(ctx, names)
	return admission.Allowed("")
}

func (h *approvals) remove(ctx context.Context, names []string) error {
	for _, name := range names {
		pod := &corev1.Pod{}
		pod.Name = name
		if err := h.c.Delete(ctx, pod); err != nil {
			return err
		}
	}
	return nil
}
