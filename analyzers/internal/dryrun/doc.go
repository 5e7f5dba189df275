// Package dryrun finds the variables and fields in which a program keeps the
// user's wish for a dry run, and the code that runs during a dry run. Rules use
// it to find out whether a condition on the dry run prevents a write. It
// follows early returns, conditions kept in variables, helper functions and
// conditions in callers. Facts describe other packages of the module. In this
// package, "wish" means the user's wish for a dry run.
package dryrun
