// Package rawwebhook decodes reviews itself, and passes the dry run to helpers.
package rawwebhook

import (
	"context"
	"encoding/json"
	"net/http"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type server struct{ c client.Client }

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var review admissionv1.AdmissionReview
	if json.NewDecoder(r.Body).Decode(&review) != nil {
		return
	}
	dryRun := review.Request.DryRun != nil && *review.Request.DryRun
	s.record(r.Context(), dryRun)
	s.clean(r.Context(), dryRun)
}

func (s *server) record(ctx context.Context, dryRun bool) {
	if !dryRun {
		_ = s.c.Create(ctx, &corev1.ConfigMap{})
	}
}

func (s *server) clean(ctx context.Context, dryRun bool) {
	if dryRun {
		println("dry run")
	}
	_ = s.c.Delete(ctx, &corev1.Secret{}) // want "dry run deletes a Secret"
}
