package iface

import (
	"context"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// kinds keeps its handlers of kinds in a map, and other functions in fields.
type kinds struct {
	cs       kubernetes.Interface
	handlers map[string]func(context.Context, string) error
	after    func() error
	careful  func(*admissionv1.AdmissionRequest) error
}

func newKinds(cs kubernetes.Interface) *kinds {
	k := &kinds{cs: cs}
	k.handlers = map[string]func(context.Context, string) error{"Namespace": k.namespace, "Pod": k.pod}
	k.after = k.clean
	k.careful = k.asks
	return k
}

func (k *kinds) pod(ctx context.Context, name string) error { return nil }

func (k *kinds) namespace(ctx context.Context, name string) error {
	_, err := k.cs.CoreV1().ServiceAccounts(name).Create(ctx, &corev1.ServiceAccount{}, metav1.CreateOptions{})
	return err
}

func (k *kinds) clean() error {
	return k.cs.CoreV1().Pods("").Delete(context.TODO(), "old", metav1.DeleteOptions{})
}

func (k *kinds) asks(req *admissionv1.AdmissionRequest) error {
	if req.DryRun != nil && *req.DryRun {
		return nil
	}
	return k.cs.CoreV1().Pods("").Delete(context.TODO(), req.Name, metav1.DeleteOptions{})
}

func (k *kinds) serve(req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse { // want `^serve creates a ServiceAccount \(in namespace\) on dry-run requests too`
	if handle, ok := k.handlers[req.Kind.Kind]; ok {
		_ = handle(context.TODO(), req.Name)
	}
	return &admissionv1.AdmissionResponse{}
}

func (k *kinds) serveAfter(req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse { // want `^serveAfter deletes a Pod \(in clean\) on dry-run requests too`
	_ = k.after()
	return &admissionv1.AdmissionResponse{}
}

// serveGuarded calls the functions only without a dry run.
func (k *kinds) serveGuarded(req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	if req.DryRun == nil || !*req.DryRun {
		_ = k.after()
		_ = k.handlers[req.Kind.Kind](context.TODO(), req.Name)
	}
	return &admissionv1.AdmissionResponse{}
}

// serveCareful calls a function that checks the dry run.
func (k *kinds) serveCareful(req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	_ = k.careful(req)
	return &admissionv1.AdmissionResponse{}
}
