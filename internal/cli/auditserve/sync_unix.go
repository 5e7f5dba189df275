//go:build unix

package auditserve

import "os"

// syncDirectory makes new names in a directory survive a loss of power.
func syncDirectory(name string) error {
	d, err := os.Open(name)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
