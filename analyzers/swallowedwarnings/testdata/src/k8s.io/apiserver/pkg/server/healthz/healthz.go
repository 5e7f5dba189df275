// Package healthz has what is needed of the real one.
package healthz

var PingHealthz any
