package review

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// AdminKubeconfigRequest is the body of a subresource. The server answers and stores
// nothing.
type AdminKubeconfigRequest struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

func (r *AdminKubeconfigRequest) DeepCopyObject() runtime.Object { return r }

type questions struct{ c client.Client }

func (q *questions) access(ctx context.Context, req admission.Request) admission.Response {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(schema.GroupVersionKind{Group: "authorization.k8s.io", Version: "v1", Kind: "SubjectAccessReview"})
	_ = q.c.Create(ctx, u)
	return admission.Allowed("")
}

func (q *questions) secret(ctx context.Context, req admission.Request) admission.Response { // want `^secret creates a Secret on dry-run requests too`
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(schema.GroupVersionKind{Version: "v1", Kind: "Secret"})
	_ = q.c.Create(ctx, u)
	return admission.Allowed("")
}

func (q *questions) kubeconfig(ctx context.Context, req admission.Request) admission.Response {
	_ = q.c.SubResource("adminkubeconfig").Create(ctx, &corev1.Pod{}, &AdminKubeconfigRequest{})
	return admission.Allowed("")
}

// request creates an object, not the body of a subresource.
func (q *questions) request(ctx context.Context, req admission.Request) admission.Response { // want `^request creates an AdminKubeconfigRequest on dry-run requests too`
	_ = q.c.Create(ctx, &AdminKubeconfigRequest{})
	return admission.Allowed("")
}

// scale creates a subresource of another kind.
func (q *questions) scale(ctx context.Context, req admission.Request) admission.Response { // want `^scale creates the subresource scale of a Pod on dry-run requests too`
	_ = q.c.SubResource("scale").Create(ctx, &corev1.Pod{}, &corev1.Pod{})
	return admission.Allowed("")
}
