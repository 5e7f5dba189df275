// Package wrapped has handlers that pass their client to functions of another
// module. These functions write.
package wrapped

import (
	"context"

	"example.org/clients/webhookdryrun/wrapped/menus"
	admissionv1 "k8s.io/api/admission/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	cu "kmodules.xyz/client-go/client"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type handler struct {
	c  client.Client
	cs kubernetes.Interface
}

func (h *handler) patches(ctx context.Context, req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse { // want `^patches creates or patches a ConfigMap \(with client.CreateOrPatch\) on dry-run requests too; skip it`
	_, _ = cu.CreateOrPatch(ctx, h.c, &corev1.ConfigMap{}, nil)
	return nil
}

func (h *handler) applies(ctx context.Context, req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse { // want `^applies applies a Secret \(with client.ApplySecret\) on dry-run requests too`
	_ = cu.ApplySecret(ctx, h.cs, &corev1.Secret{}, metav1.PatchOptions{})
	return nil
}

func (h *handler) faraway(ctx context.Context, req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse { // want `^faraway creates or patches a ConfigMap .*\(in Save\) on dry-run requests too`
	_ = menus.Save(ctx, h.c)
	return nil
}

func (h *handler) deletes(ctx context.Context, req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse { // want `^deletes deletes a ConfigMap \(with client.Delete\) on dry-run requests too`
	_ = cu.Delete(ctx, h.c, &corev1.ConfigMap{}, false)
	return nil
}

// guarded checks the dry run before it writes.
func (h *handler) guarded(ctx context.Context, req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	if req.DryRun == nil || !*req.DryRun {
		_, _ = cu.CreateOrPatch(ctx, h.c, &corev1.ConfigMap{}, nil)
	}
	return nil
}

// asks asks for dry runs in its arguments.
func (h *handler) asks(ctx context.Context, req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	_, _ = cu.CreateOrPatch(ctx, h.c, &corev1.ConfigMap{}, nil, client.DryRunAll)
	_ = cu.ApplySecret(ctx, h.cs, &corev1.Secret{}, metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}})
	_ = cu.Delete(ctx, h.c, &corev1.ConfigMap{}, true)
	_ = cu.Delete(ctx, h.c, &corev1.ConfigMap{}, *req.DryRun)
	return nil
}

// reviews creates objects that the server does not store.
func (h *handler) reviews(ctx context.Context, req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	_, _ = cu.CreateOrPatch(ctx, h.c, &authorizationv1.SubjectAccessReview{}, nil)
	return nil
}

// memory calls functions whose names sound like writes. They change only the object in memory.
func (h *handler) memory(ctx context.Context, req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	_ = cu.UpdatePod(ctx, h.c, &corev1.Pod{})
	_, _ = cu.CreateMergePatch(ctx, h.c, &corev1.Pod{})
	return nil
}

// unknown writes an object of an unknown kind.
func (h *handler) unknown(ctx context.Context, req *admissionv1.AdmissionRequest, obj client.Object) *admissionv1.AdmissionResponse {
	_, _ = cu.CreateOrPatch(ctx, h.c, obj, nil)
	return nil
}
