// Package endpoints uses a deprecated kind of a version that is not deprecated.
package endpoints

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

func endpoints(ctx context.Context, cs kubernetes.Interface) (*corev1.Endpoints, error) {
	return cs.CoreV1().Endpoints("web").Get(ctx, "web", metav1.GetOptions{}) // want `^v1 Endpoints is deprecated in v1.33\+; use discovery.k8s.io/v1 EndpointSlice \(call DiscoveryV1\(\)\)$`
}

func accepted(ctx context.Context, cs kubernetes.Interface) (*corev1.Endpoints, error) {
	//nolint:staticcheck // SA1019: still needed
	return cs.CoreV1().Endpoints("web").Get(ctx, "web", metav1.GetOptions{})
}

func pod(ctx context.Context, cs kubernetes.Interface) (*corev1.Pod, error) {
	return cs.CoreV1().Pods("web").Get(ctx, "web", metav1.GetOptions{})
}
