// Package manifest writes through an interface that other modules implement.
package manifest

import "k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

// Client is implemented by other modules.
type Client interface {
	Create(obj *unstructured.Unstructured, options ...string) error
	Update(obj *unstructured.Unstructured, options ...string) error
	Delete(obj *unstructured.Unstructured) error
	Get(obj *unstructured.Unstructured) (*unstructured.Unstructured, error)
}

// Manifest has objects and a client.
type Manifest struct {
	resources []*unstructured.Unstructured
	Client    Client
}

// Apply creates or updates.
func (m Manifest) Apply() error {
	for _, r := range m.resources {
		if err := m.apply(r); err != nil {
			return err
		}
	}
	return nil
}

func (m Manifest) apply(r *unstructured.Unstructured) error {
	if old, err := m.Client.Get(r); err == nil && old != nil {
		return m.Client.Update(r, "again")
	}
	return m.Client.Create(r)
}

// Delete deletes.
func (m Manifest) Delete() error {
	for _, r := range m.resources {
		if err := m.Client.Delete(r); err != nil {
			return err
		}
	}
	return nil
}

// Read only reads.
func (m Manifest) Read() error {
	for _, r := range m.resources {
		if _, err := m.Client.Get(r); err != nil {
			return err
		}
	}
	return nil
}

// Cache stores objects in memory.
type Cache interface {
	Create(obj *unstructured.Unstructured) error
	Update(obj *unstructured.Unstructured) error
	Delete(obj *unstructured.Unstructured) error
}

// Keep puts objects into a cache.
func Keep(c Cache, m Manifest) error {
	for _, r := range m.resources {
		if err := c.Update(r); err != nil {
			return err
		}
	}
	return nil
}
