// Package clients is the root of the packages that the rules' tests analyze.
package clients
