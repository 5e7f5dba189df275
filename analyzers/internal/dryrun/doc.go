// Package dryrun knows where a program keeps the user's wish for a dry run
// and which code is reached while the wish holds. Rules ask it whether a write
// is guarded; it follows early returns, conditions kept in variables, helper
// functions, guards in callers and, by facts, other packages of the module.
package dryrun
