// Package scripts finds calls of kubectl and oc in shell text. It reads shell scripts,
// Makefile recipes, the RUN instructions of Dockerfiles, the code blocks of Markdown,
// the steps of GitHub Actions and GitLab CI, and the commands of containers. It parses
// shell with mvdan.cc/sh/v3/syntax and expands variables and functions that the same
// text defines.
//
// If a part of a word is unknown, the word is marked as incomplete, and checks report
// nothing that depends on it. Nothing is run.
//
// Every byte of an expanded word records its place in the source, through all layers of
// quoting, so that a finding and its fix apply to that place.
package scripts
