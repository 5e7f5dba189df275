// Package initgc turns off the garbage collector while a program initializes its
// packages.
//
// In this phase, kubevet's libraries allocate 7 MB, most of which stays in use. Two
// collections took a third of the CPU time of `kubevet version`.
//
// Go initializes packages in the order of their import paths, each after its imports.
// This package imports only runtime/debug, so it is initialized before the packages that
// allocate much. Only commands may import it, because they must turn the collector on
// again with debug.SetGCPercent.
package initgc

import "runtime/debug"

var configured = debug.SetGCPercent(-1)

// Configured returns the value of GOGC for debug.SetGCPercent. The default is 100, and
// "off" is -1.
func Configured() int { return configured }
