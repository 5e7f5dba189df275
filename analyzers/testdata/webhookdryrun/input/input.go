// Package input wraps an admission review in a struct, and chooses the handler by the
// resource.
package input

import (
	"context"
	"encoding/json"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

var clientset kubernetes.Interface

// Client returns the client of the program.
func Client() kubernetes.Interface { return clientset }

// Input is a review and what is known of its object.
type Input struct {
	Namespace *corev1.Namespace
	Review    *admissionv1.AdmissionReview
}

// Mutation answers reviews.
type Mutation struct{ names []string }

// NewMutation returns a Mutation.
func NewMutation() *Mutation { return &Mutation{} }

// Mutate answers a review.
func (m *Mutation) Mutate(ctx context.Context, input *Input) *admissionv1.AdmissionResponse { // want `Mutate deletes a Secret .*, and makes one more write, on dry-run requests too; skip it when input.Review.Request.DryRun is true`
	switch input.Review.Request.Resource.Resource {
	case "pods":
		return m.mutatePod(input)
	case "namespaces":
		return m.mutateNamespace(ctx, input)
	}
	return nil
}

func (m *Mutation) mutatePod(input *Input) *admissionv1.AdmissionResponse {
	return &admissionv1.AdmissionResponse{Allowed: input.Namespace != nil}
}

func (m *Mutation) mutateNamespace(ctx context.Context, input *Input) *admissionv1.AdmissionResponse {
	req := input.Review.Request
	namespace := corev1.Namespace{}
	if err := json.Unmarshal(req.Object.Raw, &namespace); err != nil {
		return nil
	}
	create := func(ctx context.Context) {
		for _, name := range m.names {
			_ = m.createSecret(ctx, namespace.Name, name)
		}
	}
	switch req.Operation {
	case admissionv1.Create:
		go func() {
			create(context.Background())
		}()
	case admissionv1.Update:
		create(ctx)
	}
	return &admissionv1.AdmissionResponse{Allowed: true}
}

func (m *Mutation) createSecret(ctx context.Context, namespace, name string) error {
	if err := Client().CoreV1().Secrets(namespace).Delete(ctx, name, metav1.DeleteOptions{}); err != nil {
		return err
	}
	_, err := Client().CoreV1().Secrets(namespace).Create(ctx, &corev1.Secret{}, metav1.CreateOptions{})
	return err
}

// Parse answers the review in a body.
func Parse(ctx context.Context, body []byte) ([]byte, error) {
	review := &admissionv1.AdmissionReview{}
	if err := json.Unmarshal(body, review); err != nil {
		return nil, err
	}
	review.Response = NewMutation().Mutate(ctx, &Input{Review: review})
	return json.Marshal(review)
}

// Try answers the review of a pod.
func Try(ctx context.Context, namespace string) []byte {
	input := &Input{Review: &admissionv1.AdmissionReview{Request: &admissionv1.AdmissionRequest{}}}
	return NewMutation().Mutate(ctx, input).Patch
}
