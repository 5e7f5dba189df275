// Package accepted has comments that tell another linter to accept a deprecated kind.
package accepted

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
)

// The proxy of old nodes reads nothing else.
// nolint: staticcheck
type reader struct{ client corev1client.EndpointsGetter }

func (r reader) read(ctx context.Context) (*corev1.Endpoints, error) {
	return r.client.Endpoints("web").Get(ctx, "web", metav1.GetOptions{})
}

//nolint:staticcheck // the proxy of old nodes reads nothing else
func whole(ctx context.Context, cs kubernetes.Interface) (*corev1.Endpoints, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return cs.CoreV1().Endpoints("web").Get(ctx, "web", metav1.GetOptions{})
}

func statement(ctx context.Context, cs kubernetes.Interface) (*corev1.Endpoints, error) {
	//nolint:staticcheck,gocritic // the proxy of old nodes reads nothing else
	if ctx.Err() == nil {
		return cs.CoreV1().Endpoints("web").Get(ctx, "web", metav1.GetOptions{})
	}
	return cs.CoreV1().Endpoints("shop").Get(ctx, "web", metav1.GetOptions{}) // want `v1 Endpoints is deprecated`
}

func inline(ctx context.Context, cs kubernetes.Interface) {
	_, _ = cs.CoreV1(). //nolint:staticcheck // the proxy of old nodes reads nothing else
				Endpoints("web").
				Get(ctx, "web", metav1.GetOptions{})
	_, _ = cs.CoreV1().Endpoints("web").Get(ctx, "web", metav1.GetOptions{}) // want `v1 Endpoints is deprecated`
}

//lint:ignore SA1019 the proxy of old nodes reads nothing else
func ignored(ctx context.Context, cs kubernetes.Interface) (*corev1.Endpoints, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return cs.CoreV1().Endpoints("web").Get(ctx, "web", metav1.GetOptions{})
}

// documented reads the addresses of a service.
//
//nolint:staticcheck
func documented(ctx context.Context, cs kubernetes.Interface) (*corev1.Endpoints, error) {
	return cs.CoreV1().Endpoints("web").Get(ctx, "web", metav1.GetOptions{}) // want `v1 Endpoints is deprecated`
}

// explained reads the addresses of a service. It waits until the service has at least
// one address.
// Endpoints is deprecated, but old nodes read nothing else.
// nolint: staticcheck
func explained(ctx context.Context, cs kubernetes.Interface) (*corev1.Endpoints, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return cs.CoreV1().Endpoints("web").Get(ctx, "web", metav1.GetOptions{})
}

// paragraph reads the addresses of a service
//
// The proxy of old nodes reads nothing else.
//
//nolint:staticcheck
func paragraph(ctx context.Context, cs kubernetes.Interface) (*corev1.Endpoints, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return cs.CoreV1().Endpoints("web").Get(ctx, "web", metav1.GetOptions{})
}

// long reads the addresses of a service. It waits until the service has at least
// one address.
//
//nolint:staticcheck
func long(ctx context.Context, cs kubernetes.Interface) (*corev1.Endpoints, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return cs.CoreV1().Endpoints("web").Get(ctx, "web", metav1.GetOptions{}) // want `v1 Endpoints is deprecated`
}

//nolint:errcheck // the proxy of old nodes reads nothing else
func other(ctx context.Context, cs kubernetes.Interface) {
	cs.CoreV1().Endpoints("web").Get(ctx, "web", metav1.GetOptions{}) // want `v1 Endpoints is deprecated`
}

func unreasoned(ctx context.Context, cs kubernetes.Interface) {
	_, _ = cs.CoreV1().Endpoints("web").Get(ctx, "web", metav1.GetOptions{}) //nolint:staticcheck
}
