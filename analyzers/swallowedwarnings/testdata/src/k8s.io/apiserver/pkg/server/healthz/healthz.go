// Package healthz has the names of the real package that the tests need.
package healthz

var PingHealthz any
