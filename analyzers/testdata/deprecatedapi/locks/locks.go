// Package locks has a lock for leader election in Endpoints.
package locks

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
)

type endpointsLock struct {
	client corev1client.EndpointsGetter
	object *corev1.Endpoints
}

func (l *endpointsLock) Get(ctx context.Context) error {
	var err error
	l.object, err = l.client.Endpoints("web").Get(ctx, "web", metav1.GetOptions{}) // want `^v1 Endpoints is deprecated in v1.33\+; for a leader-election lock use coordination.k8s.io/v1 Lease \(resourcelock.LeaseLock\)$`
	return err
}

func (l *endpointsLock) Create(ctx context.Context) error {
	_, err := l.client.Endpoints("web").Create(ctx, &corev1.Endpoints{}, metav1.CreateOptions{}) // want `use coordination.k8s.io/v1 Lease`
	return err
}

func (l *endpointsLock) Update(ctx context.Context) error {
	_, err := l.client.Endpoints("web").Update(ctx, l.object, metav1.UpdateOptions{}) // want `use coordination.k8s.io/v1 Lease`
	return err
}

func (l *endpointsLock) RecordEvent(string) {}
func (l *endpointsLock) Identity() string   { return "" }
func (l *endpointsLock) Describe() string   { return "web/web" }

// addresses is not a lock.
type addresses struct{ client corev1client.EndpointsGetter }

func (a *addresses) Get(ctx context.Context) (*corev1.Endpoints, error) {
	return a.client.Endpoints("web").Get(ctx, "web", metav1.GetOptions{}) // want `^v1 Endpoints is deprecated in v1.33\+; use discovery.k8s.io/v1 EndpointSlice \(call DiscoveryV1\(\)\)$`
}
