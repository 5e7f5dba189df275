// Package creators has an interface that looks like that of a client.
package creators

// Creator creates objects.
type Creator interface{ Create(name string) error }
