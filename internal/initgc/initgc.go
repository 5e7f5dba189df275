// Package initgc keeps the garbage collector from running while a program
// initializes its packages.
//
// The libraries of kubevet allocate 7 MB then, most of which stays in use. Two
// collections at that time took a third of the CPU time of `kubevet version`.
//
// Go initializes packages in the order of their import paths, each after its
// imports. This one imports nothing but runtime/debug, so it comes before those
// that allocate much. Only commands may import it: they must turn the collector
// on again, with debug.SetGCPercent.
package initgc

import "runtime/debug"

var configured = debug.SetGCPercent(-1)

// Configured returns the value of the variable GOGC for debug.SetGCPercent: the
// default is 100, and "off" is -1.
func Configured() int { return configured }
