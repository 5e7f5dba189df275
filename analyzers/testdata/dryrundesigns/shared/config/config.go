// Package config has the settings of the program.
package config

// DryRun is true if the program must not change anything.
var DryRun bool
