// Package config has the program's settings.
package config

// DryRun is set where nothing is to be changed.
var DryRun bool
