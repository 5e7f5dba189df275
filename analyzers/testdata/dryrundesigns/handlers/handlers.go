// Package handlers returns function literals as handlers for a library.
package handlers

import (
	"net/http"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Settings struct{ DryRun bool }

type server struct {
	c   client.Client
	set Settings
}

func Routes(mux *http.ServeMux, c client.Client, set Settings) {
	s := &server{c: c, set: set}
	mux.Handle("/apply", s.apply())
	mux.Handle("/remove", s.remove())
}

func (s *server) apply() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.set.DryRun {
			return
		}
		_ = s.c.Create(r.Context(), &corev1.Pod{})
	})
}

func (s *server) remove() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = s.c.Delete(r.Context(), &corev1.Pod{}) // want "dry run deletes a Pod"
	})
}
