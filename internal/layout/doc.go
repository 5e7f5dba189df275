// Package layout has tests of imports between packages and of links between documents. It
// has no other code.
package layout
