package main

// abortOnCrash does nothing. On Windows, a process that aborts has the exit status 2
// as well.
func abortOnCrash() {}
