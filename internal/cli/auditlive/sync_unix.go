//go:build unix

package auditlive

import "os"

// SyncDirectory makes sure that new files in a directory survive a loss of power.
func SyncDirectory(name string) error {
	d, err := os.Open(name)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
