//go:build !linux

package main

// forgetProgram is for Linux.
func forgetProgram() {}
