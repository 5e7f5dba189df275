// Package layout holds the tests of who may import whom, and of the links between
// documents. There is no code in it.
package layout
