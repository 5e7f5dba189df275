// Package clients is the root of the packages that the rules' tests analyse.
package clients
