// Package schema says what a server answers when it decodes an object: a value
// of a wrong type, fields that its type does not have, fields given twice. It
// asks the types of every built-in kind in every minor.
package schema
