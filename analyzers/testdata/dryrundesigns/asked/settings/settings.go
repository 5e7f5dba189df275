// Package settings knows what the user wants.
package settings

import "os"

func DryRun() bool { return os.Getenv("DRY_RUN") == "true" }
