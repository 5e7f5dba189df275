// want package:"has handlers"

// Package own has handlers and the interfaces that they call, with the types behind these
// interfaces. Each write has one finding.
package own

import (
	"context"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

type server interface {
	Exists(ctx context.Context, name string) bool
}

type realServer struct{ client client.Client }

func (r *realServer) Exists(ctx context.Context, name string) bool {
	return r.client.Update(ctx, &corev1.Namespace{}) == nil
}

// Validator asks the server.
type Validator struct{ server server }

// InjectClient sets the server.
func (v *Validator) InjectClient(c client.Client) error {
	v.server = &realServer{c}
	return nil
}

func (v *Validator) Handle(ctx context.Context, req admission.Request) admission.Response { // want `^Handle updates a Namespace \(in Exists\) on dry-run requests too`
	if v.server.Exists(ctx, req.Name) {
		return admission.Denied("exists")
	}
	return admission.Allowed("")
}

// Request is a request of a framework with one handler for all kinds.
type Request struct {
	*admissionv1.AdmissionRequest
}

// Kind validates objects of one kind.
type Kind interface {
	Create(request *Request, obj runtime.Object) error
}

// Kinds has the kinds of the program.
type Kinds []Kind

// All returns all kinds.
func All(c client.Client) Kinds { return Kinds{&volumes{c}} }

// Admit calls the kinds.
func (k Kinds) Admit(request *Request) (*admissionv1.AdmissionResponse, error) {
	for _, kind := range k {
		if err := kind.Create(request, nil); err != nil {
			return nil, err
		}
	}
	return &admissionv1.AdmissionResponse{Allowed: true}, nil
}

type volumes struct{ client client.Client }

func (v *volumes) Create(request *Request, obj runtime.Object) error { // want `^Create deletes a Secret on dry-run creates too`
	return v.client.Delete(context.TODO(), &corev1.Secret{})
}
