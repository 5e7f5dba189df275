// Package ownstatus records the progress of a dry run in the status of its own objects.
package ownstatus

import (
	client "example.org/clients/dryrundesigns/ownstatus/clientset/versioned/typed/v1"
	"example.org/clients/dryrundesigns/ownstatus/status"
	v1 "example.org/clients/dryrundesigns/ownstatus/v1"
)

// Migrate migrates a release.
func Migrate(c client.ReleaseInterface, r *v1.Release, dryRun bool) error {
	if err := status.Set(c, r); err != nil {
		return err
	}
	if _, err := c.UpdateStatus(r); err != nil {
		return err
	}
	if err := status.Mark(c, r); err != nil { // want "the call of Mark ignores dryRun, so a dry run updates a Release"
		return err
	}
	if dryRun {
		return nil
	}
	return c.Delete(r.Name, nil)
}
