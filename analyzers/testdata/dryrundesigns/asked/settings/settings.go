// Package settings reads the settings of the user.
package settings

import "os"

func DryRun() bool { return os.Getenv("DRY_RUN") == "true" }
