// Package unreadbody decodes requests with a dry run that no code reads.
package unreadbody

import (
	"context"
	"encoding/json"
	"net/http"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type api struct{ c client.Client }

func (a *api) Routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/upgrade", a.upgrade)
	mux.HandleFunc("/scale", a.scale)
	mux.HandleFunc("/forward", a.forward)
	mux.HandleFunc("/read", a.read)
	mux.HandleFunc("/echo", a.echo)
	mux.HandleFunc("/publish", a.publish)
	mux.HandleFunc("/compare", a.compare)
	return mux
}

func decode(r *http.Request, v any) error { return json.NewDecoder(r.Body).Decode(v) }

func (a *api) upgrade(w http.ResponseWriter, r *http.Request) {
	var req struct {
		Version string `json:"version"`
		DryRun  bool   `json:"dry_run"`
	}
	if err := decode(r, &req); err != nil || req.Version == "" {
		return
	}
	go func() {
		println(req.Version)
		_ = a.c.Update(context.Background(), &corev1.Pod{}) // want "the write ignores req.DryRun, so a dry run updates a Pod"
	}()
}

type scaling struct {
	Replicas int  `json:"replicas"`
	DryRun   bool `json:"dryRun"`
}

func (a *api) scale(w http.ResponseWriter, r *http.Request) {
	var body scaling
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		return
	}
	_ = a.store(r.Context(), body.Replicas)
}

func (a *api) store(ctx context.Context, replicas int) error {
	return a.c.Update(ctx, &corev1.ConfigMap{}) // want "the write does not get body.DryRun from scale, so a dry run updates a ConfigMap"
}

type forwarded struct {
	Name   string `json:"name"`
	DryRun bool   `json:"dryRun"`
}

// forward passes the whole request on.
func (a *api) forward(w http.ResponseWriter, r *http.Request) {
	var body forwarded
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		return
	}
	_ = json.NewEncoder(w).Encode(body)
	_ = a.c.Update(r.Context(), &corev1.Pod{})
}

type readable struct {
	Name   string `json:"name"`
	DryRun bool   `json:"dryRun"`
}

func (a *api) read(w http.ResponseWriter, r *http.Request) {
	var body readable
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		return
	}
	if !body.DryRun {
		_ = a.c.Update(r.Context(), &corev1.Pod{})
	}
}

// compare may have no dry run. Another handler reads the field.
func (a *api) compare(w http.ResponseWriter, r *http.Request) {
	var body readable
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		return
	}
	_ = a.c.Delete(r.Context(), &corev1.Pod{})
}

type echoed struct {
	Name   string `json:"name"`
	DryRun bool   `json:"dryRun"`
}

// echo sends the dry run back, although it deletes the Pod.
func (a *api) echo(w http.ResponseWriter, r *http.Request) {
	var body echoed
	if err := decode(r, &body); err != nil {
		return
	}
	if err := a.c.Delete(r.Context(), &corev1.Pod{}); err != nil { // want "the write ignores body.DryRun, so a dry run deletes a Pod"
		return
	}
	respondJSON(w, map[string]any{"name": body.Name, "dryRun": body.DryRun})
}

func respondJSON(w http.ResponseWriter, v any) { _ = json.NewEncoder(w).Encode(v) }

type published struct {
	Name   string `json:"name"`
	DryRun bool   `json:"dryRun"`
}

// publish passes the dry run to a function of the module.
func (a *api) publish(w http.ResponseWriter, r *http.Request) {
	var body published
	if err := decode(r, &body); err != nil {
		return
	}
	_ = a.apply(r.Context(), map[string]any{"dryRun": body.DryRun})
}

func (a *api) apply(ctx context.Context, settings map[string]any) error {
	if skip, _ := settings["dryRun"].(bool); skip {
		return nil
	}
	return a.c.Delete(ctx, &corev1.Pod{})
}
