// Package dryrun finds the code that runs when the user of a program wants a dry run.
// Rules use it to find out whether a condition on the dry run prevents a write. It
// follows early returns, conditions kept in variables, helper functions and conditions
// in callers. Facts describe other packages of the module.
//
// These terms are used:
//
//   - A variable or field holds the dry run, and a function reports it, if the value
//     says whether the user wants a dry run.
//   - A source is such a variable, field, parameter or function.
//   - Code checks the dry run if one of its conditions depends on a source.
//   - The dry run guards code that does not run in a dry run.
//   - A function respects a source if the source guards a write or is passed on. It
//     ignores a source that it gets and never checks.
//   - An informed function has a source in its scope.
//   - A real write is a write that is not sent as a dry run.
//   - The dry run chooses a value, such as a client, if the value differs between a dry
//     run and a normal run.
//   - A start is a function in which the program, or one of its commands, starts.
//   - Mode off is a run of the program without a dry run.
package dryrun
