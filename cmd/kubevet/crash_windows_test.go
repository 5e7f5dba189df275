package main

// crash is not tested on Windows: see abortOnCrash.
func crash(string) {}
