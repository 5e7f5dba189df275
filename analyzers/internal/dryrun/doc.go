// Package dryrun finds the code that runs when the user of a program wants a
// dry run. Rules use it to find out whether a condition on the dry run prevents
// a write. It follows early returns, conditions kept in variables, helper
// functions and conditions in callers. Facts describe other packages of the
// module.
//
// These terms are used:
//
//   - The wish is the user's choice of a dry run.
//   - A variable or field holds the dry run, and a function reports it, if the
//     value is the wish.
//   - A source is such a variable, field, parameter or function.
//   - The dry run guards code that a condition on the wish skips in a dry run.
package dryrun
