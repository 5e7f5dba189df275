// Package scripts finds calls of kubectl and oc in shell text: in shell
// scripts, Makefile recipes, the RUN instructions of Dockerfiles, the code
// blocks of Markdown, the steps of GitHub Actions and GitLab CI, and in the
// commands of containers. It parses shell with mvdan.cc/sh/v3/syntax and
// expands variables and functions that the same text defines.
//
// An unknown part of a word remains unknown: the word is then marked as
// incomplete, and checks report nothing that depends on it. Nothing is run.
//
// Every byte of an expanded word records where it was written, through all
// layers of quoting, so that a finding and its fix apply to that place.
package scripts
