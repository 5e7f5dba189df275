//go:build !race

package main

// raceDetector is true if the tests run with -race.
const raceDetector = false
