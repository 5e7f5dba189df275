// Package dryrun finds where a program keeps the user's wish for a dry run, and which code
// runs during a dry run. Rules ask it whether a write is guarded. It follows early returns,
// conditions kept in variables, helper functions, guards in callers and, by facts, other
// packages of the module. In this package, "wish" means the user's wish for a dry run.
package dryrun
