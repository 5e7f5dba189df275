// Package manifestlint judges Kubernetes objects as they are written: it cuts
// inputs into documents, decides which of them need a parse, finds the objects
// and hands them to checks.
//
// The way of a document: a splitter cuts it out, a skimmer reads it without
// building anything. Most documents end there, as their head alone decides
// that no check has anything to say. Of a document that holds a key that a
// check waits for, the skimmer builds the tree on a second look; only what it
// does not recognise goes to the YAML parser. Neither changes findings: with
// Options.ParseAll every document is parsed, and tests compare the two.
//
// The library has no stable API yet; the JSON that the command prints has.
package manifestlint
