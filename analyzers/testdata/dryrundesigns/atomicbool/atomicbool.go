// Command atomicbool keeps the dry run in an atomic field.
package main

import (
	"flag"
	"net/http"
	"sync/atomic"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

type server struct {
	cs     kubernetes.Interface
	dryRun atomic.Bool
}

func (s *server) evict(w http.ResponseWriter, r *http.Request) {
	if s.dryRun.Load() {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	_ = s.cs.CoreV1().Pods("a").Delete(r.Context(), r.FormValue("pod"), metav1.DeleteOptions{})
}

func (s *server) remove(w http.ResponseWriter, r *http.Request) {
	_ = s.cs.CoreV1().Nodes().Delete(r.Context(), r.FormValue("node"), metav1.DeleteOptions{}) // want "the write ignores s.dryRun, so a dry run deletes a Node"
}

func main() {
	dryRun := flag.Bool("dry-run", false, "change nothing")
	flag.Parse()
	s := &server{}
	s.dryRun.Store(*dryRun)
	http.HandleFunc("/evict", s.evict)
	http.HandleFunc("/remove", s.remove)
	_ = http.ListenAndServe(":8080", nil)
}
