// Package httpserver reads the dry run from the query of a request.
package httpserver

import (
	"net/http"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type server struct{ c client.Client }

func (s *server) Register(mux *http.ServeMux) {
	mux.HandleFunc("/apply", s.apply)
	mux.HandleFunc("/remove", s.remove)
}

func (s *server) apply(w http.ResponseWriter, r *http.Request) {
	dryRun := r.URL.Query().Get("dryRun") == "true"
	if dryRun {
		w.WriteHeader(http.StatusOK)
		return
	}
	_ = s.c.Create(r.Context(), &corev1.Pod{})
}

func (s *server) remove(w http.ResponseWriter, r *http.Request) {
	preview := r.URL.Query().Get("dry_run") == "true"
	_ = s.c.Delete(r.Context(), &corev1.Secret{}) // want "dry run deletes a Secret"
	if preview {
		return
	}
	_ = s.c.Delete(r.Context(), &corev1.Pod{})
}
