// Package v1 has the client of a custom resource.
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	v1 "example.org/clients/dryrundesigns/ownstatus/v1"
)

// ReleaseInterface is a generated client of an old release.
type ReleaseInterface interface {
	Create(*v1.Release) (*v1.Release, error)
	Update(*v1.Release) (*v1.Release, error)
	UpdateStatus(*v1.Release) (*v1.Release, error)
	Delete(name string, options *metav1.DeleteOptions) error
	Get(name string, options metav1.GetOptions) (*v1.Release, error)
}
