// Package schema predicts a server's answer when it decodes an object: values
// of wrong types, unknown fields and repeated fields. It knows the types of
// every built-in kind in every minor.
package schema
