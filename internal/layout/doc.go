// Package layout holds the test of who may import whom. There is no code in
// it.
package layout
