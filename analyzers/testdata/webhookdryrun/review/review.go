// Package review has handlers of admission reviews.
package review

import (
	"context"
	"encoding/json"
	"net/http"

	admissionv1 "k8s.io/api/admission/v1"
	admissionv1beta1 "k8s.io/api/admission/v1beta1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
)

type server struct {
	cs  kubernetes.Interface
	dyn dynamic.Interface
}

func (s *server) Admit(ctx context.Context, review *admissionv1.AdmissionReview) *admissionv1.AdmissionResponse { // want `^Admit creates a Secret, and makes 2 more writes, on dry-run requests too; skip it when review.Request.DryRun is true, and declare sideEffects NoneOnDryRun, not None$`
	ns := review.Request.Namespace
	_, _ = s.cs.CoreV1().Secrets(ns).Create(ctx, &corev1.Secret{}, metav1.CreateOptions{})
	_ = s.cs.CoreV1().Pods(ns).Delete(ctx, "x", metav1.DeleteOptions{})
	_, _ = s.cs.CoreV1().Pods(ns).Patch(ctx, "x", types.MergePatchType, nil, metav1.PatchOptions{}, "status")

	_, _ = s.cs.CoreV1().Secrets(ns).Create(ctx, &corev1.Secret{}, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	_, _ = s.cs.AuthorizationV1().SubjectAccessReviews().Create(ctx, &authorizationv1.SubjectAccessReview{}, metav1.CreateOptions{})
	_, _ = s.cs.CoreV1().Secrets(ns).Get(ctx, "x", metav1.GetOptions{})
	return nil
}

func mutateBeta(cs kubernetes.Interface, req *admissionv1beta1.AdmissionRequest) *admissionv1beta1.AdmissionResponse { // want `mutateBeta updates a Secret on dry-run updates too; skip it when req.DryRun is true`
	if req.Operation == admissionv1beta1.Update {
		_, _ = cs.CoreV1().Secrets("").Update(context.Background(), &corev1.Secret{}, metav1.UpdateOptions{})
	}
	return nil
}

func carefulBeta(cs kubernetes.Interface, req *admissionv1beta1.AdmissionRequest) *admissionv1beta1.AdmissionResponse {
	dryRun := req.DryRun != nil && *req.DryRun
	if !dryRun && req.Operation == admissionv1beta1.Update {
		_, _ = cs.CoreV1().Secrets("").Update(context.Background(), &corev1.Secret{}, metav1.UpdateOptions{})
	}
	return nil
}

// request is a type of the project that embeds the request.
type request struct {
	admissionv1.AdmissionRequest
	Context context.Context
}

func (s *server) own(r *request) (*admissionv1.AdmissionResponse, error) { // want `own deletes an object`
	gvr := schema.GroupVersionResource{Version: "v1", Resource: "pods"}
	return nil, s.dyn.Resource(gvr).Delete(r.Context, r.Name, metav1.DeleteOptions{})
}

func (s *server) ownCareful(r *request) (*admissionv1.AdmissionResponse, error) {
	if r.DryRun != nil && *r.DryRun {
		return nil, nil
	}
	gvr := schema.GroupVersionResource{Version: "v1", Resource: "pods"}
	return nil, s.dyn.Resource(gvr).Delete(r.Context, r.Name, metav1.DeleteOptions{})
}

// serve decodes the review itself.
func (s *server) serve(w http.ResponseWriter, r *http.Request) { // want `serve patches a Node \(in label\) on dry-run requests too; skip it when the review's Request.DryRun is true`
	var review admissionv1.AdmissionReview
	if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if err := s.label(r.Context(), review.Request.Name); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

func (s *server) label(ctx context.Context, name string) error {
	_, err := s.cs.CoreV1().Nodes().Patch(ctx, name, types.MergePatchType, nil, metav1.PatchOptions{})
	return err
}

// carefully calls a handler only outside dry runs.
func (s *server) carefully(w http.ResponseWriter, r *http.Request) {
	review := &admissionv1.AdmissionReview{}
	_ = json.NewDecoder(r.Body).Decode(review)
	if review.Request.DryRun != nil && *review.Request.DryRun {
		return
	}
	review.Response = s.behind(r.Context(), review.Request)
}

func (s *server) behind(ctx context.Context, req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	_ = s.cs.CoreV1().Pods(req.Namespace).Delete(ctx, "x", metav1.DeleteOptions{})
	return nil
}

// other handles requests that are no admission reviews.
func (s *server) other(w http.ResponseWriter, r *http.Request) {
	_ = s.cs.CoreV1().Pods("").Delete(r.Context(), "x", metav1.DeleteOptions{})
}

// replay gets a request long after its admission.
func (s *server) replay(ctx context.Context, req *admissionv1.AdmissionRequest) error {
	return s.cs.CoreV1().Pods(req.Namespace).Delete(ctx, "x", metav1.DeleteOptions{})
}

// framework stands for handlers that return an error instead of a response.
type framework struct{ s *server }

func (f *framework) Create(r *request, obj runtime.Object) error { // want `Create deletes a Pod on dry-run creates too; skip it when r.DryRun is true`
	return f.s.cs.CoreV1().Pods(r.Namespace).Delete(r.Context, "x", metav1.DeleteOptions{})
}

func (f *framework) Update(r *request, oldObj, newObj runtime.Object) error {
	if r.DryRun == nil || !*r.DryRun {
		return f.s.cs.CoreV1().Pods(r.Namespace).Delete(r.Context, "x", metav1.DeleteOptions{})
	}
	return nil
}

func (f *framework) Delete(ctx context.Context, r *admissionv1.AdmissionRequest) error {
	return f.s.cs.CoreV1().Pods(r.Namespace).Delete(ctx, "x", metav1.DeleteOptions{})
}
