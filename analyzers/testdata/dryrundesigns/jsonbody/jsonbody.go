// Package jsonbody decodes the dry run from the body of a request.
package jsonbody

import (
	"context"
	"encoding/json"
	"net/http"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type request struct {
	Name   string `json:"name"`
	DryRun bool   `json:"dryRun"`
}

type api struct{ c client.Client }

func (a *api) Routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/scale", a.scale)
	mux.HandleFunc("/delete", a.remove)
	return mux
}

func (a *api) scale(w http.ResponseWriter, r *http.Request) {
	var req request
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		return
	}
	if err := a.lock(r.Context(), req.Name); err != nil {
		return
	}
	if req.DryRun {
		w.WriteHeader(http.StatusOK)
		return
	}
	_ = a.c.Update(r.Context(), &corev1.Pod{})
}

func (a *api) lock(ctx context.Context, name string) error {
	return a.c.Create(ctx, &corev1.ConfigMap{}) // want "dry run creates a ConfigMap"
}

func (a *api) remove(w http.ResponseWriter, r *http.Request) {
	var req request
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		return
	}
	if !req.DryRun {
		_ = a.c.Delete(r.Context(), &corev1.Pod{})
	}
}
