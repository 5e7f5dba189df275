// Package census has two writes and five reviews.
package census

import (
	"context"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func ask(ctx context.Context, c client.Client, cs kubernetes.Interface, pod *corev1.Pod) error {
	review := &authorizationv1.SubjectAccessReview{}
	if err := c.Create(ctx, review); err != nil {
		return err
	}
	if _, err := cs.AuthorizationV1().SubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{}); err != nil {
		return err
	}
	if _, err := cs.AuthenticationV1().SelfSubjectReviews().Create(ctx, &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{}); err != nil {
		return err
	}
	return c.Create(ctx, pod)
}

// requests asks by the name of the resource. The server of OpenShift stores no
// processedTemplates.
func requests(ctx context.Context, c rest.Interface, body []byte, template *corev1.Pod) {
	c.Post().Resource("selfsubjectaccessreviews").Body(body).Do(ctx)
	c.Post().Namespace("a").Resource("processedTemplates").Body(template).Do(ctx)
}

// Cluster replaces a cluster in tests.
type Cluster struct{ kubernetes.Interface }

// New returns a cluster.
func New() *Cluster { return &Cluster{Interface: fake.NewClientset()} }

// Add creates a Pod in the cluster.
func (c *Cluster) Add(ctx context.Context, pod *corev1.Pod) error {
	_, err := c.CoreV1().Pods("").Create(ctx, pod, metav1.CreateOptions{})
	return err
}

// Simulated has a fake client only in simulations.
type Simulated struct{ kubernetes.Interface }

// Simulate returns a simulated or a real cluster.
func Simulate(cs kubernetes.Interface, real bool) *Simulated {
	if real {
		return &Simulated{cs}
	}
	return &Simulated{fake.NewClientset()}
}

// Add creates a Pod.
func (s *Simulated) Add(ctx context.Context, pod *corev1.Pod) error {
	_, err := s.CoreV1().Pods("").Create(ctx, pod, metav1.CreateOptions{})
	return err
}

// Rehearse creates a Pod with a fake client that a literal captures.
func Rehearse(ctx context.Context, pod *corev1.Pod) error {
	stand := fake.NewClientset()
	again := func() kubernetes.Interface { return stand }
	_ = again
	_, err := stand.CoreV1().Pods("").Create(ctx, pod, metav1.CreateOptions{})
	return err
}
