// Package admitters passes the functions that decide about requests to the function that
// decodes them.
package admitters

import (
	"context"
	"encoding/json"
	"net/http"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

type decide func(ctx context.Context, req *admissionv1.AdmissionRequest) (string, error)

type hooks struct{ clients kubernetes.Interface }

// Register adds the handlers to the server.
func Register(mux *http.ServeMux, clients kubernetes.Interface) {
	h := &hooks{clients}
	mux.Handle("/pods", serving(h.note))
	mux.Handle("/secrets", serving(h.careful))
	mux.Handle("/nodes", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { reply(w, r, refuse) }))
	mux.Handle("/quotas", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { replyUnlessDry(w, r, h.count) }))
}

func serving(d decide) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { reply(w, r, d) })
}

func reply(w http.ResponseWriter, r *http.Request, d decide) { // want `^reply creates a ConfigMap \(in note\) on dry-run requests too`
	var review admissionv1.AdmissionReview
	if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	reason, err := d(r.Context(), review.Request)
	answer(w, reason, err)
}

func replyUnlessDry(w http.ResponseWriter, r *http.Request, d decide) {
	var review admissionv1.AdmissionReview
	if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if dry := review.Request.DryRun; dry != nil && *dry {
		answer(w, "", nil)
		return
	}
	reason, err := d(r.Context(), review.Request)
	answer(w, reason, err)
}

func answer(w http.ResponseWriter, reason string, err error) {
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_ = json.NewEncoder(w).Encode(admissionv1.AdmissionReview{Response: &admissionv1.AdmissionResponse{Allowed: reason == ""}})
}

func (h *hooks) note(ctx context.Context, req *admissionv1.AdmissionRequest) (string, error) {
	_, err := h.clients.CoreV1().ConfigMaps(req.Namespace).Create(ctx, &corev1.ConfigMap{}, metav1.CreateOptions{})
	return "", err
}

func (h *hooks) careful(ctx context.Context, req *admissionv1.AdmissionRequest) (string, error) {
	if req.DryRun != nil && *req.DryRun {
		return "", nil
	}
	return "", h.clients.CoreV1().Secrets(req.Namespace).Delete(ctx, req.Name, metav1.DeleteOptions{})
}

func refuse(ctx context.Context, req *admissionv1.AdmissionRequest) (string, error) {
	return "nodes stay as they are", nil
}

func (h *hooks) count(ctx context.Context, req *admissionv1.AdmissionRequest) (string, error) {
	return "", h.clients.CoreV1().Endpoints(req.Namespace).Delete(ctx, req.Name, metav1.DeleteOptions{})
}
