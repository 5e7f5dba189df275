// Package status writes the status of releases.
package status

import (
	client "example.org/clients/dryrundesigns/ownstatus/clientset/versioned/typed/v1"
	v1 "example.org/clients/dryrundesigns/ownstatus/v1"
)

// Set sets the status.
func Set(c client.ReleaseInterface, r *v1.Release) error {
	_, err := c.UpdateStatus(r)
	return err
}

// Mark updates the release itself.
func Mark(c client.ReleaseInterface, r *v1.Release) error {
	_, err := c.Update(r)
	return err
}
